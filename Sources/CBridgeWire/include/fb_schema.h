#ifndef FB_SCHEMA_H
#define FB_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#pragma clang assume_nonnull begin

// Compact descriptions of every message, generated next to the protoc-c output. They hold what
// the checks before unpack and the JSON mapping look up on every frame: dense field numbers, keys
// ready to print, both spellings of a name.

enum {
    FB_FIELD_REPEATED = 1,
    FB_FIELD_MAP = 2,    // repeated as well; its message is the entry, key 1, value 2
    FB_FIELD_ONEOF = 4,  // present if the case at quantifier_offset equals the number
};

typedef struct fb_message fb_message;

typedef struct fb_field {
    const char *name;      // as in the .proto file
    const char *json_key;  // "\"viewId\":", quotes and colon included
    uint16_t name_length;
    uint16_t json_key_length;
    uint16_t number;
    uint8_t type;   // ProtobufCType
    uint8_t flags;
    uint16_t oneof;  // place of its oneof in the message, from 1; 0: none
    uint16_t oneof_rest;  // members of the same oneof that follow directly
    uint32_t offset;             // of the member in the C struct
    uint32_t quantifier_offset;  // of n_… or …_case
    const fb_message *_Nullable message;   // of message fields
    const ProtobufCEnumDescriptor *_Nullable enumeration;
    const char *_Nullable form;  // of a text, such as YYYY-MM-DD
} fb_field;


struct fb_message {
    const char *name;  // full name
    const ProtobufCMessageDescriptor *descriptor;
    const fb_field *_Nullable fields;  // in the order of declaration
    const uint8_t *by_number;    // place in fields + 1, for 0…number_max; 0: no such field
    const uint8_t *by_name;      // hash table of places + 1, for both spellings
    const char *_Nonnull const *_Nullable oneofs;   // names
    uint16_t field_count;
    uint16_t number_max;
    uint16_t name_mask;  // size of by_name - 1
    uint16_t oneof_count;
};

// Makes every field of a message in memory absent.
static inline void fb_schema_init(const fb_message *message, void *wire) {
    protobuf_c_message_init(message->descriptor, wire);
}

// The field with this name, in either spelling. NULL if there is none.
const fb_field *_Nullable fb_schema_field_named(const fb_message *message, const char *name, size_t length);

static inline const fb_field *_Nullable fb_schema_field_numbered(const fb_message *message, uint32_t number) {
    if (number > message->number_max) return NULL;
    uint8_t place = message->by_number[number];
    return place == 0 ? NULL : &message->fields[place - 1];
}

const fb_message *fb_schema_client_frame(void);
const fb_message *fb_schema_server_frame(void);
const fb_message *fb_schema_event(void);

// Every message of the schema, in the order of the files.
extern const fb_message *_Nonnull const fb_schema_messages[];
extern const size_t fb_schema_message_count;

static inline const fb_message *fb_schema_at(size_t place) { return fb_schema_messages[place]; }

// The serialized google.protobuf.FileDescriptorSet, without source information.
const uint8_t *fb_descriptor_set_bytes(void);
size_t fb_descriptor_set_length(void);
// Its SHA-256 as 64 lower-case hexadecimal digits.
const char *fb_descriptor_set_sha256(void);

#pragma clang assume_nonnull end

#endif
