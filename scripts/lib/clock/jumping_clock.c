// Preloaded into a broker (LD_PRELOAD), sets its clocks while it runs. The file JUMPING_CLOCK has
// three integers of 64 bits: milliseconds to add to the wall clock; the same for the monotonic one,
// which nobody can set: the control; and a count of calls that would wait for a time of the wall
// clock, which the kernel's own clock would end: with one of those this file proves nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct shared {
    volatile int64_t wall_ms, monotonic_ms;
    int64_t wall_waits;
};

static struct shared still, *shared = &still;

__attribute__((constructor)) static void map_file(void) {
    const char *path = getenv("JUMPING_CLOCK");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED) shared = map;
}

static int is_wall(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI
        || clock == CLOCK_REALTIME_ALARM;
}

static void add(struct timespec *time, int64_t ms) {
    int64_t ns = time->tv_nsec + ms % 1000 * 1000000;
    time->tv_sec += ms / 1000 + (ns < 0 ? -1 : ns / 1000000000);
    time->tv_nsec = ns < 0 ? ns + 1000000000 : ns % 1000000000;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result < 0) return result;
    if (is_wall(clock)) add(time, shared->wall_ms);
    if (clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME) add(time, shared->monotonic_ms);
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *time) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (time) *time = now.tv_sec;
    return now.tv_sec;
}

// Waits until a time of the wall clock: counted, then done as ever.

static void count(void) { __atomic_add_fetch(&shared->wall_waits, 1, __ATOMIC_RELAXED); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
    const struct timespec *restrict until) {
    count();
    return REAL(pthread_cond_timedwait)(condition, mutex, until);
}

int pthread_mutex_timedlock(
    pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
    count();
    return REAL(pthread_mutex_timedlock)(mutex, until);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
    count();
    return REAL(sem_timedwait)(semaphore, until);
}

int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *span, struct timespec *rest) {
    if (is_wall(clock) && flags & TIMER_ABSTIME) count();
    return REAL(clock_nanosleep)(clock, flags, span, rest);
}

int timerfd_create(clockid_t clock, int flags) {
    if (is_wall(clock)) count();
    return REAL(timerfd_create)(clock, flags);
}
