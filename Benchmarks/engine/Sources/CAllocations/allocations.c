#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// glibc keeps its own functions under these names for those who replace malloc.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static allocations_t now;

static int64_t bytes_of(void *block)
{
    return block ? (int64_t)malloc_usable_size(block) + 8 : 0;
}

static void *counted(void *block)
{
    now.blocks++;
    now.bytes += bytes_of(block);
    return block;
}

allocations_t allocations_now(void)
{
    return now;
}

void *malloc(size_t size)
{
    return counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    now.bytes -= bytes_of(block);
    return counted(__libc_realloc(block, size));
}

void *memalign(size_t alignment, size_t size)
{
    return counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = counted(__libc_memalign(alignment, size));
    return *block ? 0 : ENOMEM;
}

void free(void *block)
{
    now.bytes -= bytes_of(block);
    __libc_free(block);
}
