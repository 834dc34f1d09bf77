#include <string.h>

#include "fb_schema.h"

// FNV-1a, as scripts/generate-swift.py fills the tables.
static uint32_t hash(const char *name, size_t length) {
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < length; i++) value = (value ^ (uint8_t)name[i]) * 16777619u;
    return value ^ (value >> 15);
}

static int has_name(const fb_field *field, const char *name, size_t length) {
    if (field->name_length == length && memcmp(field->name, name, length) == 0) return 1;
    // json_key is the name with two quotes and a colon around it.
    return (size_t)field->json_key_length == length + 3 &&
           memcmp(field->json_key + 1, name, length) == 0;
}

const fb_field *fb_schema_field_named(const fb_message *message, const char *name, size_t length) {
    if (message->field_count == 0) return NULL;
    uint32_t slot = hash(name, length) & message->name_mask;
    for (;;) {
        uint8_t place = message->by_name[slot];
        if (place == 0) return NULL;
        const fb_field *field = &message->fields[place - 1];
        if (has_name(field, name, length)) return field;
        slot = (slot + 1) & message->name_mask;
    }
}
