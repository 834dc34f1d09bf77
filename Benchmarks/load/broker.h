// The broker's side of the preparations: greeting, a session, a subscription. These calls wait
// for their answers and are not measured.
#ifndef BENCH_BROKER_H
#define BENCH_BROKER_H

#include <stddef.h>
#include <stdint.h>

#include "flowbridge/v1/frame.pb-c.h"

// The bytes of one request, ready to be written.
struct message {
    uint8_t *bytes;
    size_t count;
};

struct message pack_frame(const Flowbridge__V1__ClientFrame *frame);

// Sends a request and returns its answer, to be freed with
// flowbridge__v1__server_frame__free_unpacked. Events before it are dropped. An error ends the
// program with its message.
Flowbridge__V1__ServerFrame *broker_call(int fd, Flowbridge__V1__ClientFrame *frame);

// A connection that was greeted.
int broker_connect(const char *path);

void broker_open_device(int fd, const char *device);
void broker_subscribe(int fd, const char *device);
void broker_activate(int fd);
// The caller frees the answer.
Flowbridge__V1__ServerFrame *broker_get_flow(int fd, char *placement_id);

enum { VIEW_ID_MAX = 64 };

// One live session: opens the device, activates the SDK, and presents the sample flow.
void broker_open_session(int fd, const char *device, char view_id[VIEW_ID_MAX]);

// Goes on to the screen of the quiz, which has options to tap.
void broker_go_to_quiz(int fd, char *view_id);

#endif
