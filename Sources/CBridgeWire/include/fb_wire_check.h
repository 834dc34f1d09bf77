#ifndef FB_WIRE_CHECK_H
#define FB_WIRE_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "fb_schema.h"

#pragma clang assume_nonnull begin

// A scan of raw protobuf bytes before unpack. protobuf-c itself accepts invalid UTF-8, a NUL that
// cuts a string short, any enum number and any nesting; this finds them without allocating.

enum { FB_WIRE_DEPTH_MAX = 32 };

typedef enum fb_wire_fault {
    FB_WIRE_SOUND = 0,
    // The bytes are no message: the connection closes.
    FB_WIRE_BAD_VARINT = 1,   // over 10 bytes
    FB_WIRE_BAD_TAG = 2,      // field number 0 or over 2^29 - 1
    FB_WIRE_BAD_LENGTH = 3,   // a length past the end of its message
    FB_WIRE_GROUP = 4,        // wire types 3 and 4
    FB_WIRE_BAD_TYPE = 5,     // wire types 6 and 7, or one that does not fit the field
    FB_WIRE_TRUNCATED = 6,    // the message ends within a field
    // The message can be read, but not be served: the request is answered.
    FB_WIRE_DEPTH = 16,
    FB_WIRE_ELEMENTS = 17,
    FB_WIRE_UTF8 = 18,
    FB_WIRE_NUL = 19,
    FB_WIRE_ENUM = 20,
    FB_WIRE_TWICE = 21,  // a message twice, or two members of one oneof: protobuf-c merges wrongly
} fb_wire_fault;

typedef struct fb_wire_limits {
    uint32_t depth_max;     // at most FB_WIRE_DEPTH_MAX; the frame itself is level 1
    uint32_t elements_max;  // repeated elements of the whole frame
    int open_enums;         // nonzero: any enum number is sound, as towards a client
    uint32_t ignored;       // bits of payload faults that are passed over; 0 but for tests of tests
} fb_wire_limits;

typedef struct fb_wire_step {
    const fb_field *field;
    uint32_t index;  // place of a repeated element
} fb_wire_step;

typedef struct fb_wire_report {
    fb_wire_fault fault;
    size_t offset;   // of the byte, field or string at fault
    int64_t value;   // the field number, enum number or length at fault
    uint64_t id;     // field 1 of the frame; the last one counts, 0 without
    uint32_t unknown_member;  // last unknown length-delimited field of the frame itself; 0: none
    uint32_t body_member;     // last field of the frame's oneof; 0: none
    size_t body_start;        // of that field, without tag and length
    size_t body_length;
    uint64_t second;          // field 2 of the frame, if it is a varint; 0 without
    uint32_t elements;
    uint32_t path_length;
    fb_wire_step path[FB_WIRE_DEPTH_MAX];  // of a payload fault
} fb_wire_report;

// Fills the report and returns its fault. A payload fault is the first one, and is given only if
// the rest of the bytes can be read as a message.
fb_wire_fault fb_wire_check(const fb_message *message, const uint8_t *_Nullable data, size_t length,
                            const fb_wire_limits *limits, fb_wire_report *report);

// The path as a pointer: Swift reads a C array in a struct as a tuple.
static inline const fb_wire_step *fb_wire_path(const fb_wire_report *report) {
    return report->path;
}

// The offset of the first byte that is not part of well-formed UTF-8 (no surrogates, no overlong
// forms), or `length`. Sets has_nul when a NUL comes before that.
size_t fb_utf8_valid_prefix(const uint8_t *text, size_t length, int *has_nul);

#pragma clang assume_nonnull end

#endif
