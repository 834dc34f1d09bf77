#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "../wire/frames.h"
#include "../wire/unix_socket.h"
#include "measure.h"
#include "modes.h"

enum { READ_BYTES = 1 << 18, EVENTS_MAX = 1024 };

struct pipe {
    int fd;
    struct frame_counter answers;
    size_t unpaired; // messages of an answer that is not complete
};

// The request of the work, as often as it may be in flight, laid out for one write.
static uint8_t *lay_out(const struct work *work, unsigned in_flight)
{
    uint8_t *batch = malloc(in_flight * work->request.count);
    if (batch == NULL)
        fail("malloc");
    for (unsigned i = 0; i < in_flight; i++)
        memcpy(batch + i * work->request.count, work->request.bytes, work->request.count);
    return batch;
}

static void send_batch(int fd, const uint8_t *batch, const struct work *work, size_t requests)
{
    if (!write_all(fd, batch, requests * work->request.count))
        fail("write");
}

// Reads what is there; returns how many messages ended. A closed connection ends the program.
static size_t read_messages(struct pipe *pipe)
{
    static uint8_t bytes[READ_BYTES];
    ssize_t count = read(pipe->fd, bytes, sizeof bytes);
    if (count <= 0) {
        fprintf(stderr, "the server closed a connection under load\n");
        exit(1);
    }
    return frames_ended(&pipe->answers, bytes, (size_t)count);
}

static struct pipe *open_pipes(int epoll, unsigned count, const struct load *load,
                               const struct work *work, bool subscribers)
{
    struct pipe *pipes = calloc(count, sizeof *pipes);
    if (pipes == NULL || epoll < 0)
        fail("calloc");
    for (unsigned i = 0; i < count; i++) {
        pipes[i].fd = subscribers ? work_connect_subscriber(&load->target)
                                  : work_connect(&load->target, work);
        pipes[i].answers.lines = load->target.lines;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &pipes[i]};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[i].fd, &event) < 0)
            fail("epoll_ctl");
    }
    return pipes;
}

static int wait_for_input(int epoll, struct epoll_event *events)
{
    int count = epoll_wait(epoll, events, EVENTS_MAX, 10000);
    if (count > 0)
        return count;
    fprintf(stderr, "nothing came for 10 s\n");
    exit(1);
}

// Keeps the pipes full until the time is up or as many requests were answered.
static void keep_full(int epoll, const uint8_t *batch, const struct work *work,
                      struct stretch *stretch, uint64_t until_ns, uint64_t requests_max)
{
    struct epoll_event events[EVENTS_MAX];
    while (now_ns() < until_ns && stretch->requests < requests_max) {
        int count = wait_for_input(epoll, events);
        for (int i = 0; i < count; i++) {
            struct pipe *pipe = events[i].data.ptr;
            pipe->unpaired += read_messages(pipe);
            size_t answered = pipe->unpaired / work->answers;
            pipe->unpaired %= work->answers;
            stretch->requests += answered;
            send_batch(pipe->fd, batch, work, answered);
        }
    }
}

void mode_in_flight(const struct load *load)
{
    load_prepare(load);
    struct work work = work_prepare(&load->target, load->kind);
    uint8_t *batch = lay_out(&work, load->in_flight);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct pipe *pipes = open_pipes(epoll, load->count, load, &work, false);

    struct stretch stretch;
    stretch_start(&stretch, load->target.process);
    for (unsigned i = 0; i < load->count; i++)
        send_batch(pipes[i].fd, batch, &work, load->in_flight);
    uint64_t until = stretch.started_ns + (uint64_t)(load->seconds * 1e9);
    keep_full(epoll, batch, &work, &stretch, until, UINT64_MAX);
    stretch_report(&stretch, load->target.process);
}

void mode_fan_out(const struct load *load)
{
    struct work work = work_prepare(&load->target, WORK_PUBLISH);
    uint8_t *batch = lay_out(&work, load->in_flight);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    open_pipes(epoll, load->count, load, &work, true);
    int publisher = work_connect(&load->target, &work);

    struct stretch stretch;
    stretch_start(&stretch, load->target.process);
    uint64_t until = stretch.started_ns + (uint64_t)(load->seconds * 1e9);
    struct epoll_event events[EVENTS_MAX];
    while (now_ns() < until) {
        send_batch(publisher, batch, &work, load->in_flight);
        uint64_t missing = (uint64_t)load->count * load->in_flight;
        while (missing > 0) {
            int count = wait_for_input(epoll, events);
            for (int i = 0; i < count; i++) {
                size_t delivered = read_messages(events[i].data.ptr);
                missing -= delivered;
                stretch.requests += delivered;
            }
        }
    }
    stretch_report(&stretch, load->target.process);
}

// Records as many events as the load asks for, without measuring.
void record_events(const struct load *load)
{
    enum { IN_FLIGHT = 64 };
    struct load filling = *load;
    filling.target.lines = false;
    struct work work = work_prepare(&filling.target, WORK_PERFORM);
    uint8_t *batch = lay_out(&work, IN_FLIGHT);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct pipe *pipe = open_pipes(epoll, 1, &filling, &work, false);
    struct stretch stretch = {0};
    send_batch(pipe->fd, batch, &work, IN_FLIGHT);
    keep_full(epoll, batch, &work, &stretch, UINT64_MAX, load->events);
    close(pipe->fd);
}
