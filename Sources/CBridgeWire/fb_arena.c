#define _GNU_SOURCE
#include "fb_arena.h"

#include <stdlib.h>
#include <sys/mman.h>

struct fb_arena_chunk {
    struct fb_arena_chunk *next;
    size_t padding;  // keeps the memory behind this header 16-byte aligned
};

static void *refuse_past_cap(void *data, size_t size) {
    fb_arena *arena = data;
    size_t rounded = (size + 7) & ~(size_t)7;
    if (rounded > arena->cap - arena->used || rounded < size) {
        arena->refused = 1;
        return NULL;
    }
    void *memory = arena->base + arena->used;
    arena->used += rounded;
    return memory;
}

static void free_nothing(void *data, void *memory) {
    (void)data;
    (void)memory;
}

fb_arena *fb_arena_create(size_t cap) {
    fb_arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL) return NULL;
    void *base = mmap(NULL, cap, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        free(arena);
        return NULL;
    }
    arena->base = base;
    arena->cap = cap;
    arena->allocator.alloc = refuse_past_cap;
    arena->allocator.free = free_nothing;
    arena->allocator.allocator_data = arena;
    return arena;
}

static void free_extra(fb_arena *arena) {
    while (arena->extra != NULL) {
        struct fb_arena_chunk *next = arena->extra->next;
        free(arena->extra);
        arena->extra = next;
    }
}

void fb_arena_destroy(fb_arena *arena) {
    if (arena == NULL) return;
    free_extra(arena);
    munmap(arena->base, arena->cap);
    free(arena);
}

void fb_arena_reset_large(fb_arena *arena) {
    free_extra(arena);
    if (arena->used > FB_ARENA_KEPT_BYTES) {
        madvise(arena->base + FB_ARENA_KEPT_BYTES, arena->used - FB_ARENA_KEPT_BYTES,
                MADV_DONTNEED);
    }
}

void *fb_arena_extra(fb_arena *arena, size_t size) {
    if (size > SIZE_MAX - sizeof(struct fb_arena_chunk)) abort();
    struct fb_arena_chunk *chunk = malloc(sizeof *chunk + size);
    if (chunk == NULL) abort();
    chunk->next = arena->extra;
    arena->extra = chunk;
    return chunk + 1;
}
