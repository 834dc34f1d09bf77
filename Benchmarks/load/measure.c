#define _GNU_SOURCE
#include "measure.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../wire/unix_socket.h"

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) < 0)
        fail("clock_gettime");
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t process_cpu_ns(pid_t process)
{
    clockid_t clock;
    if ((errno = clock_getcpuclockid(process, &clock)) != 0)
        fail("clock_getcpuclockid");
    return clock_ns(clock);
}

uint64_t anonymous_bytes(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail(path);
    uint64_t kibibytes = 0;
    char line[256];
    while (kibibytes == 0 && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "Anonymous: %" SCNu64 " kB", &kibibytes);
    fclose(file);
    return kibibytes * 1024;
}

void samples_add(struct samples *samples, uint64_t ns)
{
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 1 << 16;
        samples->values = realloc(samples->values, samples->capacity * sizeof *samples->values);
        if (samples->values == NULL)
            fail("realloc");
    }
    samples->values[samples->count++] = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

static int by_size(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

double samples_quantile_us(struct samples *samples, double part)
{
    if (samples->count == 0)
        return 0;
    qsort(samples->values, samples->count, sizeof *samples->values, by_size);
    return samples->values[(size_t)((double)(samples->count - 1) * part)] / 1e3;
}

void stretch_start(struct stretch *stretch, pid_t server)
{
    *stretch = (struct stretch){
        .started_cpu_ns = server > 0 ? process_cpu_ns(server) : 0,
        .started_ns = now_ns(),
    };
}

void stretch_report(struct stretch *stretch, pid_t server)
{
    double seconds = (double)(now_ns() - stretch->started_ns) / 1e9;
    double requests = (double)stretch->requests;
    printf("requests=%.0f seconds=%.3f rate=%.0f", requests, seconds, requests / seconds);
    if (server > 0) {
        double cpu_ns = (double)(process_cpu_ns(server) - stretch->started_cpu_ns);
        printf(" server_cpu_us=%.3f", cpu_ns / 1e3 / requests);
    }
    if (stretch->latencies.count > 0)
        printf(" p50_us=%.2f p99_us=%.2f", samples_quantile_us(&stretch->latencies, 0.5),
               samples_quantile_us(&stretch->latencies, 0.99));
    printf("\n");
    free(stretch->latencies.values);
}
