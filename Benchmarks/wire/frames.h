// Counts the messages of a byte stream without keeping any of it: frames of a 4-byte big-endian
// length and that many bytes, or lines.
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_HEADER = 4 };

// Where a stream stands; all zero at its start.
struct frame_counter {
    bool lines;           // counts line feeds instead of frames
    uint8_t header_bytes; // of the next frame, seen so far
    uint32_t length;      // the header, as far as it was seen
    uint32_t body_left;   // bytes of the frame that has begun
};

// How many messages end within these bytes, which follow those of the call before.
size_t frames_ended(struct frame_counter *counter, const uint8_t *bytes, size_t count);

// Writes the header of a frame with a body of `length` bytes.
void frame_header(uint8_t *out, uint32_t length);

#endif
