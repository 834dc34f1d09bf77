/*
 * Registers a user through the sample flow, as an app would.
 *
 * One program plays both parts: the app, which calls the SDK and listens to its callbacks, and
 * the user's finger, which types and taps. The app keeps the last value of every input; when the
 * flow has disappeared it has all that its own backend needs, and enriches the profile with it.
 */
#define _GNU_SOURCE
#include "gestures.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct gesture gestures[] = {
    {"focus", "name", NULL},
    {"enter_text", NULL, "Jane"},
    {"blur", NULL, NULL},
    {"focus", "email", NULL},
    {"enter_text", NULL, "jane@example.com"},
    {"blur", NULL, NULL},
    {"open_picker", "birthday", NULL},
    {"pick", NULL, "1990-06-15"},
    {"close_picker", NULL, NULL},
    {"tap_button", "next", NULL},
    {"tap_option", "experience", "pro"},
    {"tap_option", "interests", "sports"},
    {"tap_option", "interests", "music"},
    {"tap_toggle", "reminders", NULL},
    {"tap_button", "next", NULL},
    {"tap_button", "done", NULL},
};

/* What the app has collected, each as text; an event carries the whole value of its input. */
static struct {
    char name[128], email[128], birthday[16], experience[64], interests[256], reminders[8];
    bool finished;
} user;

static void say(const char *who, const char *what, const char *details) {
    if (*details)
        printf("%-11s %-28s %s\n", who, what, details);
    else
        printf("%-11s %s\n", who, what);
}

static void say_app(const char *call, const char *details) { say("app", call, details); }

static void check(struct bridge *bridge, const void *answer) {
    if (answer)
        return;
    const struct bridge_error *error = bridge_last_error(bridge);
    fprintf(stderr, "%s: %s\n", error->name, error->message);
    exit(1);
}

static const Value *parameter(const Flowbridge__V1__DidReceiveAnalyticEvent *event,
                              const char *name) {
    for (size_t i = 0; i < event->n_params; i++)
        if (strcmp(event->params[i]->key, name) == 0)
            return event->params[i]->value;
    return NULL;
}

/* A value as JSON. The texts of the sample need no escapes. */
static void print_value(char *out, size_t size, const Value *value, const char *separator) {
    switch (value->kind_case) {
    case FLOWBRIDGE__V1__VALUE__KIND_STRING: snprintf(out, size, "\"%s\"", value->string); break;
    case FLOWBRIDGE__V1__VALUE__KIND_INT64: snprintf(out, size, "%" PRId64, value->int64); break;
    case FLOWBRIDGE__V1__VALUE__KIND_BOOL:
        snprintf(out, size, "%s", value->bool_ ? "true" : "false");
        break;
    case FLOWBRIDGE__V1__VALUE__KIND_STRING_LIST: {
        size_t length = (size_t)snprintf(out, size, "[");
        for (size_t i = 0; i < value->string_list->n_values && length < size; i++)
            length += (size_t)snprintf(out + length, size - length, "%s\"%s\"",
                                       i ? separator : "", value->string_list->values[i]);
        if (length < size)
            snprintf(out + length, size - length, "]");
        break;
    }
    default: snprintf(out, size, "null");
    }
}

/* The event has the instant at which the picked day begins where the user is. It is turned into
 * a day now and in that zone: read later or elsewhere, the instant is another day. */
static void print_day(char out[16], int64_t milliseconds, const char *zone) {
    time_t seconds = milliseconds / 1000; /* a day begins at a whole second */
    struct tm local;
    setenv("TZ", zone, 1);
    tzset();
    localtime_r(&seconds, &local);
    strftime(out, 16, "%Y-%m-%d", &local);
}

/* Keeps what the user has entered. */
static void hear_input(const Event *event) {
    const Flowbridge__V1__DidReceiveAnalyticEvent *input = event->did_receive_analytic_event;
    const char *element = parameter(input, "element_id")->string;
    const Value *value = parameter(input, "value"), *ids = parameter(input, "item_ids");
    if (strcmp(element, "name") == 0)
        snprintf(user.name, sizeof user.name, "%s", value->string);
    else if (strcmp(element, "email") == 0)
        snprintf(user.email, sizeof user.email, "%s", value->string);
    else if (strcmp(element, "birthday") == 0)
        print_day(user.birthday, value->int64, event->time_zone);
    else if (strcmp(element, "experience") == 0)
        snprintf(user.experience, sizeof user.experience, "%s", ids->string_list->values[0]);
    else if (strcmp(element, "interests") == 0)
        print_value(user.interests, sizeof user.interests, ids, ",");
    else if (strcmp(element, "reminders") == 0)
        print_value(user.reminders, sizeof user.reminders, value, ",");
}

/* What is printed of an analytic event. */
static void print_analytic(char *out, size_t size,
                           const Flowbridge__V1__DidReceiveAnalyticEvent *analytic) {
    if (strcmp(analytic->name, "flow_user_input") != 0) {
        snprintf(out, size, "%s", parameter(analytic, "instanceId")->string);
        return;
    }
    const Value *value = parameter(analytic, "value");
    size_t length = (size_t)snprintf(out, size, "%s = ", parameter(analytic, "element_id")->string);
    print_value(out + length, size - length,
                value ? value : parameter(analytic, "item_titles"), ", ");
}

static void hear(const Event *event) {
    char text[512] = "";
    const char *what = kind_name(event);
    switch (event->kind_case) {
    case FLOWBRIDGE__V1__EVENT__KIND_FLOW_DID_DISAPPEAR: user.finished = true; break;
    case FLOWBRIDGE__V1__EVENT__KIND_VIEW_PRESENTED:
        snprintf(text, sizeof text, "%s", event->view_presented->placement_id);
        break;
    case FLOWBRIDGE__V1__EVENT__KIND_DID_PERFORM_ACTION:
        snprintf(text, sizeof text, "%s",
                 protobuf_c_enum_descriptor_get_value(
                     &flowbridge__v1__did_perform_action__kind__descriptor,
                     (int)event->did_perform_action->kind)->name);
        break;
    case FLOWBRIDGE__V1__EVENT__KIND_DID_LOAD_LATEST_PROFILE: {
        const Flowbridge__V1__Profile *profile = event->did_load_latest_profile->profile;
        for (size_t i = 0; i < profile->n_custom_attributes; i++)
            snprintf(text, sizeof text, "%s = \"%s\"", profile->custom_attributes[i]->key,
                     profile->custom_attributes[i]->value->string);
        break;
    }
    case FLOWBRIDGE__V1__EVENT__KIND_DID_RECEIVE_ANALYTIC_EVENT:
        what = event->did_receive_analytic_event->name;
        print_analytic(text, sizeof text, event->did_receive_analytic_event);
        if (strcmp(what, "flow_user_input") == 0)
            hear_input(event);
        break;
    default: break;
    }
    if (what) /* else of a newer broker */
        say("  callback", what, text);
}

/* Takes the callbacks that have come: those of a call are there before its answer. */
static void listen_to(struct bridge *bridge) {
    const Event *event;
    while ((event = bridge_next_event(bridge, 0)))
        hear(event);
}

static void open_phone(struct bridge *bridge) {
    Flowbridge__V1__OpenDeviceRequest open = FLOWBRIDGE__V1__OPEN_DEVICE_REQUEST__INIT;
    Flowbridge__V1__SubscribeRequest subscribe = FLOWBRIDGE__V1__SUBSCRIBE_REQUEST__INIT;
    Flowbridge__V1__ActivateRequest activate = FLOWBRIDGE__V1__ACTIVATE_REQUEST__INIT;
    char device[64];
    snprintf(device, sizeof device, "phone-%lx", (unsigned long)time(NULL));
    open.device = subscribe.device = device;
    open.time_zone = "Asia/Kolkata";
    activate.api_key = "public_live_sample";
    say_app("open_device", open.time_zone);
    check(bridge, BRIDGE_CALL(bridge, OPEN_DEVICE, open_device, &open));
    check(bridge, BRIDGE_CALL(bridge, SUBSCRIBE, subscribe, &subscribe));
    say_app("activate", "");
    check(bridge, BRIDGE_CALL(bridge, ACTIVATE, activate, &activate));
    listen_to(bridge);
}

static void use_flow(struct bridge *bridge) {
    char *view = show_flow(bridge, "onboarding", say_app);
    check(bridge, view);
    listen_to(bridge);
    for (size_t i = 0; i < sizeof gestures / sizeof *gestures; i++) {
        const struct gesture *gesture = &gestures[i];
        char text[128];
        snprintf(text, sizeof text, "%s%s%s", gesture->element ? gesture->element : "",
                 gesture->element && gesture->detail ? " " : "",
                 gesture->detail ? gesture->detail : "");
        say("finger", gesture->name, text);
        check(bridge, perform(bridge, view, gesture) ? view : NULL);
        listen_to(bridge);
    }
    free(view);
}

static void enrich_profile(struct bridge *bridge) {
    Flowbridge__V1__UpdateProfileRequest update = FLOWBRIDGE__V1__UPDATE_PROFILE_REQUEST__INIT;
    Flowbridge__V1__CustomAttribute experience = FLOWBRIDGE__V1__CUSTOM_ATTRIBUTE__INIT;
    experience.key = "experience";
    experience.change_case = FLOWBRIDGE__V1__CUSTOM_ATTRIBUTE__CHANGE_STRING;
    experience.string = user.experience;
    update.first_name = user.name;
    update.email = user.email;
    update.birthday = user.birthday;
    update.n_custom_attributes = 1;
    update.custom_attributes = (Flowbridge__V1__CustomAttribute *[]){&experience};
    say_app("update_profile", "first name, email, birthday, experience");
    check(bridge, BRIDGE_CALL(bridge, UPDATE_PROFILE, update_profile, &update));
    listen_to(bridge);
}

static void title(const char *text) {
    printf("\n%s\n", text);
    for (size_t i = strlen(text); i > 0; i--)
        putchar('-');
    putchar('\n');
}

int main(void) {
    struct bridge *bridge = bridge_open("register_user.c", NULL);
    if (!bridge) {
        fprintf(stderr, "%s\n", bridge_failure());
        return 1;
    }
    title("A user registers");
    open_phone(bridge);
    use_flow(bridge);
    if (!user.finished) {
        fputs("the flow is still on screen: nothing is sent\n", stderr);
        return 1;
    }
    title("One request to the app's own backend");
    printf("POST /users\n{\"birthday\":\"%s\",\"email\":\"%s\",\"experience\":\"%s\","
           "\"interests\":%s,\"name\":\"%s\",\"reminders\":%s}\n",
           user.birthday, user.email, user.experience, user.interests, user.name, user.reminders);
    title("The profile, enriched");
    enrich_profile(bridge);
    bridge_close(bridge);
}
