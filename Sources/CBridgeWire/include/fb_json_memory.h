#ifndef FB_JSON_MEMORY_H
#define FB_JSON_MEMORY_H

#include "fb_arena.h"

#pragma clang assume_nonnull begin

// Where jansson's memory comes from. Its functions are set once, before main, and pass everything
// to malloc and free, except on a thread between begin and end: there memory comes from an arena
// and is given back with it. Between the two, jansson must only be asked to read a document, and
// that document must not be freed, nor touched after the arena's reset.

void fb_json_memory_begin(fb_arena *arena);
void fb_json_memory_end(void);

#pragma clang assume_nonnull end

#endif
