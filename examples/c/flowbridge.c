#define _GNU_SOURCE
#include "flowbridge.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define GRACE_S 0.1 /* a call returns at its deadline plus this, whatever the broker does */

struct queued {
    struct queued *next;
    ServerFrame *frame;
};

struct bridge {
    int fd;
    uint64_t last_id;
    size_t length; /* bytes in the buffer */
    uint8_t buffer[4 + BRIDGE_FRAME_MAX];
    ServerFrame *welcome, *reply, *event;
    struct queued *first, **end;
    struct bridge_error error;
};

static _Thread_local char failure[512];

const char *bridge_failure(void) { return failure; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Where the broker listens */

bool bridge_default_path(char path[4096], char why[512]) {
    const char *named = getenv("FLOWBRIDGE_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
    const char *temporary = getenv("TMPDIR");
    if (named && *named) {
        snprintf(path, 4096, "%s", named);
        return true;
    }
    if (runtime && *runtime) {
        snprintf(path, 4096, "%s/flowbridge/bridge.sock", runtime);
        return true;
    }
    /* Others can write to /tmp: the folder has to be ours alone. */
    snprintf(path, 4096, "%s/flowbridge-%u", temporary && *temporary ? temporary : "/tmp",
             geteuid());
    struct stat found;
    if (lstat(path, &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid() ||
        (found.st_mode & 077)) {
        snprintf(why, 512, "%.400s must be a folder of uid %u with mode 0700", path, geteuid());
        return false;
    }
    strncat(path, "/bridge.sock", 4095 - strlen(path));
    return true;
}

/* The broker has to be ours or root's: the kernel says who it is. */
static bool peer_is_trusted(int fd, const char *path, char why[512]) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
        (peer.uid == geteuid() || peer.uid == 0))
        return true;
    snprintf(why, 512, "%s is served by uid %u, not by %u or root", path, peer.uid, geteuid());
    return false;
}

int bridge_connect(const char *path, char why[512]) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length > BRIDGE_PATH_MAX) {
        snprintf(why, 512, "the path has %zu bytes; a socket path has at most 107", length);
        return -1;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') /* the abstract namespace */
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, size) != 0)
        snprintf(why, 512, "%s: %s", path, strerror(errno));
    else if (peer_is_trusted(fd, path, why))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Bytes */

/* Waits until the socket can be used, at the latest until `until`. */
static bool wait_for(struct bridge *bridge, short events, double until) {
    double left = until - now();
    struct pollfd poll_fd = {.fd = bridge->fd, .events = events};
    return poll(&poll_fd, 1, left > 0 ? (int)(left * 1000) + 1 : 0) > 0;
}

static bool lost(struct bridge *bridge, int code, const char *name, const char *message) {
    bridge->error = (struct bridge_error){.code = code, .retryable = true};
    snprintf(bridge->error.name, sizeof bridge->error.name, "%s", name);
    snprintf(bridge->error.message, sizeof bridge->error.message, "%s", message);
    return false;
}

static bool unavailable(struct bridge *bridge, const char *message) {
    return lost(bridge, FLOWBRIDGE__V1__ERROR__BRIDGE__UNAVAILABLE, "UNAVAILABLE", message);
}

static bool timed_out(struct bridge *bridge) {
    return lost(bridge, FLOWBRIDGE__V1__ERROR__BRIDGE__DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED",
                "no answer in time");
}

/* A frame is its length in four bytes, the highest first, and the message. */
static bool send_frame(struct bridge *bridge, const ClientFrame *frame, double until) {
    size_t size = flowbridge__v1__client_frame__get_packed_size(frame), sent = 0;
    uint8_t *bytes = malloc(4 + size);
    uint32_t length = htonl((uint32_t)size);
    memcpy(bytes, &length, 4);
    flowbridge__v1__client_frame__pack(frame, bytes + 4);
    bool well = true;
    while (well && sent < 4 + size) {
        ssize_t count =
            send(bridge->fd, bytes + sent, 4 + size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0)
            sent += (size_t)count;
        else if (errno != EAGAIN && errno != EINTR)
            well = unavailable(bridge, strerror(errno));
        else
            well = wait_for(bridge, POLLOUT, until) || timed_out(bridge);
    }
    free(bytes);
    if (!well && sent > 0)
        shutdown(bridge->fd, SHUT_RDWR); /* no other frame can follow a part of one */
    return well;
}

/* The bytes that the buffer has to hold before it has a whole frame; 0: no frame can be read. */
static size_t frame_end(const struct bridge *bridge) {
    uint32_t length;
    if (bridge->length < 4)
        return 4;
    memcpy(&length, bridge->buffer, 4);
    length = ntohl(length);
    return length >= 1 && length <= BRIDGE_FRAME_MAX ? 4 + (size_t)length : 0;
}

static ServerFrame *receive_frame(struct bridge *bridge, double until) {
    size_t end;
    while ((end = frame_end(bridge)) > bridge->length || end == 4) {
        if (!wait_for(bridge, POLLIN, until)) {
            timed_out(bridge);
            return NULL;
        }
        ssize_t count = recv(bridge->fd, bridge->buffer + bridge->length,
                             sizeof bridge->buffer - bridge->length, 0);
        if (count <= 0) {
            unavailable(bridge, "the broker closed the connection");
            return NULL;
        }
        bridge->length += (size_t)count;
    }
    ServerFrame *frame =
        end ? flowbridge__v1__server_frame__unpack(NULL, end - 4, bridge->buffer + 4) : NULL;
    if (!frame) {
        unavailable(bridge, "the broker sent what is no frame");
        return NULL;
    }
    bridge->length -= end;
    memmove(bridge->buffer, bridge->buffer + end, bridge->length);
    return frame;
}

/* Calls and events */

static void keep_error(struct bridge *bridge, const Flowbridge__V1__Error *error) {
    struct bridge_error *kept = &bridge->error;
    *kept = (struct bridge_error){.is_sdk = error->sdk != NULL, .retryable = error->retryable};
    const ProtobufCEnumValue *known = protobuf_c_enum_descriptor_get_value(
        &flowbridge__v1__error__bridge__descriptor, (int)error->bridge);
    kept->code = error->sdk ? error->sdk->code : (int)error->bridge;
    snprintf(kept->name, sizeof kept->name, "%s",
             error->sdk ? error->sdk->name : known ? known->name : "INTERNAL");
    snprintf(kept->field, sizeof kept->field, "%s", error->field);
    snprintf(kept->message, sizeof kept->message, "%s", error->message);
}

/* Keeps an event for later, and drops the late answer of a call that was given up. False: the
 * broker speaks of the connection itself, which is over. */
static bool sort_frame(struct bridge *bridge, ServerFrame *frame) {
    if (frame->body_case == FLOWBRIDGE__V1__SERVER_FRAME__BODY_EVENT) {
        struct queued *entry = calloc(1, sizeof *entry);
        entry->frame = frame;
        *bridge->end = entry;
        bridge->end = &entry->next;
        return true;
    }
    bool fault = frame->id == 0 && frame->body_case == FLOWBRIDGE__V1__SERVER_FRAME__BODY_ERROR;
    if (fault)
        keep_error(bridge, frame->error);
    flowbridge__v1__server_frame__free_unpacked(frame, NULL);
    return !fault;
}

static void give_up(struct bridge *bridge, uint64_t id) {
    Flowbridge__V1__CancelRequest cancel = FLOWBRIDGE__V1__CANCEL_REQUEST__INIT;
    ClientFrame frame = FLOWBRIDGE__V1__CLIENT_FRAME__INIT; /* id 0: wants no answer */
    cancel.id = id;
    frame.body_case = FLOWBRIDGE__V1__CLIENT_FRAME__BODY_CANCEL;
    frame.cancel = &cancel;
    send_frame(bridge, &frame, now());
    timed_out(bridge);
}

const ServerFrame *bridge_call(struct bridge *bridge, ClientFrame *request, double timeout_s) {
    double until = now() + timeout_s + GRACE_S;
    request->id = ++bridge->last_id;
    request->deadline_ms = timeout_s < 0.001 ? 1 : (uint32_t)(timeout_s * 1000);
    flowbridge__v1__server_frame__free_unpacked(bridge->reply, NULL);
    bridge->reply = NULL;
    if (!send_frame(bridge, request, until))
        return NULL;
    ServerFrame *frame;
    while ((frame = receive_frame(bridge, until)) && frame->id != request->id) {
        if (!sort_frame(bridge, frame))
            return NULL;
        if (now() > until) { /* events keep coming, the answer does not */
            frame = NULL;
            timed_out(bridge);
            break;
        }
    }
    if (!frame) {
        if (bridge->error.code == FLOWBRIDGE__V1__ERROR__BRIDGE__DEADLINE_EXCEEDED)
            give_up(bridge, request->id);
        return NULL;
    }
    bridge->reply = frame;
    if (frame->body_case != FLOWBRIDGE__V1__SERVER_FRAME__BODY_ERROR)
        return frame;
    keep_error(bridge, frame->error);
    return NULL;
}

const struct bridge_error *bridge_last_error(const struct bridge *bridge) { return &bridge->error; }

const Event *bridge_next_event(struct bridge *bridge, double timeout_s) {
    double until = now() + timeout_s;
    flowbridge__v1__server_frame__free_unpacked(bridge->event, NULL);
    bridge->event = NULL;
    while (!bridge->first) {
        ServerFrame *frame = receive_frame(bridge, until);
        if (!frame || !sort_frame(bridge, frame))
            return NULL;
    }
    struct queued *entry = bridge->first;
    bridge->event = entry->frame;
    if (!(bridge->first = entry->next))
        bridge->end = &bridge->first;
    free(entry);
    return bridge->event->event;
}

/* Opening and closing */

static bool greet(struct bridge *bridge, const char *client_name) {
    Flowbridge__V1__HelloRequest hello = FLOWBRIDGE__V1__HELLO_REQUEST__INIT;
    hello.protocol_major = 1;
    hello.protocol_minor = 1;
    hello.client_name = (char *)client_name;
    hello.max_frame = BRIDGE_FRAME_MAX;
    if (!BRIDGE_CALL(bridge, HELLO, hello, &hello))
        return false;
    bridge->welcome = bridge->reply;
    bridge->reply = NULL;
    return bridge->welcome->body_case == FLOWBRIDGE__V1__SERVER_FRAME__BODY_WELCOME;
}

struct bridge *bridge_open(const char *client_name, const char *path) {
    char standard[4096];
    if (!path && !bridge_default_path(standard, failure))
        return NULL;
    int fd = bridge_connect(path ? path : standard, failure);
    if (fd < 0)
        return NULL;
    struct bridge *bridge = calloc(1, sizeof *bridge);
    bridge->fd = fd;
    bridge->end = &bridge->first;
    if (greet(bridge, client_name))
        return bridge;
    snprintf(failure, sizeof failure, "%s", bridge->error.message);
    bridge_close(bridge);
    return NULL;
}

const Flowbridge__V1__WelcomeReply *bridge_welcome(const struct bridge *bridge) {
    return bridge->welcome->welcome;
}

void bridge_close(struct bridge *bridge) {
    if (!bridge)
        return;
    close(bridge->fd);
    flowbridge__v1__server_frame__free_unpacked(bridge->welcome, NULL);
    flowbridge__v1__server_frame__free_unpacked(bridge->reply, NULL);
    flowbridge__v1__server_frame__free_unpacked(bridge->event, NULL);
    for (struct queued *entry = bridge->first, *next; entry; entry = next) {
        next = entry->next;
        flowbridge__v1__server_frame__free_unpacked(entry->frame, NULL);
        free(entry);
    }
    free(bridge);
}
