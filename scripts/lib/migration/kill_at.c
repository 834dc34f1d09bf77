// Preloaded into a broker (LD_PRELOAD), kills it with SIGKILL at the call number KILL_AT of those that
// change files: KILL_HOW "before" it, "after" it, or "half" way, where a write has written its first
// half. Says on standard error which call it was.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long kill_at;
static char how;
static atomic_long calls;

__attribute__((constructor)) static void read_environment(void) {
    const char *number = getenv("KILL_AT"), *word = getenv("KILL_HOW");
    kill_at = number ? atol(number) : 0;
    how = word ? word[0] : 'b';
}

static void end(const char *call, const char *path) {
    const char *slash = strrchr(path, '/');
    dprintf(2, "killed at %s %s\n", call, slash ? slash + 1 : path);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static void end_at(const char *call, int fd) {
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    end(call, path);
}

// Whether this is the call. Pipes, sockets and the like are no files.
static int is_it(int fd) {
    struct stat found;
    if (kill_at == 0 || (fd >= 0 && (fstat(fd, &found) < 0 || !S_ISREG(found.st_mode)))) return 0;
    return atomic_fetch_add(&calls, 1) + 1 == kill_at;
}

static ssize_t write_at(int fd, const void *bytes, size_t count, off64_t place) {
    int it = is_it(fd);
    if (it && how == 'b') end_at("pwrite", fd);
    ssize_t written = syscall(SYS_pwrite64, fd, bytes, it && how == 'h' ? count / 2 : count, place);
    if (it) end_at("pwrite", fd);
    return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t place) {
    return write_at(fd, bytes, count, place);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
    return write_at(fd, bytes, count, place);
}

#define AROUND(call, fd, does)                        \
    int it = is_it(fd);                               \
    if (it && how != 'a') end_at(call, fd);           \
    int result = (int)(does);                         \
    if (it) end_at(call, fd);                         \
    return result

int ftruncate64(int fd, off64_t length) {
    AROUND("ftruncate", fd, syscall(SYS_ftruncate, fd, length));
}
int ftruncate(int fd, off_t length) {
    AROUND("ftruncate", fd, syscall(SYS_ftruncate, fd, length));
}
int fsync(int fd) { AROUND("fsync", fd, syscall(SYS_fsync, fd)); }
int fdatasync(int fd) { AROUND("fdatasync", fd, syscall(SYS_fdatasync, fd)); }

int unlink(const char *path) {
    int it = is_it(-1);
    if (it && how != 'a') end("unlink", path);
    int result = (int)syscall(SYS_unlink, path);
    if (it) end("unlink", path);
    return result;
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    int it = flags & O_CREAT && is_it(-1);
    if (it && how != 'a') end("open", path);
    int result = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (it) end("open", path);
    return result;
}
