#define _GNU_SOURCE
#include "CSystemFaults.h"

#include "fb_system.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

// Which call may fail in which way, after the manual pages.

enum call {
    POLL_CREATE, POLL_CONTROL, POLL_WAIT, POLL_ONE, EVENT_MAKE, READ, WRITE, SEND, SOCKET_MAKE,
    SOCKET_PAIR, BIND, LISTEN, CONNECT, ACCEPT, SHUTDOWN, SOCKET_OPTION, CLOSE, OPEN, LOCK, LOOK,
    LOOK_AT, REMOVE, MAKE_FOLDER, SYNC, CUT, WRITE_AT, THREAD_START, SOCKET_NAME, SEND_TO, CONTROL,
    SIGNAL_MAKE, PROCESS_OPEN, MAKE_PRIVATE, REMOVE_FOLDER, RESOLVE, MAY, FOLDER_OPEN, FOLDER_NEXT,
};

static const char *const call_names[] = {
    "epoll_create1", "epoll_ctl", "epoll_wait", "poll", "eventfd", "read", "write", "send",
    "socket", "socketpair", "bind", "listen", "connect", "accept4", "shutdown", "getsockopt",
    "close", "open", "flock", "lstat", "fstat", "unlink", "mkdir", "fsync", "ftruncate", "pwrite",
    "pthread_create", "getsockname", "sendto", "fcntl", "signalfd", "pidfd_open", "mkdtemp",
    "rmdir", "realpath", "access", "opendir", "readdir",
};

#define BIT(call) ((uint64_t)1 << (call))
#define MAKES_DESCRIPTOR \
    (BIT(POLL_CREATE) | BIT(EVENT_MAKE) | BIT(SOCKET_MAKE) | BIT(SOCKET_PAIR) | BIT(ACCEPT) | \
     BIT(OPEN) | BIT(SIGNAL_MAKE) | BIT(PROCESS_OPEN) | BIT(FOLDER_OPEN))

static const struct {
    const char *name;
    int error;
    uint64_t calls;
} kinds[FB_FAULT_KINDS] = {
    [FB_FAULT_SHORT_READ] = {"short read", 0, BIT(READ)},
    [FB_FAULT_SHORT_WRITE] = {"short write", 0, BIT(WRITE) | BIT(SEND) | BIT(WRITE_AT)},
    [FB_FAULT_EINTR] = {"EINTR", EINTR,
                        BIT(POLL_WAIT) | BIT(POLL_ONE) | BIT(READ) | BIT(WRITE) | BIT(SEND) |
                            BIT(CONNECT) | BIT(ACCEPT) | BIT(CLOSE) | BIT(OPEN) | BIT(LOCK) |
                            BIT(SYNC) | BIT(CUT) | BIT(WRITE_AT) | BIT(SEND_TO)},
    [FB_FAULT_EAGAIN] = {"EAGAIN", EAGAIN,
                         BIT(READ) | BIT(WRITE) | BIT(SEND) | BIT(ACCEPT) | BIT(CONNECT) |
                             BIT(POLL_ONE) | BIT(THREAD_START) | BIT(SEND_TO)},
    [FB_FAULT_EPIPE] = {"EPIPE", EPIPE, BIT(SEND) | BIT(WRITE) | BIT(SEND_TO)},
    [FB_FAULT_ECONNRESET] = {"ECONNRESET", ECONNRESET, BIT(READ) | BIT(SEND) | BIT(SEND_TO)},
    [FB_FAULT_EMFILE] = {"EMFILE", EMFILE, MAKES_DESCRIPTOR},
    [FB_FAULT_ENFILE] = {"ENFILE", ENFILE, MAKES_DESCRIPTOR},
    [FB_FAULT_ECONNABORTED] = {"ECONNABORTED", ECONNABORTED, BIT(ACCEPT)},
    [FB_FAULT_ENOMEM] = {"ENOMEM", ENOMEM,
                         MAKES_DESCRIPTOR | BIT(POLL_CONTROL) | BIT(POLL_ONE) | BIT(BIND) |
                             BIT(SEND) | BIT(LOOK) | BIT(LOOK_AT) | BIT(REMOVE) |
                             BIT(MAKE_FOLDER) | BIT(SEND_TO) | BIT(MAKE_PRIVATE) |
                             BIT(REMOVE_FOLDER) | BIT(RESOLVE) | BIT(MAY)},
    [FB_FAULT_ENOBUFS] = {"ENOBUFS", ENOBUFS,
                          BIT(SOCKET_MAKE) | BIT(ACCEPT) | BIT(SEND) | BIT(SOCKET_OPTION) |
                              BIT(SOCKET_NAME) | BIT(SEND_TO)},
    [FB_FAULT_ENOSPC] = {"ENOSPC", ENOSPC,
                         BIT(POLL_CONTROL) | BIT(OPEN) | BIT(WRITE) | BIT(WRITE_AT) | BIT(BIND) |
                             BIT(MAKE_FOLDER) | BIT(SYNC) | BIT(MAKE_PRIVATE)},
    [FB_FAULT_EIO] = {"EIO", EIO,
                      BIT(READ) | BIT(WRITE) | BIT(WRITE_AT) | BIT(SYNC) | BIT(CUT) | BIT(OPEN) |
                          BIT(LOOK) | BIT(LOOK_AT) | BIT(REMOVE) | BIT(CLOSE) | BIT(MAKE_FOLDER) |
                          // fcntl fails on no good descriptor: this stands for a bad one.
                          BIT(CONTROL) | BIT(MAKE_PRIVATE) | BIT(REMOVE_FOLDER) | BIT(RESOLVE) |
                          BIT(MAY) | BIT(FOLDER_NEXT)},
};

const char *fb_fault_name(fb_fault_kind kind) { return kinds[kind].name; }

int fb_fault_error(fb_fault_kind kind) { return kinds[kind].error; }

// One run: shared by the thread that began it and the threads that it starts.
typedef struct {
    _Atomic int owners;
    fb_fault_kind kind;
    uint64_t at, behind;
    _Atomic uint64_t seen;
    _Atomic int64_t descriptors;
    _Atomic(const char *) met;
    fb_guard without;
    /// A descriptor that a missing guard has left open, closed with the run; -1: none.
    _Atomic int left;
} run;

static _Thread_local run *current;
// Whether the run has started this thread.
static _Thread_local int is_started;

static pthread_mutex_t owners_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t owners_changed = PTHREAD_COND_INITIALIZER;

static void let_go(run *r) {
    if (r == NULL) return;
    pthread_mutex_lock(&owners_lock);
    int owners = atomic_fetch_sub(&r->owners, 1) - 1;
    pthread_cond_broadcast(&owners_changed);
    pthread_mutex_unlock(&owners_lock);
    if (owners > 0) return;
    int left = atomic_load(&r->left);
    if (left >= 0) close(left);
    free(r);
}

static int is_without(fb_guard guard) { return current != NULL && current->without == guard; }

// Whether this call is the one that fails.
static int fails(enum call call) {
    run *r = current;
    if (r == NULL || (kinds[r->kind].calls & BIT(call)) == 0) return 0;
    uint64_t place = atomic_fetch_add(&r->seen, 1) + 1;
    int is_lasting = is_without(FB_GUARD_ALONE);
    if (place < r->at || (place >= r->behind && !is_lasting)) return 0;
    atomic_store(&r->met, call_names[call]);
    errno = kinds[r->kind].error;
    // Who takes "not now" for a failure sees one.
    if (errno == EAGAIN && is_without(FB_GUARD_AGAIN)) errno = ECONNRESET;
    return 1;
}

// What a short read or write tells: how much it was, or, to who does not look, all of it.
static ssize_t told(ssize_t done, size_t wanted) {
    return done > 0 && is_without(FB_GUARD_COUNT) ? (ssize_t)wanted : done;
}

static int is_interrupted(int error) { return error == EINTR && !is_without(FB_GUARD_SIGNAL); }

// Counts a descriptor that was made.
static int counted(int fd) {
    if (fd >= 0 && current != NULL) atomic_fetch_add(&current->descriptors, 1);
    return fd;
}

static int is_short(void) {
    return current->kind == FB_FAULT_SHORT_READ || current->kind == FB_FAULT_SHORT_WRITE;
}

#define LINUX fb_system_linux()

static int poll_create(int flags) {
    return fails(POLL_CREATE) ? -1 : counted(LINUX->poll_create(flags));
}

static int poll_control(int poll, int operation, int fd, struct epoll_event *event) {
    // Taking a descriptor out needs no memory.
    if (operation != EPOLL_CTL_DEL && fails(POLL_CONTROL)) return -1;
    return LINUX->poll_control(poll, operation, fd, event);
}

static int poll_wait(int poll, struct epoll_event *events, int count, int timeout_ms) {
    return fails(POLL_WAIT) ? -1 : LINUX->poll_wait(poll, events, count, timeout_ms);
}

static int poll_one(struct pollfd *fds, nfds_t count, int timeout_ms) {
    return fails(POLL_ONE) ? -1 : LINUX->poll_one(fds, count, timeout_ms);
}

static int event_make(unsigned int value, int flags) {
    return fails(EVENT_MAKE) ? -1 : counted(LINUX->event_make(value, flags));
}

// An eventfd takes and gives eight bytes and a signalfd 128, or says EAGAIN, which it means; all
// that can come in between is a signal.
static int is_event(size_t count) {
    return (count == 8 || count == sizeof(struct signalfd_siginfo)) && current != NULL &&
           current->kind != FB_FAULT_EINTR;
}

static ssize_t read_some(int fd, void *bytes, size_t count) {
    if (is_event(count) || !fails(READ)) return LINUX->read(fd, bytes, count);
    return is_short() ? told(LINUX->read(fd, bytes, count > 1 ? 1 : count), count) : -1;
}

static ssize_t write_some(int fd, const void *bytes, size_t count) {
    if (count == 8 && is_without(FB_GUARD_WAKE)) return (ssize_t)count;
    if (count == 8 && is_without(FB_GUARD_RESULT) && is_started) return (ssize_t)count;
    if (is_event(count) || !fails(WRITE)) return LINUX->write(fd, bytes, count);
    return is_short() ? told(LINUX->write(fd, bytes, count > 1 ? 1 : count), count) : -1;
}

static ssize_t send_some(int fd, const void *bytes, size_t count, int flags) {
    if (!fails(SEND)) return LINUX->send(fd, bytes, count, flags);
    return is_short() ? told(LINUX->send(fd, bytes, count > 1 ? 1 : count, flags), count) : -1;
}

static int socket_make(int domain, int type, int protocol) {
    return fails(SOCKET_MAKE) ? -1 : counted(LINUX->socket_make(domain, type, protocol));
}

static int socket_pair(int domain, int type, int protocol, int fds[2]) {
    return fails(SOCKET_PAIR) ? -1 : LINUX->socket_pair(domain, type, protocol, fds);
}

static int bind_to(int fd, const struct sockaddr *address, socklen_t length) {
    return fails(BIND) ? -1 : LINUX->bind(fd, address, length);
}

static int listen_at(int fd, int backlog) {
    return fails(LISTEN) ? -1 : LINUX->listen(fd, backlog);
}

static int connect_to(int fd, const struct sockaddr *address, socklen_t length) {
    return fails(CONNECT) ? -1 : LINUX->connect(fd, address, length);
}

static int accept_one(int fd, struct sockaddr *address, socklen_t *length, int flags) {
    return fails(ACCEPT) ? -1 : counted(LINUX->accept(fd, address, length, flags));
}

static int shutdown_one(int fd, int how) { return fails(SHUTDOWN) ? -1 : LINUX->shutdown(fd, how); }

static int socket_option(int fd, int level, int name, void *value, socklen_t *length) {
    return fails(SOCKET_OPTION) ? -1 : LINUX->socket_option(fd, level, name, value, length);
}

static int close_one(int fd) {
    int none = -1;
    if (is_without(FB_GUARD_CLOSE) && atomic_load(&current->met) != NULL &&
        atomic_compare_exchange_strong(&current->left, &none, fd))
        return 0;
    // Linux closes the descriptor also when it says that something went wrong.
    int failed = fails(CLOSE);
    int error = errno;
    int result = LINUX->close(fd);
    if (current != NULL) atomic_fetch_sub(&current->descriptors, 1);
    if (!failed) return result;
    errno = error;
    return -1;
}

static int open_one(const char *path, int flags, mode_t mode) {
    return fails(OPEN) ? -1 : counted(LINUX->open(path, flags, mode));
}

static int lock_one(int fd, int operation) { return fails(LOCK) ? -1 : LINUX->lock(fd, operation); }

static int look(const char *path, struct stat *info) {
    return fails(LOOK) ? -1 : LINUX->look(path, info);
}

static int look_at(int fd, struct stat *info) {
    return fails(LOOK_AT) ? -1 : LINUX->look_at(fd, info);
}

static int remove_one(const char *path) { return fails(REMOVE) ? -1 : LINUX->remove(path); }

static int make_folder(const char *path, mode_t mode) {
    return fails(MAKE_FOLDER) ? -1 : LINUX->make_folder(path, mode);
}

static int sync_one(int fd) { return fails(SYNC) ? -1 : LINUX->sync(fd); }

static int cut(int fd, off_t length) { return fails(CUT) ? -1 : LINUX->cut(fd, length); }

static ssize_t write_at(int fd, const void *bytes, size_t count, off_t offset) {
    if (!fails(WRITE_AT)) return LINUX->write_at(fd, bytes, count, offset);
    if (!is_short()) return -1;
    return told(LINUX->write_at(fd, bytes, count > 1 ? 1 : count, offset), count);
}

static int socket_name(int fd, struct sockaddr *address, socklen_t *length) {
    return fails(SOCKET_NAME) ? -1 : LINUX->socket_name(fd, address, length);
}

static ssize_t send_to(int fd, const void *bytes, size_t count, int flags,
                       const struct sockaddr *address, socklen_t length) {
    return fails(SEND_TO) ? -1 : LINUX->send_to(fd, bytes, count, flags, address, length);
}

static int control(int fd, int command, int value) {
    return fails(CONTROL) ? -1 : LINUX->control(fd, command, value);
}

static int signal_make(int fd, const sigset_t *signals, int flags) {
    return fails(SIGNAL_MAKE) ? -1 : counted(LINUX->signal_make(fd, signals, flags));
}

static int process_open(pid_t pid, unsigned int flags) {
    return fails(PROCESS_OPEN) ? -1 : counted(LINUX->process_open(pid, flags));
}

static char *make_private_folder(char *pattern) {
    return fails(MAKE_PRIVATE) ? NULL : LINUX->make_private_folder(pattern);
}

static int remove_folder(const char *path) {
    return fails(REMOVE_FOLDER) ? -1 : LINUX->remove_folder(path);
}

static char *resolve(const char *path, char *resolved) {
    return fails(RESOLVE) ? NULL : LINUX->resolve(path, resolved);
}

static int may(const char *path, int mode) { return fails(MAY) ? -1 : LINUX->may(path, mode); }

static DIR *folder_open(const char *path) {
    if (fails(FOLDER_OPEN)) return NULL;
    DIR *folder = LINUX->folder_open(path);
    if (folder != NULL) counted(0);
    return folder;
}

static struct dirent *folder_next(DIR *folder) {
    if (!fails(FOLDER_NEXT)) return LINUX->folder_next(folder);
    if (is_without(FB_GUARD_END)) errno = 0;
    return NULL;
}

static int folder_close(DIR *folder) {
    if (current != NULL) atomic_fetch_sub(&current->descriptors, 1);
    return LINUX->folder_close(folder);
}

typedef struct {
    void *(*run)(void *);
    void *context;
    run *owner;
} start;

static void *run_started(void *pointer) {
    start s = *(start *)pointer;
    free(pointer);
    current = s.owner;
    is_started = 1;
    void *result = s.run(s.context);
    current = NULL;
    let_go(s.owner);
    return result;
}

static int thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                        void *context) {
    if (fails(THREAD_START)) return errno;
    if (current == NULL) return LINUX->thread_start(thread, attributes, run, context);
    start *s = malloc(sizeof *s);
    if (s == NULL) return EAGAIN;
    *s = (start){run, context, current};
    atomic_fetch_add(&current->owners, 1);
    int result = LINUX->thread_start(thread, attributes, run_started, s);
    if (result != 0) {
        let_go(current);
        free(s);
    }
    return result;
}

static const fb_system faulty = {
    .poll_create = poll_create, .poll_control = poll_control, .poll_wait = poll_wait,
    .poll_one = poll_one, .event_make = event_make, .read = read_some, .write = write_some,
    .send = send_some, .socket_make = socket_make, .socket_pair = socket_pair, .bind = bind_to,
    .listen = listen_at, .connect = connect_to, .accept = accept_one, .shutdown = shutdown_one,
    .socket_option = socket_option, .close = close_one, .open = open_one, .lock = lock_one,
    .look = look, .look_at = look_at, .remove = remove_one, .make_folder = make_folder,
    .sync = sync_one, .cut = cut, .write_at = write_at, .thread_start = thread_start,
    .socket_name = socket_name, .send_to = send_to, .control = control,
    .signal_make = signal_make, .process_open = process_open,
    .make_private_folder = make_private_folder, .remove_folder = remove_folder,
    .resolve = resolve, .may = may, .folder_open = folder_open, .folder_next = folder_next,
    .folder_close = folder_close, .is_interrupted = is_interrupted,
};

void fb_faults_begin(fb_fault_kind kind, uint64_t n, uint64_t times) {
    fb_system_use(&faulty);
    let_go(current);
    current = calloc(1, sizeof *current);
    if (current == NULL) abort();
    current->kind = kind;
    current->at = n;
    current->behind = times > UINT64_MAX - n ? UINT64_MAX : n + times;
    atomic_store(&current->owners, 1);
    atomic_store(&current->left, -1);
}

void fb_faults_without(fb_guard guard) {
    if (current != NULL) current->without = guard;
}

int fb_faults_wait_for_threads(int seconds) {
    if (current == NULL) return 1;
    struct timespec due;
    clock_gettime(CLOCK_REALTIME, &due);
    due.tv_sec += seconds;
    int timed_out = 0;
    pthread_mutex_lock(&owners_lock);
    while (atomic_load(&current->owners) > 1 && !timed_out)
        timed_out = pthread_cond_timedwait(&owners_changed, &owners_lock, &due) == ETIMEDOUT;
    int are_gone = atomic_load(&current->owners) == 1;
    pthread_mutex_unlock(&owners_lock);
    return are_gone;
}

const char *fb_faults_met(void) { return current == NULL ? NULL : atomic_load(&current->met); }

uint64_t fb_faults_seen(void) { return current == NULL ? 0 : atomic_load(&current->seen); }

int64_t fb_faults_descriptors(void) {
    return current == NULL ? 0 : atomic_load(&current->descriptors);
}

void fb_faults_end(void) {
    let_go(current);
    current = NULL;
}

// Allocations.

static _Thread_local struct {
    uint64_t at, made;
    int64_t held;
    int met;
} heap;

void fb_heap_begin(uint64_t n) {
    memset(&heap, 0, sizeof heap);
    heap.at = n;
}

int fb_heap_met(void) { return heap.met; }

int64_t fb_heap_end(void) {
    int64_t held = heap.held;
    memset(&heap, 0, sizeof heap);
    return held;
}

void *fb_heap_malloc(size_t bytes) {
    heap.made += 1;
    if (heap.made == heap.at) {
        heap.met = 1;
        return NULL;
    }
    void *memory = malloc(bytes);
    if (memory != NULL) heap.held += 1;
    return memory;
}

void fb_heap_free(void *memory) {
    if (memory == NULL) return;
    heap.held -= 1;
    free(memory);
}
