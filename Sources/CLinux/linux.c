#define _GNU_SOURCE
#include "CLinux.h"

#include "fb_system.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// The table. Calls that are not in it cannot fail (docs/testing.md, "Sweeps").

static int open_file(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

static int control_file(int fd, int command, int value) { return fcntl(fd, command, value); }

static int is_signal(int error) { return error == EINTR; }

static const fb_system linux_calls = {
    .poll_create = epoll_create1, .poll_control = epoll_ctl, .poll_wait = epoll_wait,
    .poll_one = poll, .event_make = eventfd, .read = read, .write = write, .send = send,
    .socket_make = socket, .socket_pair = socketpair, .bind = bind, .listen = listen,
    .connect = connect, .accept = accept4, .shutdown = shutdown, .socket_option = getsockopt,
    .close = close, .open = open_file, .lock = flock, .look = lstat, .look_at = fstat,
    .remove = unlink, .make_folder = mkdir, .sync = fsync, .cut = ftruncate, .write_at = pwrite,
    .thread_start = pthread_create, .socket_name = getsockname, .send_to = sendto,
    .control = control_file, .signal_make = signalfd, .process_open = pidfd_open,
    .make_private_folder = mkdtemp, .remove_folder = rmdir, .resolve = realpath, .may = access,
    .folder_open = opendir, .folder_next = readdir, .folder_close = closedir,
    .is_interrupted = is_signal,
};

static const fb_system *_Atomic table = &linux_calls;

// A relaxed load is a plain one: the indirect call takes the place of that through the linker's
// own table.
static inline const fb_system *calls(void) {
    return atomic_load_explicit(&table, memory_order_relaxed);
}

const fb_system *fb_system_linux(void) { return &linux_calls; }

void fb_system_use(const fb_system *other) { atomic_store(&table, other); }

// Again as long as a signal came in between.
#define UNINTERRUPTED(call)                                      \
    ({                                                           \
        __typeof__(call) result_;                                \
        do result_ = (call);                                     \
        while (result_ < 0 && calls()->is_interrupted(errno));   \
        result_;                                                 \
    })

static int checked(int result) { return result < 0 ? -errno : result; }

static uint32_t to_epoll(uint32_t events) {
    uint32_t bits = 0;
    if (events & FB_POLL_IN) bits |= EPOLLIN | EPOLLRDHUP;
    if (events & FB_POLL_OUT) bits |= EPOLLOUT;
    return bits;
}

int fb_poll_create(void) { return checked(calls()->poll_create(EPOLL_CLOEXEC)); }

static int control(int poll, int operation, int fd, int32_t token, uint32_t events) {
    struct epoll_event event = {.events = to_epoll(events), .data.fd = token};
    return checked(calls()->poll_control(poll, operation, fd, &event));
}

int fb_poll_add(int poll, int fd, int32_t token, uint32_t events) {
    return control(poll, EPOLL_CTL_ADD, fd, token, events);
}

int fb_poll_change(int poll, int fd, int32_t token, uint32_t events) {
    return control(poll, EPOLL_CTL_MOD, fd, token, events);
}

int fb_poll_remove(int poll, int fd) { return control(poll, EPOLL_CTL_DEL, fd, 0, 0); }

int fb_poll_wait(int poll, fb_ready *ready, int count, int timeout_ms) {
    struct epoll_event events[256];
    if (count > 256) count = 256;
    int found = calls()->poll_wait(poll, events, count, timeout_ms);
    if (found < 0) return calls()->is_interrupted(errno) ? 0 : -errno;
    for (int i = 0; i < found; i++) {
        uint32_t bits = 0;
        if (events[i].events & EPOLLIN) bits |= FB_POLL_IN;
        if (events[i].events & EPOLLOUT) bits |= FB_POLL_OUT;
        if (events[i].events & (EPOLLHUP | EPOLLERR)) bits |= FB_POLL_HANGUP;
        if (events[i].events & EPOLLRDHUP) bits |= FB_POLL_READ_HANGUP;
        ready[i] = (fb_ready){bits, events[i].data.fd};
    }
    return found;
}

int fb_event_create(void) { return checked(calls()->event_make(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int fb_event_signal(int fd) {
    uint64_t one = 1;
    return UNINTERRUPTED(calls()->write(fd, &one, sizeof one)) < 0 ? -errno : 0;
}

int fb_event_clear(int fd) {
    uint64_t count;
    return UNINTERRUPTED(calls()->read(fd, &count, sizeof count)) < 0 ? -errno : 0;
}

void fb_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

int fb_signal_descriptor(void) {
    sigset_t set;
    fb_ignore_sigpipe();
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -errno;
    return checked(calls()->signal_make(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int fb_signal_next(int fd) {
    struct signalfd_siginfo info;
    ssize_t count = UNINTERRUPTED(calls()->read(fd, &info, sizeof info));
    if (count < 0) return errno == EAGAIN ? 0 : -errno;
    return count == sizeof info ? (int)info.ssi_signo : 0;
}

int fb_socket_path_max(void) { return (int)sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

/// Fills the address and returns its length, or -ENAMETOOLONG.
static int address_of(const char *path, struct sockaddr_un *address) {
    size_t length = strlen(path);
    if (length > (size_t)fb_socket_path_max()) return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    if (path[0] != '@') return (int)sizeof *address;
    address->sun_path[0] = '\0';
    return (int)(offsetof(struct sockaddr_un, sun_path) + length);
}

/// Closes fd, keeps errno, and returns -errno.
static int failed(int fd) {
    int error = errno;
    calls()->close(fd);
    return -error;
}

static int listen_with(const char *path, int backlog, mode_t mask) {
    struct sockaddr_un address;
    int length = address_of(path, &address);
    if (length < 0) return length;
    int fd = calls()->socket_make(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    mode_t before = umask(mask);
    int bound = calls()->bind(fd, (struct sockaddr *)&address, (socklen_t)length);
    umask(before);
    if (bound < 0 || calls()->listen(fd, backlog) < 0) return failed(fd);
    return fd;
}

int fb_socket_listen(const char *path, int backlog) { return listen_with(path, backlog, 0177); }

int fb_socket_listen_for_all(const char *path, int backlog) {
    return listen_with(path, backlog, 0111);
}

static int connect_socket(const char *path, int flags) {
    struct sockaddr_un address;
    int length = address_of(path, &address);
    if (length < 0) return length;
    int fd = calls()->socket_make(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (fd < 0) return -errno;
    // A local connection is made at once or not at all, so a call that a signal ended comes again.
    const struct sockaddr *to = (struct sockaddr *)&address;
    if (UNINTERRUPTED(calls()->connect(fd, to, (socklen_t)length)) < 0) return failed(fd);
    return fd;
}

int fb_socket_connect(const char *path) { return connect_socket(path, 0); }

int fb_socket_connect_now(const char *path) { return connect_socket(path, SOCK_NONBLOCK); }

int fb_socket_accept(int fd) {
    return checked(calls()->accept(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

int fb_socket_is_listening(int fd) {
    int family = 0, kind = 0, listens = 0;
    socklen_t length = sizeof(int);
    if (calls()->socket_option(fd, SOL_SOCKET, SO_DOMAIN, &family, &length) < 0 ||
        calls()->socket_option(fd, SOL_SOCKET, SO_TYPE, &kind, &length) < 0 ||
        calls()->socket_option(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) < 0)
        return errno == ENOTSOCK ? 0 : -errno;
    return family == AF_UNIX && kind == SOCK_STREAM && listens;
}

int fb_socket_name(int fd, char *path) {
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    memset(path, 0, FB_SOCKET_NAME_BYTES);
    memset(&address, 0, sizeof address);
    if (calls()->socket_name(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
    size_t bytes = length - offsetof(struct sockaddr_un, sun_path);
    if (bytes > sizeof address.sun_path) bytes = sizeof address.sun_path;
    memcpy(path, address.sun_path, bytes);
    if (bytes > 1 && path[0] == '\0') path[0] = '@';
    return 0;
}

int fb_keep_to_self(int fd) {
    int flags = calls()->control(fd, F_GETFL, 0);
    if (flags < 0 || calls()->control(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -errno;
    return checked(calls()->control(fd, F_SETFD, FD_CLOEXEC));
}

int fb_datagram_send(const char *path, const char *text) {
    struct sockaddr_un address;
    int length = address_of(path, &address);
    if (length < 0) return length;
    int fd = calls()->socket_make(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    const struct sockaddr *to = (struct sockaddr *)&address;
    ssize_t sent = UNINTERRUPTED(
        calls()->send_to(fd, text, strlen(text), MSG_NOSIGNAL, to, (socklen_t)length));
    if (sent < 0) return failed(fd);
    calls()->close(fd);
    return 0;
}

int fb_socket_pair(int fds[2]) {
    return checked(calls()->socket_pair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
}

int fb_socket_shutdown_write(int fd) { return checked(calls()->shutdown(fd, SHUT_WR)); }

int fb_socket_peer(int fd, int32_t *pid, uint32_t *uid) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (calls()->socket_option(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -errno;
    *pid = peer.pid;
    *uid = peer.uid;
    return 0;
}

ssize_t fb_read(int fd, void *bytes, size_t count) {
    ssize_t result = UNINTERRUPTED(calls()->read(fd, bytes, count));
    return result < 0 ? -errno : result;
}

ssize_t fb_send(int fd, const void *bytes, size_t count) {
    ssize_t result = UNINTERRUPTED(calls()->send(fd, bytes, count, MSG_NOSIGNAL));
    return result < 0 ? -errno : result;
}

int fb_write_all(int fd, const void *bytes, size_t count) {
    const char *rest = bytes;
    while (count > 0) {
        ssize_t written = UNINTERRUPTED(calls()->write(fd, rest, count));
        if (written < 0) return -errno;
        rest += written;
        count -= (size_t)written;
    }
    return 0;
}

int fb_open(const char *path, int flags, uint32_t mode) {
    return checked(UNINTERRUPTED(calls()->open(path, flags | O_CLOEXEC, mode)));
}

int fb_remove(const char *path) { return checked(calls()->remove(path)); }

int fb_make_folder(const char *path, uint32_t mode) {
    return checked(calls()->make_folder(path, mode));
}

int fb_make_private_folder(char *pattern) {
    mode_t before = umask(077);
    int result = calls()->make_private_folder(pattern) == NULL ? -errno : 0;
    umask(before);
    return result;
}

int fb_remove_folder(const char *path) { return checked(calls()->remove_folder(path)); }

int fb_real_path(const char *path, char **resolved) {
    *resolved = calls()->resolve(path, NULL);
    return *resolved == NULL ? -errno : 0;
}

int fb_may(const char *path, int mode) { return checked(calls()->may(path, mode)); }

int fb_folder_open(const char *path, void **folder) {
    *folder = calls()->folder_open(path);
    return *folder == NULL ? -errno : 0;
}

int fb_folder_next(void *folder, const char **name) {
    // The end and a failure look the same but for errno.
    errno = 0;
    struct dirent *entry = calls()->folder_next(folder);
    if (entry == NULL) return -errno;
    *name = entry->d_name;
    return 1;
}

void fb_folder_close(void *folder) { calls()->folder_close(folder); }

int fb_sync(int fd) { return checked(UNINTERRUPTED(calls()->sync(fd))); }

int fb_replace_content(int fd, const char *text) {
    if (UNINTERRUPTED(calls()->cut(fd, 0)) < 0) return -errno;
    size_t length = strlen(text), written = 0;
    while (written < length) {
        ssize_t count = UNINTERRUPTED(
            calls()->write_at(fd, text + written, length - written, (off_t)written));
        if (count < 0) return -errno;
        written += (size_t)count;
    }
    return 0;
}

int fb_file_size(int fd, int64_t *size) {
    struct stat found;
    if (calls()->look_at(fd, &found) < 0) return -errno;
    *size = found.st_size;
    return S_ISREG(found.st_mode);
}

int fb_wait_readable(int fd, int timeout_ms) {
    struct pollfd state = {.fd = fd, .events = POLLIN};
    int found = calls()->poll_one(&state, 1, timeout_ms);
    if (found < 0) return calls()->is_interrupted(errno) ? 0 : -errno;
    return found > 0 && (state.revents & POLLIN) != 0;
}

int fb_thread_start(pthread_t *thread, void *(*run)(void *), void *context) {
    return -calls()->thread_start(thread, NULL, run, context);
}

int fb_close(int fd) { return checked(calls()->close(fd)); }

int fb_lock_file(const char *path) {
    int fd = fb_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
    if (fd < 0) return fd;
    if (UNINTERRUPTED(calls()->lock(fd, LOCK_EX | LOCK_NB)) < 0) return failed(fd);
    return fd;
}

void fb_unlock_file(int fd) {
    if (fd < 0) return;
    UNINTERRUPTED(calls()->lock(fd, LOCK_UN));
    calls()->close(fd);
}

int fb_file_look(const char *path, fb_file_info *info) {
    struct stat found;
    memset(info, 0, sizeof *info);
    if (calls()->look(path, &found) < 0) return errno == ENOENT ? 0 : -errno;
    info->kind = S_ISSOCK(found.st_mode)  ? FB_FILE_SOCKET
                 : S_ISDIR(found.st_mode) ? FB_FILE_FOLDER
                 : S_ISLNK(found.st_mode) ? FB_FILE_SYMLINK
                 : S_ISREG(found.st_mode) ? FB_FILE_REGULAR
                                          : FB_FILE_OTHER;
    info->uid = found.st_uid;
    info->mode = found.st_mode & 07777;
    info->size = found.st_size;
    info->device = found.st_dev;
    info->inode = found.st_ino;
    return 0;
}

int fb_process_open(int32_t pid) { return checked(calls()->process_open(pid, 0)); }

void fb_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

uint64_t fb_monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t fb_wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t fb_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return -errno;
    return (int64_t)limit.rlim_cur;
}

static int release_segments(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    long page = sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        // Code alone: it is never written, so nothing can be lost.
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_flags & PF_W)
            continue;
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        uintptr_t end = start + segment->p_memsz;
        start = (start + (uintptr_t)page - 1) / (uintptr_t)page * (uintptr_t)page;
        end = end / (uintptr_t)page * (uintptr_t)page;
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void fb_release_code(void) { dl_iterate_phdr(release_segments, NULL); }

// The C library raises its threshold for mappings to the largest piece ever freed, 32 MiB at most,
// and keeps twice as much on its heap. Frames are up to 1 MiB by default and stay on the heap.
enum { MAPPED_BYTES_MIN = 2 << 20, KEPT_BYTES_MAX = 4 << 20 };

void fb_give_memory_back(void) {
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES_MIN);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES_MAX);
}

enum { OPTIONS_MAX = 64 };

/// The word that getopt_long stumbled over: the letter of a short option, else the whole word.
static const char *faulty_word(char *const *argv) {
    static char letter[3] = "-?";
    if (optopt == 0 || optopt >= 256) return argv[optind - 1];
    letter[1] = (char)optopt;
    return letter;
}

int fb_option_next(
    fb_options *state, int argc, char *const *argv, const char *const *names,
    const char *short_names, const uint8_t *takes_value, int count) {
    struct option list[OPTIONS_MAX + 1];
    char shorts[3 * OPTIONS_MAX + 2];
    int s = 0;
    if (count > OPTIONS_MAX) return -2;
    shorts[s++] = ':';
    for (int i = 0; i < count; i++) {
        list[i] = (struct option){names[i], takes_value[i], NULL, 256 + i};
        if (short_names[i] == ' ') continue;
        shorts[s++] = short_names[i];
        for (int colons = 0; colons < takes_value[i]; colons++) shorts[s++] = ':';
    }
    shorts[s] = '\0';
    list[count] = (struct option){NULL, 0, NULL, 0};
    opterr = 0;
    optopt = 0;
    optind = state->index;
    int found = getopt_long(argc, argv, shorts, list, NULL);
    state->index = optind;
    state->value = optarg;
    state->fault = found == '?' || found == ':' ? faulty_word(argv) : NULL;
    if (found == '?') return -2;
    if (found == ':') return -3;
    if (found == -1) return -1;
    if (found >= 256) return found - 256;
    for (int i = 0; i < count; i++)
        if (short_names[i] == found) return i;
    return -2;
}

const char *fb_error_text(int error) { return strerror(error); }
