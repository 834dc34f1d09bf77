#ifndef CPOWERCUT_H
#define CPOWERCUT_H

#include <stdint.h>

/// A layer under SQLite that plays a disk with a write cache: what was written and not synced is
/// kept apart from the file and is gone after a power cut. One disk a process; any thread.

/// Registers the layer under this name and returns it; calling it again changes nothing.
const char *fb_disk_name(void);

/// Begins anew: no fault is armed, nothing is counted.
void fb_disk_reset(void);

/// Cuts the power before the n-th write, truncation or sync from now on, from 1. Of the sectors
/// that were not synced, about `kept_percent` come to the disk all the same, chosen by the seed.
/// After that every operation fails until `fb_disk_reset`.
void fb_disk_cut_at(uint64_t operation, uint64_t seed, uint32_t kept_percent);

/// Lets the n-th write, truncation or sync from now on fail once with an I/O error.
void fb_disk_fail_at(uint64_t operation);

/// While set, no file can grow.
void fb_disk_set_full(int is_full);

/// Whether the power is out, or the failure was met.
int fb_disk_met(void);

/// Writes, truncations and syncs so far.
uint64_t fb_disk_operations(void);

/// Syncs that this thread has asked for since it began.
uint64_t fb_disk_syncs_here(void);

#endif
