#include "frames.h"

#include <string.h>

static size_t lines_ended(const uint8_t *bytes, size_t count)
{
    size_t ended = 0;
    const uint8_t *end = bytes + count;
    while ((bytes = memchr(bytes, '\n', (size_t)(end - bytes))) != NULL) {
        bytes++;
        ended++;
    }
    return ended;
}

size_t frames_ended(struct frame_counter *counter, const uint8_t *bytes, size_t count)
{
    if (counter->lines)
        return lines_ended(bytes, count);

    size_t ended = 0;
    const uint8_t *end = bytes + count;
    while (bytes < end) {
        if (counter->body_left > 0) {
            size_t here = (size_t)(end - bytes);
            if (here < counter->body_left) {
                counter->body_left -= (uint32_t)here;
                break;
            }
            bytes += counter->body_left;
            counter->body_left = 0;
            ended++;
        } else {
            counter->length = counter->length << 8 | *bytes++;
            if (++counter->header_bytes == FRAME_HEADER) {
                counter->body_left = counter->length;
                counter->header_bytes = 0;
                counter->length = 0;
            }
        }
    }
    return ended;
}

void frame_header(uint8_t *out, uint32_t length)
{
    out[0] = (uint8_t)(length >> 24);
    out[1] = (uint8_t)(length >> 16);
    out[2] = (uint8_t)(length >> 8);
    out[3] = (uint8_t)length;
}
