#ifndef FB_SYSTEM_H
#define FB_SYSTEM_H

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>

/// The system calls of the broker and of the client: every one that CLinux makes goes through such
/// a table, so that a test can let any of them fail. Each is as the manual page says: -1 and errno.
typedef struct fb_system {
    int (*poll_create)(int flags);
    int (*poll_control)(int poll, int operation, int fd, struct epoll_event *event);
    int (*poll_wait)(int poll, struct epoll_event *events, int count, int timeout_ms);
    int (*poll_one)(struct pollfd *fds, nfds_t count, int timeout_ms);
    int (*event_make)(unsigned int value, int flags);
    ssize_t (*read)(int fd, void *bytes, size_t count);
    ssize_t (*write)(int fd, const void *bytes, size_t count);
    ssize_t (*send)(int fd, const void *bytes, size_t count, int flags);
    int (*socket_make)(int domain, int type, int protocol);
    int (*socket_pair)(int domain, int type, int protocol, int fds[2]);
    int (*bind)(int fd, const struct sockaddr *address, socklen_t length);
    int (*listen)(int fd, int backlog);
    int (*connect)(int fd, const struct sockaddr *address, socklen_t length);
    int (*accept)(int fd, struct sockaddr *address, socklen_t *length, int flags);
    int (*shutdown)(int fd, int how);
    int (*socket_option)(int fd, int level, int name, void *value, socklen_t *length);
    int (*socket_name)(int fd, struct sockaddr *address, socklen_t *length);
    ssize_t (*send_to)(int fd, const void *bytes, size_t count, int flags,
                       const struct sockaddr *address, socklen_t length);
    int (*control)(int fd, int command, int value);
    int (*signal_make)(int fd, const sigset_t *signals, int flags);
    int (*process_open)(pid_t pid, unsigned int flags);
    int (*close)(int fd);
    int (*open)(const char *path, int flags, mode_t mode);
    int (*lock)(int fd, int operation);
    int (*look)(const char *path, struct stat *info);
    int (*look_at)(int fd, struct stat *info);
    int (*remove)(const char *path);
    int (*make_folder)(const char *path, mode_t mode);
    char *(*make_private_folder)(char *pattern);
    int (*remove_folder)(const char *path);
    char *(*resolve)(const char *path, char *resolved);
    int (*may)(const char *path, int mode);
    DIR *(*folder_open)(const char *path);
    struct dirent *(*folder_next)(DIR *folder);
    int (*folder_close)(DIR *folder);
    int (*sync)(int fd);
    int (*cut)(int fd, off_t length);
    ssize_t (*write_at)(int fd, const void *bytes, size_t count, off_t offset);
    int (*thread_start)(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*run)(void *), void *context);
    /// Whether a call that failed with this error is made again, as a signal came in between.
    int (*is_interrupted)(int error);
} fb_system;

/// The table of Linux itself, the only one of the programs.
const fb_system *fb_system_linux(void);

/// Uses another table from now on. For tests: it has to stay where it is, and passes on what it
/// does not change.
void fb_system_use(const fb_system *table);

#endif
