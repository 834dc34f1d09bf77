// The allocations of C++ in this process go the same way as those of C that ask for it.
#include <new>

extern "C" {
#include "CSystemFaults.h"
}

static void *made(std::size_t bytes) { return fb_heap_malloc(bytes == 0 ? 1 : bytes); }

void *operator new(std::size_t bytes) {
    void *memory = made(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void *operator new[](std::size_t bytes) { return operator new(bytes); }

void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept { return made(bytes); }

void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept { return made(bytes); }

void operator delete(void *memory) noexcept { fb_heap_free(memory); }

void operator delete[](void *memory) noexcept { fb_heap_free(memory); }

void operator delete(void *memory, std::size_t) noexcept { fb_heap_free(memory); }

void operator delete[](void *memory, std::size_t) noexcept { fb_heap_free(memory); }
