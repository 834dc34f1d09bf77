#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// One ready descriptor, as epoll_wait reports it.
typedef struct {
    uint32_t events;
    int32_t token;
} fb_ready;

enum {
    FB_POLL_IN = 1,
    FB_POLL_OUT = 2,
    FB_POLL_HANGUP = 4,  ///< both directions are shut, or an error is pending
    FB_POLL_READ_HANGUP = 8,  ///< the peer shut its writing side
};

/// Every call below returns -errno on failure and never raises SIGPIPE.

int fb_poll_create(void);
int fb_poll_add(int poll, int fd, int32_t token, uint32_t events);
int fb_poll_change(int poll, int fd, int32_t token, uint32_t events);
int fb_poll_remove(int poll, int fd);
/// Waits up to `timeout_ms` (-1: without limit). An interrupted wait returns 0.
int fb_poll_wait(int poll, fb_ready *ready, int count, int timeout_ms);

int fb_event_create(void);
int fb_event_signal(int fd);
int fb_event_clear(int fd);

/// Blocks SIGTERM, SIGINT and SIGHUP in this process and returns a descriptor that reads them;
/// ignores SIGPIPE.
int fb_signal_descriptor(void);
/// The number of the next signal, 0 when none is waiting.
int fb_signal_next(int fd);
void fb_ignore_sigpipe(void);

/// The longest path that fits sun_path with its terminator: 107 bytes.
int fb_socket_path_max(void);
/// A listening stream socket at `path`; "@name" is an abstract one. Made with umask 0177.
int fb_socket_listen(const char *path, int backlog);
/// The same, for every user to connect to.
int fb_socket_listen_for_all(const char *path, int backlog);
/// A connected stream socket, blocking.
int fb_socket_connect(const char *path);
/// A connected stream socket, non-blocking; -EAGAIN when the listener's backlog is full.
int fb_socket_connect_now(const char *path);
int fb_socket_accept(int fd);
/// 1 for a listening stream socket of the Unix domain, 0 for any other descriptor that is open.
int fb_socket_is_listening(int fd);
enum { FB_SOCKET_NAME_BYTES = 109 };
/// Where a socket is bound, "@name" for an abstract one; `path` has FB_SOCKET_NAME_BYTES bytes.
int fb_socket_name(int fd, char *path);
/// Makes a descriptor that came from the parent close with an exec, and never block.
int fb_keep_to_self(int fd);
/// Sends one datagram to the socket at `path`, or "@name", without waiting for room.
int fb_datagram_send(const char *path, const char *text);
int fb_socket_pair(int fds[2]);
int fb_socket_shutdown_write(int fd);
int fb_socket_peer(int fd, int32_t *pid, uint32_t *uid);
ssize_t fb_read(int fd, void *bytes, size_t count);
/// send(2) with MSG_NOSIGNAL.
ssize_t fb_send(int fd, const void *bytes, size_t count);
/// Writes all of it, or says why not; for files, pipes and terminals.
int fb_write_all(int fd, const void *bytes, size_t count);
int fb_close(int fd);
/// open(2), and the descriptor closes with an exec.
int fb_open(const char *path, int flags, uint32_t mode);
int fb_remove(const char *path);
int fb_make_folder(const char *path, uint32_t mode);
/// mkdtemp(3), and the folder is 0700 whatever the umask is.
int fb_make_private_folder(char *pattern);
int fb_remove_folder(const char *path);
/// realpath(3); the caller frees `resolved`, which is NULL on failure.
int fb_real_path(const char *path, char **resolved);
/// access(2): 0, or why not.
int fb_may(const char *path, int mode);
/// opendir(3); `folder` is to be closed on success.
int fb_folder_open(const char *path, void **folder);
/// 1 and the next name, which is good until the next call; 0 at the end.
int fb_folder_next(void *folder, const char **name);
void fb_folder_close(void *folder);
int fb_sync(int fd);
/// Makes the text all that the file holds.
int fb_replace_content(int fd, const char *text);
/// 1 for a regular file and 0 for anything else; `size` is its size in bytes.
int fb_file_size(int fd, int64_t *size);
/// Waits up to `timeout_ms` (-1: without limit). 1 when there is something to read, 0 when not, or
/// when the wait was interrupted.
int fb_wait_readable(int fd, int timeout_ms);
/// pthread_create(3) with the default attributes; -errno on failure.
int fb_thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/// Takes an exclusive lock on the file, made 0600 if it is not there. Returns its descriptor, or
/// -EWOULDBLOCK when another process holds it.
int fb_lock_file(const char *path);
/// Lets go of the lock at once, although a child that is being made may have the descriptor too for
/// a moment, and closes it. -1 is none.
void fb_unlock_file(int fd);

typedef enum {
    FB_FILE_NONE = 0,
    FB_FILE_SOCKET = 1,
    FB_FILE_FOLDER = 2,
    FB_FILE_SYMLINK = 3,
    FB_FILE_REGULAR = 4,
    FB_FILE_OTHER = 5,
} fb_file_kind;

typedef struct {
    fb_file_kind kind;
    uint32_t uid;
    uint32_t mode;
    int64_t size;
    uint64_t device;
    uint64_t inode;
} fb_file_info;

/// lstat(2); a missing file is FB_FILE_NONE and success.
int fb_file_look(const char *path, fb_file_info *info);

/// A descriptor of a process, which is readable once the process has ended.
int fb_process_open(int32_t pid);

/// Names the calling thread, as ps and debuggers show it; 15 bytes at most, the rest is cut.
void fb_name_thread(const char *name);

uint64_t fb_monotonic_ns(void);
int64_t fb_wall_ms(void);
/// Takes the program's code out of its resident memory; what is used again comes back by itself,
/// from the page cache. For after the start, whose code is not needed any more.
void fb_release_code(void);
/// Has large pieces of memory go back to the system when they are freed, also when many were
/// asked for before: a queue that was once full costs nothing afterwards.
void fb_give_memory_back(void);
/// Sets the soft limit of open descriptors to the hard one and returns it.
int64_t fb_raise_descriptor_limit(void);

/// One step of getopt_long. `options` is a flat list of names; `takes_value` runs beside it: 0 for
/// none, 1 for one, 2 for one that may be left out (`--name` or `--name=value`).
/// Returns the index of the option, -1 at the end, -2 for an unknown one, -3 for a missing value.
typedef struct {
    int index;  ///< of the next argument to look at
    const char *value;
    const char *fault;  ///< the offending word, with -2 and -3
} fb_options;

int fb_option_next(
    fb_options *state, int argc, char *const *argv, const char *const *names,
    const char *short_names, const uint8_t *takes_value, int count);

const char *fb_error_text(int error);

#endif
