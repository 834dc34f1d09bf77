// What a measured connection asks for, again and again, and how it gets ready for that.
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdbool.h>
#include <sys/types.h>

#include "broker.h"

// The server under measurement.
struct target {
    const char *path; // of its socket
    pid_t process; // 0: not known, then no figure of its processor time or memory
    bool echo;     // the baseline: it needs no greeting and takes the same requests
    bool lines;    // line mode
};

enum work_kind {
    WORK_PING,    // one answer of the request's own size
    WORK_PERFORM, // taps an option, on and off in turn: an event, then the answer
    WORK_PUBLISH, // taps an option and wants no answer: the event goes to the subscribers
};

struct work {
    enum work_kind kind;
    struct message request;
    unsigned answers; // messages that come back for it
};

// The device that performs, and its view, are made when they are first needed.
struct work work_prepare(const struct target *target, enum work_kind kind);

// A connection that may send the requests: greeted, and for WORK_PERFORM subscribed.
int work_connect(const struct target *target, const struct work *work);

// A connection that gets the events of WORK_PUBLISH.
int work_connect_subscriber(const struct target *target);

// Sends one request and reads everything that belongs to it; its bytes stay in `answer`.
// Returns how many there are.
size_t work_once(int fd, const struct target *target, const struct work *work, uint8_t *answer,
                 size_t answer_max);

#endif
