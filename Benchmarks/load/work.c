#define _GNU_SOURCE
#include "work.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../wire/frames.h"
#include "../wire/unix_socket.h"

static char device[] = "bench";

// A multi-choice group: each tap on the option changes what is selected, and is reported.
static char group[] = "interests", option[] = "sports";

enum { PING_PAYLOAD = 90, REQUEST_ID = 12345 };

static struct message ping_frame(void)
{
    uint8_t payload[PING_PAYLOAD];
    memset(payload, 'x', sizeof payload);
    Flowbridge__V1__PingRequest request = FLOWBRIDGE__V1__PING_REQUEST__INIT;
    request.payload = (ProtobufCBinaryData){sizeof payload, payload};
    Flowbridge__V1__ClientFrame frame = FLOWBRIDGE__V1__CLIENT_FRAME__INIT;
    frame.id = REQUEST_ID;
    frame.body_case = FLOWBRIDGE__V1__CLIENT_FRAME__BODY_PING;
    frame.ping = &request;
    return pack_frame(&frame);
}

static struct message tap_frame(uint64_t id, char *view_id)
{
    Flowbridge__V1__TapOptionGesture gesture = FLOWBRIDGE__V1__TAP_OPTION_GESTURE__INIT;
    gesture.element_id = group;
    gesture.option_id = option;
    Flowbridge__V1__PerformRequest request = FLOWBRIDGE__V1__PERFORM_REQUEST__INIT;
    request.view_id = view_id;
    request.gesture_case = FLOWBRIDGE__V1__PERFORM_REQUEST__GESTURE_TAP_OPTION;
    request.tap_option = &gesture;
    Flowbridge__V1__ClientFrame frame = FLOWBRIDGE__V1__CLIENT_FRAME__INIT;
    frame.id = id;
    frame.body_case = FLOWBRIDGE__V1__CLIENT_FRAME__BODY_PERFORM;
    frame.perform = &request;
    return pack_frame(&frame);
}

static struct message line(const char *format, ...) __attribute__((format(printf, 1, 2)));

static struct message line(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int count = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (count < 0)
        fail("vasprintf");
    return (struct message){(uint8_t *)text, (size_t)count};
}

static struct message ping_line(void)
{
    // 120 characters of base64 are the 90 bytes of the binary form.
    char payload[PING_PAYLOAD / 3 * 4 + 1];
    memset(payload, 'x', sizeof payload - 1);
    payload[sizeof payload - 1] = 0;
    return line("{\"id\":%d,\"ping\":{\"payload\":\"%s\"}}\n", REQUEST_ID, payload);
}

static struct message tap_line(const char *view_id)
{
    return line("{\"id\":%d,\"perform\":{\"viewId\":\"%s\",\"tapOption\":"
                "{\"elementId\":\"%s\",\"optionId\":\"%s\"}}}\n",
                REQUEST_ID, view_id, group, option);
}

static char *open_view(const struct target *target)
{
    static char view_id[VIEW_ID_MAX];
    if (*view_id)
        return view_id;
    if (target->echo) {
        // The baseline gets requests of the same size.
        strcpy(view_id, "00000000-0000-4000-8000-000000000000");
        return view_id;
    }
    int fd = broker_connect(target->path);
    broker_open_session(fd, device, view_id);
    broker_go_to_quiz(fd, view_id);
    close(fd); // a view belongs to its device and stays
    return view_id;
}

struct work work_prepare(const struct target *target, enum work_kind kind)
{
    struct work work = {.kind = kind, .answers = kind == WORK_PERFORM ? 2 : 1};
    if (kind == WORK_PING)
        work.request = target->lines ? ping_line() : ping_frame();
    else if (target->lines)
        work.request = tap_line(open_view(target));
    else
        work.request = tap_frame(kind == WORK_PUBLISH ? 0 : REQUEST_ID, open_view(target));
    return work;
}

// Sends something and reads until as many messages have come back.
static size_t exchange(int fd, bool lines, struct message request, unsigned messages,
                       uint8_t *answer, size_t answer_max)
{
    if (!write_all(fd, request.bytes, request.count))
        fail("write");
    struct frame_counter counter = {.lines = lines};
    size_t bytes = 0;
    for (unsigned ended = 0; ended < messages;) {
        ssize_t got = read(fd, answer + bytes, answer_max - bytes);
        if (got <= 0) {
            fprintf(stderr, "the connection was closed, or an answer has over %zu bytes\n",
                    answer_max);
            exit(1);
        }
        ended += (unsigned)frames_ended(&counter, answer + bytes, (size_t)got);
        bytes += (size_t)got;
    }
    return bytes;
}

static void attach_by_lines(int fd)
{
    uint8_t answer[8192];
    struct message request = line("{\"id\":1,\"openDevice\":{\"device\":\"%s\"}}\n"
                                  "{\"id\":2,\"subscribe\":{\"device\":\"%s\"}}\n",
                                  device, device);
    exchange(fd, true, request, 2, answer, sizeof answer);
    free(request.bytes);
}

int work_connect(const struct target *target, const struct work *work)
{
    if (target->echo || (target->lines && work->kind == WORK_PING))
        return socket_connect(target->path);
    if (target->lines) {
        int fd = socket_connect(target->path);
        attach_by_lines(fd);
        return fd;
    }
    int fd = broker_connect(target->path);
    if (work->kind != WORK_PING)
        broker_open_device(fd, device);
    if (work->kind == WORK_PERFORM)
        broker_subscribe(fd, device);
    return fd;
}

int work_connect_subscriber(const struct target *target)
{
    if (!target->echo) {
        int fd = broker_connect(target->path);
        broker_subscribe(fd, device);
        return fd;
    }
    int fd = socket_connect(target->path);
    uint8_t request[FRAME_HEADER + 1] = "....S", answer[sizeof request];
    frame_header(request, 1);
    exchange(fd, false, (struct message){request, sizeof request}, 1, answer, sizeof answer);
    return fd;
}

size_t work_once(int fd, const struct target *target, const struct work *work, uint8_t *answer,
                 size_t answer_max)
{
    return exchange(fd, target->lines, work->request, work->answers, answer, answer_max);
}
