#include "fb_json_memory.h"

#include <jansson.h>
#include <stdlib.h>

// The arena of this thread's document; NULL outside of begin and end.
static _Thread_local fb_arena *current;

static void *allocate(size_t size) {
    fb_arena *arena = current;
    if (arena == NULL) return malloc(size);
    // jansson takes NULL for "no memory", and says so. The cap bounds what a line may cost.
    return arena->allocator.alloc(arena, size);
}

static void release(void *memory) {
    fb_arena *arena = current;
    if (arena != NULL) {
        uint8_t *at = memory;
        if (at >= arena->base && at < arena->base + arena->cap) return;
    }
    free(memory);
}

// Before main there is one thread, so that nobody can be within jansson.
__attribute__((constructor)) static void set_functions(void) {
    json_set_alloc_funcs(allocate, release);
}

void fb_json_memory_begin(fb_arena *arena) { current = arena; }

void fb_json_memory_end(void) { current = NULL; }
