/*
 * Goes through the steps of docs/conformance.md and prints the transcript. Binary mode only:
 * libprotobuf-c knows no JSON.
 *
 *     FLOWBRIDGE_SOCKET=… conformance binary
 */
#define _GNU_SOURCE
#include "gestures.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BIG ((UINT64_C(1) << 53) + 1) /* no double holds it */
#define START_MS INT64_C(1767225600000) /* 1 January 2026 */

enum { FIRST_MISSED = 18, LONG_INPUTS = 24, LONG_BYTES = 32000, GOLDEN_MAX = 1 << 16 };

static const struct gesture gestures[] = {
    {"focus", "name", NULL},
    {"enter_text", NULL, "Zoë 🙂"},
    {"blur", NULL, NULL},
    {"open_picker", "birthday", NULL},
    {"pick", NULL, "1960-06-15"},
    {"close_picker", NULL, NULL},
    {"tap_button", "next", NULL},
    {"tap_option", "experience", "pro"},
    {"tap_option", "interests", "sports"},
    {"tap_option", "interests", "sports"},
    {"tap_toggle", "reminders", NULL},
    {"tap_button", "next", NULL},
    {"tap_button", "done", NULL},
};

/* What a line of the transcript looks like */

static void print_quoted(const char *text, size_t length) {
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x20 && byte < 0x7f && !strchr("\"%\\", byte))
            putchar(byte);
        else
            printf("%%%02X", byte);
    }
    putchar('"');
}

static void print_text(const char *text) { print_quoted(text, strlen(text)); }

static void print_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        printf("double=nan");
    else
        printf("double=%016" PRIx64, bits);
}

static void print_value(const Value *value) {
    switch (value->kind_case) {
    case FLOWBRIDGE__V1__VALUE__KIND_STRING:
        printf("string=");
        print_text(value->string);
        break;
    case FLOWBRIDGE__V1__VALUE__KIND_INT64: printf("int64=%" PRId64, value->int64); break;
    case FLOWBRIDGE__V1__VALUE__KIND_DOUBLE: print_double(value->double_); break;
    case FLOWBRIDGE__V1__VALUE__KIND_BOOL:
        printf("bool=%s", value->bool_ ? "true" : "false");
        break;
    case FLOWBRIDGE__V1__VALUE__KIND_STRING_LIST:
        printf("string_list=[");
        for (size_t i = 0; i < value->string_list->n_values; i++) {
            if (i)
                putchar(',');
            print_text(value->string_list->values[i]);
        }
        putchar(']');
        break;
    default: printf("none");
    }
}

typedef Flowbridge__V1__DidReceiveAnalyticEvent__ParamsEntry Parameter;
typedef Flowbridge__V1__Profile__CustomAttributesEntry Attribute;

static int by_key(const void *left, const void *right) { /* the key is first in both messages */
    return strcmp((*(Parameter *const *)left)->key, (*(Parameter *const *)right)->key);
}

static int by_attribute(const void *left, const void *right) {
    return strcmp((*(Attribute *const *)left)->key, (*(Attribute *const *)right)->key);
}

static void print_attributes(const Flowbridge__V1__Profile *profile) {
    if (profile->n_custom_attributes)
        qsort(profile->custom_attributes, profile->n_custom_attributes,
              sizeof *profile->custom_attributes, by_attribute);
    for (size_t i = 0; i < profile->n_custom_attributes; i++) {
        const Attribute *attribute = profile->custom_attributes[i];
        printf(" %s:", attribute->key);
        if (attribute->value->kind_case == FLOWBRIDGE__V1__ATTRIBUTE_VALUE__KIND_DOUBLE) {
            print_double(attribute->value->double_);
        } else {
            printf("string=");
            print_text(attribute->value->string);
        }
    }
}

static void print_event(const Event *event) {
    const char *kind = kind_name(event);
    printf("event %" PRIu64 " %s", event->sequence, kind ? kind : "(unknown kind)");
    switch (event->kind_case) {
    case FLOWBRIDGE__V1__EVENT__KIND_DID_RECEIVE_ANALYTIC_EVENT: {
        const Flowbridge__V1__DidReceiveAnalyticEvent *analytic = event->did_receive_analytic_event;
        printf(" %s", analytic->name);
        if (analytic->n_params)
            qsort(analytic->params, analytic->n_params, sizeof *analytic->params, by_key);
        for (size_t i = 0; i < analytic->n_params; i++) {
            printf(" %s:", analytic->params[i]->key);
            print_value(analytic->params[i]->value);
        }
        break;
    }
    case FLOWBRIDGE__V1__EVENT__KIND_DID_LOAD_LATEST_PROFILE:
        print_attributes(event->did_load_latest_profile->profile);
        break;
    case FLOWBRIDGE__V1__EVENT__KIND_DID_PERFORM_ACTION:
        printf(" %s", protobuf_c_enum_descriptor_get_value(
                          &flowbridge__v1__did_perform_action__kind__descriptor,
                          (int)event->did_perform_action->kind)->name);
        break;
    case FLOWBRIDGE__V1__EVENT__KIND_VIEW_PRESENTED:
        printf(" %s", event->view_presented->placement_id);
        break;
    default: break;
    }
    putchar('\n');
}

static void show_events(struct bridge *bridge) {
    const Event *event;
    while ((event = bridge_next_event(bridge, 0))) {
        printf("   ");
        print_event(event);
    }
}

static void print_error(const struct bridge_error *error) {
    if (error->is_sdk)
        printf("sdk %d %s\n", error->code, error->name);
    else
        printf("bridge %s%s%s\n", error->name, *error->field ? " " : "", error->field);
}

/* Gives the answer back, or ends the program. */
static const ServerFrame *check(struct bridge *bridge, const ServerFrame *answer) {
    if (answer)
        return answer;
    print_error(bridge_last_error(bridge));
    exit(1);
}

static struct bridge *connected(const char *name) {
    struct bridge *bridge = bridge_open(name, NULL);
    if (!bridge) {
        fprintf(stderr, "%s\n", bridge_failure());
        exit(1);
    }
    return bridge;
}

/* The steps */

static void open_device(struct bridge *bridge, const char *device) {
    Flowbridge__V1__OpenDeviceRequest open = FLOWBRIDGE__V1__OPEN_DEVICE_REQUEST__INIT;
    Flowbridge__V1__DeviceClock clock = FLOWBRIDGE__V1__DEVICE_CLOCK__INIT;
    clock.kind = FLOWBRIDGE__V1__DEVICE_CLOCK__KIND__MANUAL;
    clock.start_case = FLOWBRIDGE__V1__DEVICE_CLOCK__START_START_MS;
    clock.start_ms = START_MS;
    open.device = (char *)device;
    open.time_zone = "Asia/Kolkata";
    open.clock = &clock;
    open.seed_case = FLOWBRIDGE__V1__OPEN_DEVICE_REQUEST__SEED_RANDOM_SEED;
    open.random_seed = BIG;
    const Flowbridge__V1__OpenDeviceReply *reply =
        check(bridge, BRIDGE_CALL(bridge, OPEN_DEVICE, open_device, &open))->open_device;
    if (strcmp(device, "conformance") == 0)
        printf("02 open_device created %s time_ms %" PRId64 " random_seed %" PRIu64 "\n",
               reply->created ? "true" : "false", reply->info->time_ms, reply->info->random_seed);
}

static void attach(struct bridge *bridge) {
    Flowbridge__V1__OpenDeviceRequest open = FLOWBRIDGE__V1__OPEN_DEVICE_REQUEST__INIT;
    open.device = "conformance";
    check(bridge, BRIDGE_CALL(bridge, OPEN_DEVICE, open_device, &open));
}

/* Subscribes to a device, from a sequence of the record on unless that is 0. */
static uint64_t subscribe(struct bridge *bridge, const char *device, uint64_t from) {
    Flowbridge__V1__SubscribeRequest request = FLOWBRIDGE__V1__SUBSCRIBE_REQUEST__INIT;
    request.device = (char *)device;
    if (from) {
        request.replay_case = FLOWBRIDGE__V1__SUBSCRIBE_REQUEST__REPLAY_FROM_SEQUENCE;
        request.from_sequence = from;
    }
    return check(bridge, BRIDGE_CALL(bridge, SUBSCRIBE, subscribe, &request))
        ->subscribe->next_sequence;
}

static void activate(struct bridge *bridge) {
    Flowbridge__V1__ActivateRequest request = FLOWBRIDGE__V1__ACTIVATE_REQUEST__INIT;
    request.api_key = "public_live_conformance";
    check(bridge, BRIDGE_CALL(bridge, ACTIVATE, activate, &request));
}

static void greet_and_open(struct bridge *bridge) {
    const Flowbridge__V1__WelcomeReply *welcome = bridge_welcome(bridge);
    printf("01 hello major %u max_frame %u\n", welcome->protocol_major, welcome->max_frame);
    open_device(bridge, "conformance");
    printf("03 subscribe next_sequence %" PRIu64 "\n", subscribe(bridge, "conformance", 0));
    Flowbridge__V1__GetProfileRequest too_early = FLOWBRIDGE__V1__GET_PROFILE_REQUEST__INIT;
    printf("04 get_profile error ");
    if (!BRIDGE_CALL(bridge, GET_PROFILE, get_profile, &too_early))
        print_error(bridge_last_error(bridge));
    activate(bridge);
    puts("05 activate");
    show_events(bridge);
}

static void drive(struct bridge *bridge) {
    Flowbridge__V1__GetFlowRequest request = FLOWBRIDGE__V1__GET_FLOW_REQUEST__INIT;
    request.placement_id = "onboarding";
    const Flowbridge__V1__Flow *flow =
        check(bridge, BRIDGE_CALL(bridge, GET_FLOW, get_flow, &request))->get_flow->flow;
    printf("06 get_flow %s ", flow->id);
    print_text(flow->name);
    printf(" remote configs");
    for (size_t i = 0; i < flow->n_remote_configs; i++)
        printf(" %s", flow->remote_configs[i]->locale);
    putchar('\n');
    char *view = show_flow(bridge, "onboarding", NULL);
    puts("07 present");
    show_events(bridge);
    for (size_t i = 0; i < sizeof gestures / sizeof *gestures; i++) {
        if (!perform(bridge, view, &gestures[i]))
            check(bridge, NULL);
        printf("08 perform %s\n", gestures[i].name);
        show_events(bridge);
    }
    free(view);
    printf("09 perform error ");
    if (!perform(bridge, "no-such-view", &(struct gesture){"blur", NULL, NULL}))
        print_error(bridge_last_error(bridge));
}

/* Sets or removes up to two attributes of the profile, and its fields if `fields`. */
static void update(struct bridge *bridge, bool fields, size_t count,
                   Flowbridge__V1__CustomAttribute attributes[]) {
    Flowbridge__V1__UpdateProfileRequest request = FLOWBRIDGE__V1__UPDATE_PROFILE_REQUEST__INIT;
    if (fields) {
        request.first_name = "Zoë";
        request.email = "zoe@example.com";
        request.birthday = "1960-06-15";
    }
    request.n_custom_attributes = count;
    request.custom_attributes =
        (Flowbridge__V1__CustomAttribute *[]){&attributes[0], &attributes[count - 1]};
    check(bridge, BRIDGE_CALL(bridge, UPDATE_PROFILE, update_profile, &request));
}

#define ATTRIBUTE(key_, CASE, member, what)                                                        \
    {                                                                                              \
        .base = PROTOBUF_C_MESSAGE_INIT(&flowbridge__v1__custom_attribute__descriptor),            \
        .key = key_, .change_case = FLOWBRIDGE__V1__CUSTOM_ATTRIBUTE__CHANGE_##CASE,               \
        .member = (what)                                                                           \
    }

static void update_profile(struct bridge *bridge) {
    Flowbridge__V1__CustomAttribute set[] = {ATTRIBUTE("experience", STRING, string, "pro"),
                                             ATTRIBUTE("score", DOUBLE, double_, 3.25)};
    update(bridge, true, 2, set);
    puts("10 update_profile set");
    show_events(bridge);
    Flowbridge__V1__CustomAttribute removal[] = {ATTRIBUTE("experience", REMOVE, remove, true)};
    update(bridge, false, 1, removal);
    puts("11 update_profile remove");
    show_events(bridge);
    Flowbridge__V1__InspectProfileRequest inspect = FLOWBRIDGE__V1__INSPECT_PROFILE_REQUEST__INIT;
    const Flowbridge__V1__InspectProfileReply *seen =
        check(bridge, BRIDGE_CALL(bridge, INSPECT_PROFILE, inspect_profile, &inspect))
            ->inspect_profile;
    printf("12 inspect_profile ");
    print_text(seen->first_name);
    putchar(' ');
    print_text(seen->email);
    printf(" %s age %d", seen->birthday, seen->age);
    print_attributes(seen->profile);
    putchar('\n');
}

/* The clock of the device stands, so only this side can notice that time is up. */
static void give_up_a_call(struct bridge *bridge) {
    Flowbridge__V1__SetConditionsRequest slow = FLOWBRIDGE__V1__SET_CONDITIONS_REQUEST__INIT;
    Flowbridge__V1__SetConditionsRequest clear = FLOWBRIDGE__V1__SET_CONDITIONS_REQUEST__INIT;
    Flowbridge__V1__CallCondition condition = FLOWBRIDGE__V1__CALL_CONDITION__INIT;
    Flowbridge__V1__GetFlowRequest flow = FLOWBRIDGE__V1__GET_FLOW_REQUEST__INIT;
    Flowbridge__V1__PingRequest ping = FLOWBRIDGE__V1__PING_REQUEST__INIT;
    condition.method = "get_flow";
    condition.latency_ms = 60000;
    slow.n_calls = 1;
    slow.calls = (Flowbridge__V1__CallCondition *[]){&condition};
    check(bridge, BRIDGE_CALL(bridge, SET_CONDITIONS, set_conditions, &slow));
    flow.placement_id = "onboarding";
    printf("13 get_flow error ");
    if (!bridge_call(bridge, &(ClientFrame){BRIDGE_FRAME(GET_FLOW, get_flow, &flow)}, 0.2))
        print_error(bridge_last_error(bridge));
    ping.payload = (ProtobufCBinaryData){10, (uint8_t *)"still here"};
    ProtobufCBinaryData echo = check(bridge, BRIDGE_CALL(bridge, PING, ping, &ping))->ping->payload;
    printf("14 ping ");
    print_quoted((const char *)echo.data, echo.len);
    putchar('\n');
    clear.clear = true;
    check(bridge, BRIDGE_CALL(bridge, SET_CONDITIONS, set_conditions, &clear));
}

/* Misses three events, and gets them from the record. */
static struct bridge *come_back(struct bridge *bridge) {
    bridge_close(bridge);
    struct bridge *other = connected("conformance while away");
    attach(other);
    for (int number = 1; number <= 3; number++) {
        Flowbridge__V1__CustomAttribute missed[] = {ATTRIBUTE("missed", DOUBLE, double_, number)};
        update(other, false, 1, missed);
    }
    bridge_close(other);
    bridge = connected("conformance again");
    attach(bridge);
    subscribe(bridge, "conformance", FIRST_MISSED);
    Flowbridge__V1__CustomAttribute removal[] = {ATTRIBUTE("missed", REMOVE, remove, true)};
    update(bridge, false, 1, removal);
    puts("15 reconnect");
    show_events(bridge);
    return bridge;
}

/* Types so much that a reader that does not read is told that it lags. */
static uint64_t type_a_lot(struct bridge *reader) {
    struct bridge *writer = connected("conformance lag");
    open_device(writer, "lag");
    activate(writer);
    char *view = show_flow(writer, "onboarding", NULL);
    uint64_t begin = subscribe(reader, "lag", 0);
    char text[LONG_BYTES + 1] = "";
    for (int i = 0; i < LONG_INPUTS; i++) {
        memset(text, "xy"[i % 2], LONG_BYTES); /* what is there already would be no input */
        struct gesture steps[] = {
            {"focus", "name", NULL}, {"enter_text", NULL, text}, {"blur", NULL, NULL}};
        for (int k = 0; k < 3; k++)
            if (!perform(writer, view, &steps[k]))
                check(writer, NULL);
    }
    free(view);
    bridge_close(writer);
    return begin;
}

/* Counts in `count` how often each of the inputs was seen, from the record if it was missed. */
static void read_missed(struct bridge *reader, uint64_t begin, int count[], const bool missed[]) {
    Flowbridge__V1__GetEventsRequest request = FLOWBRIDGE__V1__GET_EVENTS_REQUEST__INIT;
    request.device = "lag";
    request.from_sequence = begin;
    request.page_size = 8;
    for (bool at_end = false; !at_end;) {
        const Flowbridge__V1__GetEventsReply *page =
            check(reader, BRIDGE_CALL(reader, GET_EVENTS, get_events, &request))->get_events;
        for (size_t i = 0; i < page->n_events; i++)
            if (missed[page->events[i]->sequence - begin])
                count[page->events[i]->sequence - begin]++;
        request.from_sequence = page->next_from_sequence;
        at_end = page->at_end;
    }
}

static void lag(struct bridge *reader) {
    uint64_t begin = type_a_lot(reader);
    int count[LONG_INPUTS + 8] = {0}, seen = 0, lost = 0;
    bool missed[LONG_INPUTS + 8] = {false}, whole = true;
    const Event *event;
    while (seen + lost < LONG_INPUTS && (event = bridge_next_event(reader, 10))) {
        if (event->kind_case == FLOWBRIDGE__V1__EVENT__KIND_LAGGED) {
            for (uint64_t i = event->lagged->from_sequence; i <= event->lagged->to_sequence; i++) {
                missed[i - begin] = true;
                lost++;
            }
        } else {
            count[event->sequence - begin]++;
            seen++;
        }
    }
    printf("16 lagged %s\n", lost ? "told" : "nothing");
    read_missed(reader, begin, count, missed);
    for (int i = 0; i < LONG_INPUTS; i++)
        whole = whole && count[i] == 1;
    printf("17 get_events %s\n", whole ? "nothing missing, nothing twice" : "not the missing ones");
}

/* A length of 0: answered, then closed. */
static void break_the_framing(void) {
    char path[4096], why[512];
    uint8_t answer[4096];
    size_t length = 0;
    int fd = bridge_default_path(path, why) ? bridge_connect(path, why) : -1;
    if (fd < 0 || write(fd, "\0\0\0", 4) != 4)
        exit(1);
    for (ssize_t count; (count = read(fd, answer + length, sizeof answer - length)) > 0;)
        length += (size_t)count;
    close(fd);
    ServerFrame *frame = flowbridge__v1__server_frame__unpack(NULL, length - 4, answer + 4);
    printf("18 broken framing id %" PRIu64 " error bridge %s, then the end\n", frame->id,
           protobuf_c_enum_descriptor_get_value(&flowbridge__v1__error__bridge__descriptor,
                                                (int)frame->error->bridge)->name);
    flowbridge__v1__server_frame__free_unpacked(frame, NULL);
}

/* The golden frames */

static const char *golden_folder(void) {
    const char *named = getenv("FLOWBRIDGE_GOLDEN");
    return named ? named : "proto/golden";
}

/* Reads a commented hex file; gives the length of the message, which begins at bytes + 4. */
static size_t read_golden(const char *name, uint8_t bytes[GOLDEN_MAX]) {
    char path[4096], line[1024];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s.hex", golden_folder(), name);
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "#\n")] = '\0';
        int used;
        for (char *at = line; sscanf(at, "%2hhx%n", &bytes[length], &used) == 1; at += used)
            length++;
    }
    fclose(file);
    return length - 4;
}

static ServerFrame *golden(const char *name) {
    uint8_t bytes[GOLDEN_MAX];
    size_t length = read_golden(name, bytes);
    ServerFrame *frame = flowbridge__v1__server_frame__unpack(NULL, length, bytes + 4);
    if (!frame)
        exit(1);
    return frame;
}

/* Whether a golden frame can be read, and its message gives the same bytes again. */
static bool is_read(const char *name) {
    uint8_t bytes[GOLDEN_MAX], again[GOLDEN_MAX];
    size_t length = read_golden(name, bytes);
    const ProtobufCMessageDescriptor *kind = strncmp(name, "client/", 7) == 0
                                                 ? &flowbridge__v1__client_frame__descriptor
                                                 : &flowbridge__v1__server_frame__descriptor;
    ProtobufCMessage *message = protobuf_c_message_unpack(kind, NULL, length, bytes + 4);
    if (!message)
        return false;
    bool same = protobuf_c_message_get_packed_size(message) == length &&
                protobuf_c_message_pack(message, again) == length &&
                memcmp(bytes + 4, again, length) == 0;
    protobuf_c_message_free_unpacked(message, NULL);
    return same || strncmp(name, "read/", 5) == 0; /* of those, the bytes are unusual */
}

static int is_hex(const struct dirent *entry) {
    const char *end = strrchr(entry->d_name, '.');
    return end && strcmp(end, ".hex") == 0;
}

static void read_all_golden_frames(void) {
    const char *folders[] = {"client", "read", "server"};
    int found = 0, wrong = 0;
    printf("22 golden frames");
    for (int i = 0; i < 3; i++) {
        char path[4096], name[512];
        struct dirent **entries;
        snprintf(path, sizeof path, "%s/%s", golden_folder(), folders[i]);
        int count = scandir(path, &entries, is_hex, alphasort);
        for (int k = 0; k < count; k++, found++) {
            snprintf(name, sizeof name, "%s/%.*s", folders[i],
                     (int)strcspn(entries[k]->d_name, "."), entries[k]->d_name);
            if (!is_read(name))
                wrong += printf(" %s", name) > 0;
            free(entries[k]);
        }
        if (count >= 0)
            free(entries);
    }
    puts(found && !wrong ? " all read" : "");
}

static void read_golden_frames(void) {
    const char *kinds[] = {"string", "int64", "double", "bool", "string-list", "none"};
    ServerFrame *newer = golden("read/unknown-event-kind");
    printf("19 ");
    print_event(newer->event);
    flowbridge__v1__server_frame__free_unpacked(newer, NULL);
    ServerFrame *fields = golden("read/unknown-fields");
    printf("20 unknown fields id %" PRIu64 " ping ", fields->id);
    print_quoted((const char *)fields->ping->payload.data, fields->ping->payload.len);
    putchar('\n');
    flowbridge__v1__server_frame__free_unpacked(fields, NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[64];
        snprintf(name, sizeof name, "server/value-%s", kinds[i]);
        ServerFrame *frame = golden(name);
        printf("21 ");
        print_event(frame->event);
        flowbridge__v1__server_frame__free_unpacked(frame, NULL);
    }
    read_all_golden_frames();
}

int main(int count, char *arguments[]) {
    if (count > 1 && strcmp(arguments[1], "binary") != 0) {
        fputs("usage: conformance binary\n", stderr);
        return 2;
    }
    struct bridge *bridge = connected("conformance");
    greet_and_open(bridge);
    drive(bridge);
    update_profile(bridge);
    give_up_a_call(bridge);
    bridge = come_back(bridge);
    lag(bridge);
    bridge_close(bridge);
    break_the_framing();
    read_golden_frames();
}
