// The same load for flowbridged and for a D-Bus message bus, by raw bytes on both sides:
//
//   dbus-load bridge|dbus churn|echo SOCKET SECONDS SERVER_PID
//
// churn: connect, say hello, read the welcome, close; what D-Bus says before it is ready (SASL and
// Hello) goes out in one write, as its own libraries do. echo: 1 KiB to the server and back; on
// D-Bus to oneself through the bus.

#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../load/measure.h"
#include "../wire/frames.h"
#include "../wire/unix_socket.h"

enum { PAYLOAD = 1024, MESSAGE_MAX = 4096, WARM_UP = 2000 };

struct bytes {
    uint8_t at[MESSAGE_MAX];
    size_t count;
};

static void append(struct bytes *bytes, const void *more, size_t count)
{
    memcpy(bytes->at + bytes->count, more, count);
    bytes->count += count;
}

static void read_some(int fd, struct bytes *bytes)
{
    ssize_t got = read(fd, bytes->at + bytes->count, sizeof bytes->at - bytes->count);
    if (got <= 0) {
        fprintf(stderr, "the server closed the connection\n");
        exit(1);
    }
    bytes->count += (size_t)got;
}

// flowbridged: frames of protobuf behind a length.

static void append_frame(struct bytes *bytes, const void *body, size_t count)
{
    uint8_t header[FRAME_HEADER];
    frame_header(header, (uint32_t)count);
    append(bytes, header, sizeof header);
    append(bytes, body, count);
}

static void read_frame(int fd)
{
    struct frame_counter counter = {0};
    for (size_t ended = 0; ended == 0;) {
        struct bytes bytes = {.count = 0};
        read_some(fd, &bytes);
        ended = frames_ended(&counter, bytes.at, bytes.count);
    }
}

// ClientFrame{id: 1, hello: {protocol_major: 1}}
static const uint8_t hello[] = {0x08, 0x01, 0x52, 0x02, 0x08, 0x01};
// ClientFrame{id: 1, ping: {payload: 1 024 bytes}}, up to the payload
static const uint8_t ping[] = {0x08, 0x01, 0x62, 0x83, 0x08, 0x0A, 0x80, 0x08};

// D-Bus: its specification, "Message Protocol". All of ours are little-endian.

static void align(struct bytes *bytes, size_t to)
{
    while (bytes->count % to != 0)
        bytes->at[bytes->count++] = 0;
}

static void append_u32(struct bytes *bytes, uint32_t value)
{
    align(bytes, 4);
    append(bytes, &value, sizeof value);
}

static void append_field(struct bytes *bytes, uint8_t code, char type, const char *text)
{
    align(bytes, 8);
    append(bytes, (uint8_t[]){code, 1, (uint8_t)type, 0}, 4);
    if (type == 'g')
        append(bytes, (uint8_t[]){(uint8_t)strlen(text)}, 1);
    else
        append_u32(bytes, (uint32_t)strlen(text));
    append(bytes, text, strlen(text) + 1);
}

// A call of `member` at a peer; with a body of bytes it wants no reply.
static struct bytes method_call(const char *peer, const char *member, const void *body, size_t count)
{
    struct bytes bytes = {.count = 0};
    append(&bytes, (uint8_t[]){'l', 1, count ? 1 : 0, 1}, 4);
    append_u32(&bytes, count ? (uint32_t)(4 + count) : 0);
    append_u32(&bytes, 1);
    append_u32(&bytes, 0);
    append_field(&bytes, 1, 'o', "/org/freedesktop/DBus");
    append_field(&bytes, 2, 's', "org.freedesktop.DBus");
    append_field(&bytes, 3, 's', member);
    append_field(&bytes, 6, 's', peer);
    if (count)
        append_field(&bytes, 8, 'g', "ay");
    uint32_t fields = (uint32_t)bytes.count - 16;
    memcpy(bytes.at + 12, &fields, sizeof fields);
    align(&bytes, 8);
    if (count) {
        append_u32(&bytes, (uint32_t)count);
        append(&bytes, body, count);
    }
    return bytes;
}

static uint32_t u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

// The size of the message that begins there; 0 while it is not there as a whole.
static size_t message_size(const uint8_t *at, size_t count)
{
    if (count < 16)
        return 0;
    size_t size = 16 + (u32(at + 12) + 7) / 8 * 8 + u32(at + 4);
    return count < size ? 0 : size;
}

static struct bytes dbus_greeting(void)
{
    struct bytes bytes = {.count = 0};
    char user[32], words[128];
    snprintf(user, sizeof user, "%u", getuid());
    size_t count = 1 + (size_t)sprintf(words + 1, "AUTH EXTERNAL ");
    words[0] = 0;
    for (const char *digit = user; *digit; digit++)
        count += (size_t)sprintf(words + count, "%02x", *digit);
    count += (size_t)sprintf(words + count, "\r\nBEGIN\r\n");
    append(&bytes, words, count);
    struct bytes call = method_call("org.freedesktop.DBus", "Hello", NULL, 0);
    append(&bytes, call.at, call.count);
    return bytes;
}

// Reads the server's OK and two messages: the reply to Hello, and the signal NameAcquired. Writes
// the name that it got.
static void dbus_welcome(int fd, char name[64])
{
    struct bytes bytes = {.count = 0};
    size_t at = 0;
    for (unsigned ended = 0; ended < 2;) {
        read_some(fd, &bytes);
        const uint8_t *line = memchr(bytes.at, '\n', bytes.count);
        if (line != NULL && at == 0)
            at = (size_t)(line - bytes.at) + 1;
        size_t size;
        while (at > 0 && (size = message_size(bytes.at + at, bytes.count - at)) > 0) {
            // Both have the name as their only argument.
            snprintf(name, 64, "%s", bytes.at + at + size - u32(bytes.at + at + 4) + 4);
            at += size;
            ended++;
        }
    }
}

static void dbus_read(int fd)
{
    struct bytes bytes = {.count = 0};
    while (message_size(bytes.at, bytes.count) == 0)
        read_some(fd, &bytes);
}

struct side {
    bool dbus;
    const char *path;
    struct bytes greeting, echo;
};

static int greeted(const struct side *side, char name[64])
{
    int fd = socket_connect(side->path);
    if (!write_all(fd, side->greeting.at, side->greeting.count))
        fail("write");
    if (side->dbus)
        dbus_welcome(fd, name);
    else
        read_frame(fd);
    return fd;
}

static void cycle(const struct side *side)
{
    char name[64];
    close(greeted(side, name));
}

static void echo(const struct side *side, int fd)
{
    if (!write_all(fd, side->echo.at, side->echo.count))
        fail("write");
    if (side->dbus)
        dbus_read(fd);
    else
        read_frame(fd);
}

static struct side prepare(bool dbus, const char *path)
{
    struct side side = {.dbus = dbus, .path = path};
    if (dbus) {
        side.greeting = dbus_greeting();
        return side;
    }
    append_frame(&side.greeting, hello, sizeof hello);
    uint8_t body[sizeof ping + PAYLOAD];
    memset(body, 'x', sizeof body);
    memcpy(body, ping, sizeof ping);
    append_frame(&side.echo, body, sizeof body);
    return side;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fputs("usage: dbus-load bridge|dbus churn|echo SOCKET SECONDS SERVER_PID\n", stderr);
        return 2;
    }
    bool echoes = strcmp(argv[2], "echo") == 0;
    struct side side = prepare(strcmp(argv[1], "dbus") == 0, argv[3]);
    char name[64];
    int fd = echoes ? greeted(&side, name) : -1;
    if (echoes && side.dbus) {
        uint8_t body[PAYLOAD];
        memset(body, 'x', sizeof body);
        side.echo = method_call(name, "Echo", body, sizeof body);
    }
    for (unsigned turn = 0; turn < WARM_UP; turn++)
        echoes ? echo(&side, fd) : cycle(&side);
    pid_t server = atoi(argv[5]);
    struct stretch stretch;
    stretch_start(&stretch, server);
    uint64_t until = stretch.started_ns + (uint64_t)(strtod(argv[4], NULL) * 1e9);
    for (uint64_t before = stretch.started_ns, after; before < until; before = after) {
        echoes ? echo(&side, fd) : cycle(&side);
        after = now_ns();
        samples_add(&stretch.latencies, after - before);
        stretch.requests++;
    }
    stretch_report(&stretch, server);
}
