#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../wire/frames.h"
#include "../wire/unix_socket.h"
#include "measure.h"
#include "modes.h"

enum { ANSWER_MAX = 65536, WARM_UP = 3000 };

// A request for each placement of a catalog whose placements are p0, p1, …; each was answered once.
static struct message *get_flow_frames(int fd, unsigned placements)
{
    struct message *frames = malloc(placements * sizeof *frames);
    if (frames == NULL)
        fail("malloc");
    for (unsigned i = 0; i < placements; i++) {
        char placement[16];
        snprintf(placement, sizeof placement, "p%u", i);
        flowbridge__v1__server_frame__free_unpacked(broker_get_flow(fd, placement), NULL);
        Flowbridge__V1__GetFlowRequest request = FLOWBRIDGE__V1__GET_FLOW_REQUEST__INIT;
        request.placement_id = placement;
        Flowbridge__V1__ClientFrame frame = FLOWBRIDGE__V1__CLIENT_FRAME__INIT;
        frame.id = 1;
        frame.body_case = FLOWBRIDGE__V1__CLIENT_FRAME__BODY_GET_FLOW;
        frame.get_flow = &request;
        frames[i] = pack_frame(&frame);
    }
    return frames;
}

static void exchange(int fd, struct message request)
{
    uint8_t answer[ANSWER_MAX];
    if (!write_all(fd, request.bytes, request.count))
        fail("write");
    struct frame_counter counter = {0};
    for (size_t ended = 0; ended == 0;) {
        ssize_t got = read(fd, answer, sizeof answer);
        if (got <= 0)
            fail("read");
        ended = frames_ended(&counter, answer, (size_t)got);
    }
}

void mode_get_flow(const struct load *load)
{
    int fd = broker_connect(load->target.path);
    broker_open_device(fd, "bench");
    broker_activate(fd);
    struct message *frames = get_flow_frames(fd, load->count);
    for (unsigned turn = 0; turn < WARM_UP; turn++)
        exchange(fd, frames[turn % load->count]);

    struct stretch stretch;
    stretch_start(&stretch, load->target.process);
    uint64_t until = stretch.started_ns + (uint64_t)(load->seconds * 1e9);
    for (uint64_t before = stretch.started_ns, after; before < until; before = after) {
        exchange(fd, frames[stretch.requests % load->count]);
        after = now_ns();
        samples_add(&stretch.latencies, after - before);
        stretch.requests++;
    }
    stretch_report(&stretch, load->target.process);
}
