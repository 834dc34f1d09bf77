#include <stdio.h>

#include "../wire/frames.h"
#include "measure.h"
#include "modes.h"

enum { ANSWER_MAX = 65536, WARM_UP = 2000 };

void mode_round_trip(const struct load *load)
{
    load_prepare(load);
    struct work work = work_prepare(&load->target, load->kind);
    int fd = work_connect(&load->target, &work);
    uint8_t answer[ANSWER_MAX];
    for (unsigned turn = 0; turn < WARM_UP; turn++)
        work_once(fd, &load->target, &work, answer, sizeof answer);

    struct stretch stretch;
    stretch_start(&stretch, load->target.process);
    uint64_t until = stretch.started_ns + (uint64_t)(load->seconds * 1e9);
    for (uint64_t before = stretch.started_ns, after; before < until; before = after) {
        work_once(fd, &load->target, &work, answer, sizeof answer);
        after = now_ns();
        samples_add(&stretch.latencies, after - before);
        stretch.requests++;
    }
    stretch_report(&stretch, load->target.process);
}

// The size of the message at `bytes`, header or line feed included.
static size_t message_size(const uint8_t *bytes, size_t count, bool lines)
{
    struct frame_counter counter = {.lines = lines};
    size_t size = 1;
    while (size < count && frames_ended(&counter, bytes + size - 1, 1) == 0)
        size++;
    return size;
}

void mode_sizes(const struct load *load)
{
    struct work work = work_prepare(&load->target, load->kind);
    int fd = work_connect(&load->target, &work);
    size_t sizes[2] = {0};
    for (unsigned turn = 0; turn < WARM_UP; turn++) {
        uint8_t answer[ANSWER_MAX];
        size_t bytes = work_once(fd, &load->target, &work, answer, sizeof answer);
        size_t at = 0;
        for (unsigned i = 0; i < work.answers; i++) {
            size_t size = message_size(answer + at, bytes - at, load->target.lines);
            sizes[i] += size;
            at += size;
        }
    }
    printf("request=%zu answer=%zu", work.request.count, sizes[0] / WARM_UP);
    if (work.answers == 2)
        printf(",%zu", sizes[1] / WARM_UP);
    printf("\n");
}
