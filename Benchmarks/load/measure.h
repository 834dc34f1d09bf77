// Clocks, samples, and what the measured process needs of processor and memory.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Monotonic time in nanoseconds.
uint64_t now_ns(void);

// Processor time (user and system, all threads) that a process has used, in nanoseconds.
uint64_t process_cpu_ns(pid_t process);

// Memory that a process has made for itself, in bytes, exact to the page: code and other pages of
// files are not in it, as they come and go.
uint64_t anonymous_bytes(pid_t process);

// Durations in nanoseconds. All zero is empty.
struct samples {
    uint32_t *values;
    size_t count, capacity;
};

void samples_add(struct samples *samples, uint64_t ns);

// The value below which `part` (0 to 1) of the samples lie, in microseconds; sorts them.
double samples_quantile_us(struct samples *samples, double part);

// A stretch of work under measurement.
struct stretch {
    uint64_t started_ns, started_cpu_ns;
    uint64_t requests; // the caller counts them
    struct samples latencies; // the caller adds them, or none
};

void stretch_start(struct stretch *stretch, pid_t server);

// Prints one line of name=value: requests, seconds, rate, server_cpu_us a request, and p50_us and
// p99_us where there are samples.
void stretch_report(struct stretch *stretch, pid_t server);

#endif
