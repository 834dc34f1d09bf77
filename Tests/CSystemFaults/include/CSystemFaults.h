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
/// Its errno; 0 for what is short.
int fb_fault_error(fb_fault_kind kind);

/// What code does about such failures. Without one of them the table behaves as it would look to
/// code that does not do it, for the controls of the sweeps.
typedef enum {
    FB_GUARD_NONE = 0,
    FB_GUARD_SIGNAL = 1,  ///< a call that a signal ended is made again
    FB_GUARD_COUNT = 2,   ///< a short read or write is looked at: here it claims to be whole
    FB_GUARD_AGAIN = 3,   ///< "not now" is no failure: here it is ECONNRESET
    FB_GUARD_CLOSE = 4,   ///< a failure closes what was open: here the next close does nothing
    FB_GUARD_WAKE = 5,    ///< who waits is woken: here nobody is
    FB_GUARD_END = 6,     ///< a failure is told from the end of a folder: here it looks like it
    FB_GUARD_ALONE = 7,   ///< a failure concerns one descriptor: here all that follow fail too
    FB_GUARD_RESULT = 8,  ///< a thread with a result wakes who waits for it: here it does not
} fb_guard;

/// Lets the n-th call (from 1) that can fail in this way, and the `times` - 1 behind it, fail, if
/// this thread or one that it starts makes them. A call can fail in the ways that its manual page
/// names.
void fb_faults_begin(fb_fault_kind kind, uint64_t n, uint64_t times);

/// Takes one guard away from the run that was begun.
void fb_faults_without(fb_guard guard);

/// Waits until the threads that were started have ended; 0 when one has not within so many
/// seconds.
int fb_faults_wait_for_threads(int seconds);

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
