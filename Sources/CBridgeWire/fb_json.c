#define _GNU_SOURCE  // memmem
#include "fb_json.h"

#include <string.h>

// The end of the string whose first quote is at text[at]: behind its last quote, or `length`.
static size_t skip_string(const uint8_t *text, size_t length, size_t at) {
    at += 1;
    while (at < length) {
        uint8_t byte = text[at];
        if (byte == '"') return at + 1;
        at += byte == '\\' ? 2 : 1;
    }
    return length;
}

// The end of the number at text[at].
static size_t skip_number(const uint8_t *text, size_t length, size_t at) {
    while (at < length) {
        uint8_t byte = text[at];
        int part = (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.' ||
                   byte == 'e' || byte == 'E';
        if (!part) break;
        at += 1;
    }
    return at;
}

// Whether text[start..<end] is an integer too long to be sure of 63 bits.
static int is_big_integer(const uint8_t *text, size_t start, size_t end) {
    if (end - start < 19) return 0;
    for (size_t i = start + (text[start] == '-'); i < end; i++) {
        if (text[i] < '0' || text[i] > '9') return 0;
    }
    return 1;
}

static int is_number_start(uint8_t byte) { return byte == '-' || (byte >= '0' && byte <= '9'); }

fb_json_fault fb_json_check(const uint8_t *text, size_t length, size_t elements_max,
                            size_t members_max, fb_json_scan *scan) {
    uint64_t lists = 0;  // bit n: level n is a list
    unsigned depth = 0;
    size_t elements = 0, members = 0;
    int key_next = 0, id_next = 0;
    memset(scan, 0, sizeof *scan);
    for (size_t at = 0; at < length;) {
        uint8_t byte = text[at];
        switch (byte) {
        case '"': {
            size_t end = skip_string(text, length, at);
            if (depth == 1 && key_next) {
                id_next = end - at == 4 && text[at + 1] == 'i' && text[at + 2] == 'd';
                key_next = 0;
            } else if (depth == 1 && id_next) {
                scan->id_offset = at + 1;
                scan->id_length = end - at - 2;
                id_next = 0;
            }
            at = end;
            continue;
        }
        case '{':
        case '[':
            if (depth == FB_JSON_DEPTH_MAX) {
                scan->fault = FB_JSON_DEPTH;
                scan->offset = at;
                return scan->fault;
            }
            depth += 1;
            if (byte == '[') {
                lists |= (uint64_t)1 << depth;
            } else {
                lists &= ~((uint64_t)1 << depth);
            }
            key_next = byte == '{';
            break;
        case '}':
        case ']':
            if (depth > 0) depth -= 1;
            break;
        case ',':
            if (lists >> depth & 1) {
                elements += 1;
            } else {
                members += 1;
                key_next = 1;
                id_next = 0;
            }
            if (elements > elements_max || members > members_max) {
                scan->fault = elements > elements_max ? FB_JSON_ELEMENTS : FB_JSON_MEMBERS;
                scan->offset = at;
                return scan->fault;
            }
            break;
        default:
            if (is_number_start(byte)) {
                size_t end = skip_number(text, length, at);
                if (depth == 1 && id_next) {
                    scan->id_offset = at;
                    scan->id_length = end - at;
                    id_next = 0;
                }
                if (is_big_integer(text, at, end)) scan->has_big_integer = 1;
                at = end;
                continue;
            }
        }
        at += 1;
    }
    return FB_JSON_SOUND;
}

size_t fb_json_mark_big_integers(const uint8_t *text, size_t length, uint8_t *out) {
    static const char mark[] = "\"\\u0000";
    size_t written = 0;
    for (size_t at = 0; at < length;) {
        size_t end = at + 1;
        int marked = 0;
        if (text[at] == '"') {
            end = skip_string(text, length, at);
        } else if (is_number_start(text[at])) {
            end = skip_number(text, length, at);
            marked = is_big_integer(text, at, end);
        }
        if (end > length) end = length;
        if (marked) {
            memcpy(out + written, mark, sizeof mark - 1);
            written += sizeof mark - 1;
        }
        memcpy(out + written, text + at, end - at);
        written += end - at;
        if (marked) out[written++] = '"';
        at = end;
    }
    return written;
}

typedef struct path_level {
    int is_list;
    size_t index;
    size_t key_start, key_length;
} path_level;

static size_t put(char *out, size_t written, size_t capacity, const void *bytes, size_t length) {
    if (length > capacity - written) length = capacity - written;
    memcpy(out + written, bytes, length);
    return written + length;
}

static size_t put_index(char *out, size_t written, size_t capacity, size_t index) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = ']';
    do {
        digits[--at] = (char)('0' + index % 10);
        index /= 10;
    } while (index > 0);
    digits[--at] = '[';
    return put(out, written, capacity, digits + at, sizeof digits - at);
}

size_t fb_json_path(const uint8_t *text, size_t length, size_t offset, char *out, size_t capacity) {
    path_level levels[FB_JSON_DEPTH_MAX + 1];
    unsigned depth = 0;
    int key_next = 0;
    if (offset > length) offset = length;
    memset(levels, 0, sizeof levels);
    for (size_t at = 0; at < offset;) {
        uint8_t byte = text[at];
        if (byte == '"') {
            size_t end = skip_string(text, length, at);
            if (key_next && end <= length && end - at >= 2) {
                levels[depth].key_start = at + 1;
                levels[depth].key_length = end - at - 2;
                key_next = 0;
            }
            at = end;
            continue;
        }
        if ((byte == '{' || byte == '[') && depth < FB_JSON_DEPTH_MAX) {
            depth += 1;
            memset(&levels[depth], 0, sizeof levels[depth]);
            levels[depth].is_list = byte == '[';
            key_next = byte == '{';
        } else if ((byte == '}' || byte == ']') && depth > 0) {
            depth -= 1;
            key_next = 0;
        } else if (byte == ',' && depth > 0) {
            if (levels[depth].is_list) {
                levels[depth].index += 1;
            } else {
                key_next = 1;
                levels[depth].key_length = 0;
            }
        }
        at += 1;
    }
    size_t written = 0;
    for (unsigned i = 1; i <= depth; i++) {
        if (levels[i].is_list) {
            written = put_index(out, written, capacity, levels[i].index);
        } else if (levels[i].key_length > 0) {
            if (written > 0) written = put(out, written, capacity, ".", 1);
            written = put(out, written, capacity, text + levels[i].key_start, levels[i].key_length);
        }
    }
    return written;
}

const void *fb_find_bytes(const void *text, size_t length, const void *bytes, size_t count) {
    return memmem(text, length, bytes, count);
}
