#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../wire/unix_socket.h"
#include "measure.h"
#include "modes.h"

static void open_sessions(const char *path, unsigned count)
{
    int fd = broker_connect(path);
    for (unsigned i = 0; i < count; i++) {
        char device[32], view_id[VIEW_ID_MAX];
        snprintf(device, sizeof device, "session-%u", i);
        broker_open_session(fd, device, view_id);
    }
    close(fd);
}

void load_prepare(const struct load *load)
{
    if (load->sessions > 0)
        open_sessions(load->target.path, load->sessions);
    if (load->events > 0)
        record_events(load);
}

static void report_growth(const struct load *load, uint64_t before)
{
    uint64_t after = anonymous_bytes(load->target.process);
    double each = ((double)after - (double)before) / load->count;
    printf("count=%u before=%ju after=%ju bytes_each=%.1f\n", load->count,
           (uintmax_t)before, (uintmax_t)after, each);
}

void mode_hold_connections(const struct load *load)
{
    struct work work = work_prepare(&load->target, WORK_PING);
    uint8_t answer[4096];
    int first = work_connect(&load->target, &work); // what a server sets up once is not counted
    work_once(first, &load->target, &work, answer, sizeof answer);
    uint64_t before = anonymous_bytes(load->target.process);
    for (unsigned i = 0; i < load->count; i++) {
        int fd = work_connect(&load->target, &work);
        work_once(fd, &load->target, &work, answer, sizeof answer);
    }
    report_growth(load, before);
}

void mode_hold_sessions(const struct load *load)
{
    work_prepare(&load->target, WORK_PERFORM); // the first session is not counted
    uint64_t before = anonymous_bytes(load->target.process);
    open_sessions(load->target.path, load->count);
    report_growth(load, before);
}
