#include "fb_wire_check.h"

#include <string.h>

enum { VARINT = 0, FIXED64 = 1, DELIMITED = 2, GROUP_START = 3, GROUP_END = 4, FIXED32 = 5 };

// One message being scanned; the parents make the path of a fault.
typedef struct level {
    const struct level *parent;
    const fb_field *field;        // in the parent; NULL for the frame
    const uint8_t *start;         // of this message
    const uint8_t *field_start;   // of the field in the parent
    const fb_message *message;
    uint32_t depth;
} level;

typedef struct scan {
    const uint8_t *data;
    const fb_wire_limits *limits;
    fb_wire_report *report;
    fb_wire_fault payload_fault;
} scan;

__attribute__((noinline)) static const uint8_t *read_long_varint(const uint8_t *at,
                                                                 const uint8_t *end,
                                                                 uint64_t *value,
                                                                 fb_wire_fault *fault) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (at == end) {
            *fault = FB_WIRE_TRUNCATED;
            return NULL;
        }
        uint8_t byte = *at++;
        result |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            // The tenth byte holds bit 63 alone.
            if (shift == 63 && byte > 1) break;
            *value = result;
            return at;
        }
    }
    *fault = FB_WIRE_BAD_VARINT;
    return NULL;
}

// Reads a varint; NULL if it is too long, or ends past `end` (then *fault is TRUNCATED).
static inline const uint8_t *read_varint(const uint8_t *at, const uint8_t *end, uint64_t *value,
                                         fb_wire_fault *fault) {
    if (at < end && *at < 0x80) {
        *value = *at;
        return at + 1;
    }
    return read_long_varint(at, end, value, fault);
}

// Eight bytes of ASCII without a NUL.
static inline int is_plain_ascii(const uint8_t *text) {
    uint64_t word;
    memcpy(&word, text, 8);
    return ((word | (word - 0x0101010101010101u)) & 0x8080808080808080u) == 0;
}

size_t fb_utf8_valid_prefix(const uint8_t *text, size_t length, int *has_nul) {
    size_t i = 0;
    *has_nul = 0;
    while (i < length) {
        if (length - i >= 8) {
            if (is_plain_ascii(text + i)) {
                i += 8;
                continue;
            }
        } else if (length >= 8 && is_plain_ascii(text + length - 8)) {
            return length;
        }
        uint8_t byte = text[i];
        if (byte < 0x80) {
            if (byte == 0) *has_nul = 1;
            i += 1;
            continue;
        }
        size_t size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        if (byte < 0xc2 || byte > 0xf4 || length - i < size) return i;
        uint8_t second = text[i + 1];
        uint8_t low = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
        uint8_t top = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
        if (second < low || second > top) return i;
        for (size_t k = 2; k < size; k++) {
            if ((text[i + k] & 0xc0) != 0x80) return i;
        }
        i += size;
    }
    return length;
}

static int enum_has(const ProtobufCEnumDescriptor *enumeration, int64_t value) {
    if (value < INT32_MIN || value > INT32_MAX) return 0;
    return protobuf_c_enum_descriptor_get_value(enumeration, (int)value) != NULL;
}

// The place of the element at `field_start` among those of the same field in its message.
static uint32_t element_index(const level *in, const fb_field *field, const uint8_t *field_start) {
    uint32_t index = 0;
    const uint8_t *at = in->start;
    while (at < field_start) {
        // Everything before field_start was read once already, so nothing here can fail.
        fb_wire_fault fault = FB_WIRE_SOUND;
        uint64_t tag = 0, value = 0;
        at = read_varint(at, field_start, &tag, &fault);
        if (at == NULL) return index;
        if ((tag >> 3) == field->number) index += 1;
        switch (tag & 7) {
        case VARINT: at = read_varint(at, field_start, &value, &fault); break;
        case FIXED64: at += 8; break;
        case FIXED32: at += 4; break;
        case DELIMITED:
            at = read_varint(at, field_start, &value, &fault);
            if (at != NULL) at += value;
            break;
        default: return index;
        }
        if (at == NULL) return index;
    }
    return index;
}

// Keeps the first payload fault, with the way to its field.
static void note_payload_fault(scan *s, fb_wire_fault fault, const level *in, const fb_field *field,
                               const uint8_t *field_start, int64_t value) {
    if (s->payload_fault != FB_WIRE_SOUND || (s->limits->ignored >> fault & 1)) return;
    s->payload_fault = fault;
    fb_wire_report *report = s->report;
    report->offset = (size_t)(field_start - s->data);
    report->value = value;
    uint32_t length = in->depth < FB_WIRE_DEPTH_MAX ? in->depth : FB_WIRE_DEPTH_MAX;
    report->path_length = length;
    while (length > 0) {
        length -= 1;
        report->path[length].field = field;
        report->path[length].index =
            field->flags & FB_FIELD_REPEATED ? element_index(in, field, field_start) : 0;
        field = in->field;
        field_start = in->field_start;
        in = in->parent;
        if (in == NULL) break;
    }
}

static int fail(scan *s, fb_wire_fault fault, const uint8_t *at, int64_t value) {
    s->report->fault = fault;
    s->report->offset = (size_t)(at - s->data);
    s->report->value = value;
    s->report->path_length = 0;
    return 0;
}

// The wire type of each ProtobufCType.
static const uint8_t wire_types[] = {
    [PROTOBUF_C_TYPE_INT32] = VARINT,    [PROTOBUF_C_TYPE_SINT32] = VARINT,
    [PROTOBUF_C_TYPE_SFIXED32] = FIXED32, [PROTOBUF_C_TYPE_INT64] = VARINT,
    [PROTOBUF_C_TYPE_SINT64] = VARINT,   [PROTOBUF_C_TYPE_SFIXED64] = FIXED64,
    [PROTOBUF_C_TYPE_UINT32] = VARINT,   [PROTOBUF_C_TYPE_FIXED32] = FIXED32,
    [PROTOBUF_C_TYPE_UINT64] = VARINT,   [PROTOBUF_C_TYPE_FIXED64] = FIXED64,
    [PROTOBUF_C_TYPE_FLOAT] = FIXED32,   [PROTOBUF_C_TYPE_DOUBLE] = FIXED64,
    [PROTOBUF_C_TYPE_BOOL] = VARINT,     [PROTOBUF_C_TYPE_ENUM] = VARINT,
    [PROTOBUF_C_TYPE_STRING] = DELIMITED, [PROTOBUF_C_TYPE_BYTES] = DELIMITED,
    [PROTOBUF_C_TYPE_MESSAGE] = DELIMITED,
};

static void count_element(scan *s, const level *in, const fb_field *field, const uint8_t *start) {
    s->report->elements += 1;
    if (s->report->elements > s->limits->elements_max) {
        note_payload_fault(s, FB_WIRE_ELEMENTS, in, field, start, s->report->elements);
    }
}

// A packed list of scalars.
static int check_packed(scan *s, const level *in, const fb_field *field, const uint8_t *start,
                        const uint8_t *at, const uint8_t *end) {
    int wire_type = wire_types[field->type];
    while (at < end) {
        count_element(s, in, field, start);
        if (wire_type == VARINT) {
            fb_wire_fault fault = FB_WIRE_SOUND;
            uint64_t value = 0;
            const uint8_t *next = read_varint(at, end, &value, &fault);
            if (next == NULL) return fail(s, fault, at, field->number);
            if (field->type == PROTOBUF_C_TYPE_ENUM && !s->limits->open_enums &&
                !enum_has(field->enumeration, (int64_t)value)) {
                note_payload_fault(s, FB_WIRE_ENUM, in, field, start, (int64_t)value);
            }
            at = next;
        } else {
            size_t size = wire_type == FIXED64 ? 8 : 4;
            if ((size_t)(end - at) < size) return fail(s, FB_WIRE_TRUNCATED, at, field->number);
            at += size;
        }
    }
    return 1;
}

static int check_message(scan *s, const level *in, const uint8_t *end);

static int check_delimited(scan *s, const level *in, const fb_field *field, const uint8_t *start,
                           const uint8_t *at, const uint8_t *end) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING: {
        int has_nul = 0;
        size_t length = (size_t)(end - at);
        size_t valid = fb_utf8_valid_prefix(at, length, &has_nul);
        if (valid != length) {
            note_payload_fault(s, FB_WIRE_UTF8, in, field, start, (int64_t)valid);
        } else if (has_nul) {
            const uint8_t *nul = memchr(at, 0, length);
            note_payload_fault(s, FB_WIRE_NUL, in, field, start, nul - at);
        }
        return 1;
    }
    case PROTOBUF_C_TYPE_BYTES: return 1;
    case PROTOBUF_C_TYPE_MESSAGE: {
        if (in->depth >= s->limits->depth_max) {
            note_payload_fault(s, FB_WIRE_DEPTH, in, field, start, in->depth + 1);
            return 1;
        }
        level inner = {in, field, at, start, field->message, in->depth + 1};
        return check_message(s, &inner, end);
    }
    default: return check_packed(s, in, field, start, at, end);
    }
}

static int check_message(scan *s, const level *in, const uint8_t *end) {
    const fb_message *message = in->message;
    const uint8_t *at = in->start;
    // Bits of the messages, by their place, and of the oneofs that have come.
    uint64_t messages_seen = 0, oneofs_seen = 0;
    while (at < end) {
        const uint8_t *start = at;
        fb_wire_fault fault = FB_WIRE_SOUND;
        uint64_t tag = 0, value = 0;
        at = read_varint(at, end, &tag, &fault);
        if (at == NULL) return fail(s, fault, start, 0);
        uint64_t number = tag >> 3;
        int wire_type = (int)(tag & 7);
        // protobuf-c reads tags and lengths of at most five bytes.
        if (number == 0 || number > 536870911 || at - start > 5) {
            return fail(s, FB_WIRE_BAD_TAG, start, (int64_t)number);
        }
        const uint8_t *behind_tag = at;
        switch (wire_type) {
        case VARINT:
        case DELIMITED:
            at = read_varint(at, end, &value, &fault);
            if (at == NULL) return fail(s, fault, start, (int64_t)number);
            if (wire_type == DELIMITED &&
                (value > (uint64_t)(end - at) || at - behind_tag > 5)) {
                return fail(s, FB_WIRE_BAD_LENGTH, start, (int64_t)number);
            }
            break;
        case FIXED64:
        case FIXED32: {
            size_t size = wire_type == FIXED64 ? 8 : 4;
            if ((size_t)(end - at) < size) return fail(s, FB_WIRE_TRUNCATED, start, (int64_t)number);
            at += size;
            break;
        }
        case GROUP_START:
        case GROUP_END: return fail(s, FB_WIRE_GROUP, start, (int64_t)number);
        default: return fail(s, FB_WIRE_BAD_TYPE, start, (int64_t)number);
        }
        const fb_field *field = fb_schema_field_numbered(message, (uint32_t)number);
        if (field == NULL) {
            if (wire_type == DELIMITED) {
                if (in->depth == 1) s->report->unknown_member = (uint32_t)number;
                at += value;
            }
            continue;
        }
        int expected = wire_types[field->type];
        int packed = wire_type == DELIMITED && expected != DELIMITED &&
                     (field->flags & FB_FIELD_REPEATED) != 0;
        if (wire_type != expected && !packed) {
            return fail(s, FB_WIRE_BAD_TYPE, start, (int64_t)number);
        }
        if ((field->flags & FB_FIELD_REPEATED) != 0 && !packed) count_element(s, in, field, start);
        if (field->flags & FB_FIELD_ONEOF) {
            uint64_t bit = (uint64_t)1 << field->oneof;
            if (oneofs_seen & bit) note_payload_fault(s, FB_WIRE_TWICE, in, field, start, 0);
            oneofs_seen |= bit;
        } else if (field->type == PROTOBUF_C_TYPE_MESSAGE && field->flags == 0) {
            uint64_t bit = (uint64_t)1 << (field - message->fields);
            if (messages_seen & bit) note_payload_fault(s, FB_WIRE_TWICE, in, field, start, 0);
            messages_seen |= bit;
        }
        if (in->depth == 1) {
            if (number == 1 && wire_type == VARINT) s->report->id = value;
            if (number == 2 && wire_type == VARINT) s->report->second = value;
            if (field->flags & FB_FIELD_ONEOF) {
                s->report->body_member = (uint32_t)number;
                s->report->body_start = (size_t)(at - s->data);
                s->report->body_length = value;
            }
        }
        if (wire_type == DELIMITED) {
            if (!check_delimited(s, in, field, start, at, at + value)) return 0;
            at += value;
        } else if (field->type == PROTOBUF_C_TYPE_ENUM && !s->limits->open_enums &&
                   !enum_has(field->enumeration, (int64_t)value)) {
            note_payload_fault(s, FB_WIRE_ENUM, in, field, start, (int64_t)value);
        }
    }
    return 1;
}

fb_wire_fault fb_wire_check(const fb_message *message, const uint8_t *data, size_t length,
                            const fb_wire_limits *limits, fb_wire_report *report) {
    report->fault = FB_WIRE_SOUND;
    report->offset = 0;
    report->value = 0;
    report->id = 0;
    report->unknown_member = 0;
    report->body_member = 0;
    report->second = 0;
    report->elements = 0;
    report->path_length = 0;
    scan s = {data, limits, report, FB_WIRE_SOUND};
    level frame = {NULL, NULL, data, data, message, 1};
    if (check_message(&s, &frame, data + length)) report->fault = s.payload_fault;
    return report->fault;
}
