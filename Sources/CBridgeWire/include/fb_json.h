#ifndef FB_JSON_H
#define FB_JSON_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// What is looked at in a line of JSON before jansson sees it: jansson recurses, builds everything
// it reads, keeps no integer over 63 bits, and says neither where in the document it stopped nor
// which request it was.

enum { FB_JSON_DEPTH_MAX = 32 };

typedef enum fb_json_fault {
    FB_JSON_SOUND = 0,
    FB_JSON_DEPTH,     // more than FB_JSON_DEPTH_MAX objects and lists within each other
    FB_JSON_ELEMENTS,  // more elements of lists than asked for
    FB_JSON_MEMBERS,   // more members of objects than asked for
} fb_json_fault;

typedef struct fb_json_scan {
    fb_json_fault fault;
    size_t offset;  // of the byte at fault
    size_t id_offset;  // of the value of the outermost "id", quotes left out
    size_t id_length;  // 0: there is none
    int has_big_integer;  // an integer of 19 digits or more
} fb_json_scan;

// Reads the line once. Does not check that it is JSON.
fb_json_fault fb_json_check(const uint8_t *text, size_t length, size_t elements_max,
                            size_t members_max, fb_json_scan *scan);

// Copies a line and puts integers of 19 digits or more into strings that begin with a NUL, which
// no text of a request may hold. `out` takes up to fb_json_marked_size(length) bytes.
size_t fb_json_mark_big_integers(const uint8_t *text, size_t length, uint8_t *out);

static inline size_t fb_json_marked_size(size_t length) { return length + length / 2 + 16; }

// Writes the dotted path of the value or key around byte `offset`, such as `a.b[1]`, cut to
// `capacity` bytes, and returns its length.
size_t fb_json_path(const uint8_t *text, size_t length, size_t offset, char *out, size_t capacity);

// The first place of `bytes` in `text`; NULL if there is none.
const void *_Nullable fb_find_bytes(const void *text, size_t length, const void *bytes,
                                    size_t count);

#pragma clang assume_nonnull end

#endif
