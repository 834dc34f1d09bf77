#define _GNU_SOURCE
#include "unix_socket.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail(path);
    }
    strcpy(address.sun_path, path);
    return address;
}

static int new_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        fail("socket");
    return fd;
}

int socket_listen(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = new_socket();
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, SOMAXCONN) < 0)
        fail(path);
    return fd;
}

int socket_try_connect(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = new_socket();
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (errno != ENOENT && errno != ECONNREFUSED)
        fail(path);
    close(fd);
    return -1;
}

int socket_connect(const char *path)
{
    int fd = socket_try_connect(path);
    if (fd < 0)
        fail(path);
    return fd;
}

int write_all(int fd, const void *bytes, size_t count)
{
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(fd, next, count);
        if (written >= 0) {
            next += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd room = {.fd = fd, .events = POLLOUT};
            if (poll(&room, 1, -1) < 0 && errno != EINTR)
                fail("poll");
        } else if (errno != EINTR) {
            return 0;
        }
    }
    return 1;
}
