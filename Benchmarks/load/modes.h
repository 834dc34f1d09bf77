// The ways to put load on a server. Each prints one line of name=value.
#ifndef BENCH_MODES_H
#define BENCH_MODES_H

#include "work.h"

struct load {
    struct target target;
    enum work_kind kind;
    double seconds;      // of measurement
    unsigned count;      // connections, subscribers, sessions, starts or placements
    unsigned in_flight;  // requests that wait for their answer at a time, on each connection
    unsigned sessions;   // live sessions to open before the measurement
    unsigned events;     // events to record before the measurement
    char **command;      // of the server, for mode start
};

// One request after another on one connection: p50 and p99.
void mode_round_trip(const struct load *load);

// As round trips: get_flow of `count` placements p0, p1, … in turn.
void mode_get_flow(const struct load *load);

// `count` connections with `in_flight` requests each: the rate.
void mode_in_flight(const struct load *load);

// `count` subscribers of one publisher, `in_flight` events at a time: the rate of deliveries.
void mode_fan_out(const struct load *load);

// The memory that `count` connections, or live sessions, take.
void mode_hold_connections(const struct load *load);
void mode_hold_sessions(const struct load *load);

// From the start of the server's process to its first answer, `count` times.
void mode_start(const struct load *load);

// The bytes of a request and of each message of its answer, for the baseline's --answer.
void mode_sizes(const struct load *load);

// Brings the server into the state that `sessions` and `events` ask for.
void load_prepare(const struct load *load);

// Records `events` events without measuring; a part of load_prepare.
void record_events(const struct load *load);

#endif
