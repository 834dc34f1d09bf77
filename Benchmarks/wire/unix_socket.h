// Blocking helpers for Unix stream sockets. A failure ends the program with what failed.
#ifndef BENCH_UNIX_SOCKET_H
#define BENCH_UNIX_SOCKET_H

#include <stddef.h>

// Prints `what`, the reason in errno, and exits with 1.
_Noreturn void fail(const char *what);

// A listening socket at `path`, which must not exist.
int socket_listen(const char *path);

// A connection to `path`.
int socket_connect(const char *path);

// As socket_connect, but -1 while nobody listens there.
int socket_try_connect(const char *path);

// Writes all of it. On a non-blocking socket it waits for room; 0 if the peer is gone, else 1.
int write_all(int fd, const void *bytes, size_t count);

#endif
