#ifndef CJSONTAPE_H
#define CJSONTAPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// JSON read by simdjson, as a flat list of nodes: a document is its root node, each list or object
// is followed by what it holds, each member of an object is a text (its name) and a value.

typedef enum fb_json_type {
    FB_JSON_NULL = 0,
    FB_JSON_FALSE,
    FB_JSON_TRUE,
    FB_JSON_INTEGER,   // fits int64
    FB_JSON_UNSIGNED,  // over int64, fits uint64
    FB_JSON_REAL,
    FB_JSON_TEXT,
    FB_JSON_LIST,
    FB_JSON_OBJECT,
} fb_json_type;

typedef struct fb_json_node {
    union {
        int64_t integer;
        uint64_t unsigned_integer;
        double real;
        const char *text;  // UTF-8, and a NUL behind its last byte
        size_t reserved;
    } value;
    uint32_t count;  // bytes of a text, elements of a list, members of an object
    uint32_t span;   // nodes that this one takes, with all that it holds
    uint8_t type;
} fb_json_node;

typedef struct fb_json_tape fb_json_tape;

// NULL when there is no memory.
fb_json_tape *fb_json_tape_create(void);
void fb_json_tape_destroy(fb_json_tape *tape);

// Reads one document of at most 32 levels and returns its root; NULL if it is not well-formed, or
// has a number over 64 bits. Names given twice are kept. The nodes and texts are valid until the
// next call; memory for large documents is given back then.
const fb_json_node *fb_json_tape_read(fb_json_tape *tape, const uint8_t *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
