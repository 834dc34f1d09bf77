/*
 * A small client of the Flowbridge broker: binary frames over its Unix socket, libprotobuf-c.
 *
 *     struct bridge *bridge = bridge_open("my program", NULL);
 *     Flowbridge__V1__SubscribeRequest subscribe = FLOWBRIDGE__V1__SUBSCRIBE_REQUEST__INIT;
 *     BRIDGE_CALL(bridge, SUBSCRIBE, subscribe, &subscribe);
 *     while ((event = bridge_next_event(bridge, 0)) != NULL) …
 *
 * One connection belongs to one thread. See docs/protocol.md.
 */
#ifndef FLOWBRIDGE_H
#define FLOWBRIDGE_H

#include "flowbridge/v1/frame.pb-c.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The generated names are long: Flowbridge__V1__Event. These are the frequent ones. */
typedef Flowbridge__V1__ClientFrame ClientFrame;
typedef Flowbridge__V1__ServerFrame ServerFrame;
typedef Flowbridge__V1__Event Event;
typedef Flowbridge__V1__Value Value;

enum { BRIDGE_FRAME_MAX = 1 << 20, BRIDGE_PATH_MAX = 107 };

/* Why a call failed: a fault of the bridge, or what the SDK itself would have thrown. */
struct bridge_error {
    bool is_sdk;
    int code;          /* Error.Bridge, or the SDK's number such as 2002 */
    char name[64];     /* "WRONG_STATE", or the SDK's name such as "notActivated" */
    char field[128];   /* a dotted path, or empty */
    char message[512]; /* what, which value, which limit, what to do */
    bool retryable;
};

struct bridge;

/* Connects and greets; a NULL path is found by the rules of docs/protocol.md. NULL: see
 * bridge_failure. The broker has to run under this user's uid or root's. */
struct bridge *bridge_open(const char *client_name, const char *path);

/* Why the last bridge_open of this thread gave NULL. */
const char *bridge_failure(void);

/* Closes the connection and frees what came over it. NULL is fine. */
void bridge_close(struct bridge *bridge);

/* What the broker said to the greeting. */
const Flowbridge__V1__WelcomeReply *bridge_welcome(const struct bridge *bridge);

/* Sends a request, whose body the caller has set, and waits for its answer, timeout_s seconds
 * and 0.1 at most. The answer is valid until the next call; NULL: see bridge_last_error. */
const ServerFrame *bridge_call(struct bridge *bridge, ClientFrame *request, double timeout_s);

const struct bridge_error *bridge_last_error(const struct bridge *bridge);

/* The next event of the subscriptions, in order; valid until the next call of this function.
 * Waits timeout_s seconds at most; 0 gives only what has come. NULL: there is none. */
const Event *bridge_next_event(struct bridge *bridge, double timeout_s);

/* One request with its body: the member's name in capitals, its name, and the message. */
#define BRIDGE_CALL(bridge, CASE, member, message)                                                 \
    bridge_call((bridge), &(ClientFrame){BRIDGE_FRAME(CASE, member, message)}, 10.0)

#define BRIDGE_FRAME(CASE, member_, message)                                                       \
    .base = PROTOBUF_C_MESSAGE_INIT(&flowbridge__v1__client_frame__descriptor),                    \
    .body_case = FLOWBRIDGE__V1__CLIENT_FRAME__BODY_##CASE, .member_ = (message)

/* The standard path of the socket; false with a message in `why` when it cannot be trusted. */
bool bridge_default_path(char path[4096], char why[512]);

/* A connected socket whose peer was checked, or -1 with a message in `why`. */
int bridge_connect(const char *path, char why[512]);

#endif
