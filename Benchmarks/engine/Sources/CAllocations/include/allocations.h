#pragma once

#include <stdint.h>

/// What the process allocated: this program's malloc and free take the place of libc's and count.
/// One thread only.
typedef struct {
    /// Blocks asked for, also those given back since.
    uint64_t blocks;
    /// Bytes in use now, as the allocator rounds them, with its head of 8 bytes for each block.
    int64_t bytes;
} allocations_t;

allocations_t allocations_now(void);
