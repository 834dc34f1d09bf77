#include "fb_json_memory.h"

#include <jansson.h>
#include <stdlib.h>

// The arena of this thread's document; NULL outside of begin and end.
static _Thread_local fb_arena *current;

// Never NULL for an arena: jansson 2.14 writes past a string's end when its buffer could not grow.
// What a line may cost is bounded before, by its length and by fb_json_check.
static void *allocate(size_t size) {
    return current == NULL ? malloc(size) : fb_arena_take(current, size);
}

static void release(void *memory) {
    if (current == NULL) free(memory);
}

// Before main there is one thread, so that nobody can be within jansson.
__attribute__((constructor)) static void set_functions(void) {
    json_set_alloc_funcs(allocate, release);
}

void fb_json_memory_begin(fb_arena *arena) { current = arena; }

void fb_json_memory_end(void) { current = NULL; }
