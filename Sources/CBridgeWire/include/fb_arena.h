#ifndef FB_ARENA_H
#define FB_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <protobuf-c/protobuf-c.h>

#pragma clang assume_nonnull begin

// A bump allocator for one message at a time.
//
// Address space is reserved once; pages are touched only as messages need them. As a protobuf-c
// allocator it refuses to pass its cap (so that unpack fails cleanly) and frees nothing: the next
// fb_arena_reset takes everything back, on error paths too.
typedef struct fb_arena {
    ProtobufCAllocator allocator;  // for protobuf_c_message_unpack
    uint8_t *base;
    size_t used;
    size_t cap;
    int refused;                  // an allocation since the last reset passed the cap
    struct fb_arena_chunk *_Nullable extra;  // what fb_arena_take got beyond the cap
} fb_arena;

// Reserves `cap` bytes of address space. NULL when the kernel refuses.
fb_arena *_Nullable fb_arena_create(size_t cap);

void fb_arena_destroy(fb_arena *_Nullable arena);

// Pages above 256 KiB go back to the kernel, extra chunks to malloc.
void fb_arena_reset_large(fb_arena *arena);

// Memory from malloc, for what does not fit under the cap; aborts when there is none.
void *fb_arena_extra(fb_arena *arena, size_t size);

#define FB_ARENA_KEPT_BYTES ((size_t)256 * 1024)

// Forgets everything that was handed out.
static inline void fb_arena_reset(fb_arena *arena) {
    if (arena->used > FB_ARENA_KEPT_BYTES || arena->extra != NULL) fb_arena_reset_large(arena);
    arena->used = 0;
    arena->refused = 0;
}

// Memory for a message that is being built, 8-byte aligned. Never NULL: what the broker itself
// wants to send is bounded by the caller, not by the cap on what comes in.
static inline void *fb_arena_take(fb_arena *arena, size_t size) {
    size_t rounded = (size + 7) & ~(size_t)7;
    if (rounded > arena->cap - arena->used || rounded < size) return fb_arena_extra(arena, size);
    void *memory = arena->base + arena->used;
    arena->used += rounded;
    return memory;
}

// Bytes handed out since the last reset, if all of them came from under the cap; else 0.
static inline size_t fb_arena_bytes(const fb_arena *arena) {
    return arena->extra == NULL ? arena->used : 0;
}

// For protobuf_c_message_unpack.
static inline ProtobufCAllocator *fb_arena_allocator(fb_arena *arena) { return &arena->allocator; }

// strlen, for Swift files that import no C library.
static inline size_t fb_text_length(const char *text) { return strlen(text); }

#pragma clang assume_nonnull end

#endif
