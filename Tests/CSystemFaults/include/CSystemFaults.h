#ifndef CSYSTEMFAULTS_H
#define CSYSTEMFAULTS_H

#include <stddef.h>
#include <stdint.h>

/// A table of system calls under CLinux that lets one call of one thread fail, and a heap that
/// does the same for allocations of C. What other threads do is passed on.

typedef enum {
    FB_FAULT_SHORT_READ = 0,  ///< one byte comes
    FB_FAULT_SHORT_WRITE = 1, ///< one byte goes
    FB_FAULT_EINTR = 2,
    FB_FAULT_EAGAIN = 3,
    FB_FAULT_EPIPE = 4,
    FB_FAULT_ECONNRESET = 5,
    FB_FAULT_EMFILE = 6,
    FB_FAULT_ENFILE = 7,
    FB_FAULT_ECONNABORTED = 8,
    FB_FAULT_ENOMEM = 9,
    FB_FAULT_ENOBUFS = 10,
    FB_FAULT_ENOSPC = 11,
    FB_FAULT_EIO = 12,
    FB_FAULT_KINDS = 13,
} fb_fault_kind;

const char *fb_fault_name(fb_fault_kind kind);

/// Lets the n-th call (from 1) that can fail in this way, and the `times` - 1 behind it, fail, if
/// this thread or one that it starts makes them. A call can fail in the ways that its manual page
/// names.
void fb_faults_begin(fb_fault_kind kind, uint64_t n, uint64_t times);

/// The name of the call that failed; NULL while it was not reached.
const char *fb_faults_met(void);

/// How many calls could have failed so.
uint64_t fb_faults_seen(void);

/// Descriptors that were made and not closed since it began.
int64_t fb_faults_descriptors(void);

/// Ends it.
void fb_faults_end(void);

/// Lets the n-th allocation from now on that `fb_heap_malloc` makes on this thread return NULL,
/// once; 0: none.
void fb_heap_begin(uint64_t n);
/// Whether it was reached.
int fb_heap_met(void);
/// Ends it and returns the allocations that are still held.
int64_t fb_heap_end(void);
void *fb_heap_malloc(size_t bytes);
void fb_heap_free(void *memory);

#endif
