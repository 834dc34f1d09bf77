/* The gestures of the programs here, as a table: what, where, and with which text or option. */
#ifndef GESTURES_H
#define GESTURES_H

#include "flowbridge.h"

struct gesture {
    const char *name;    /* as the protocol has it, such as "tap_button" */
    const char *element; /* or NULL */
    const char *detail;  /* the text, the option, or the day */
};

/* Performs it on the view; false: see bridge_last_error. */
bool perform(struct bridge *bridge, const char *view, const struct gesture *gesture);

/* From a placement to a view on screen; the view's id is for the caller to free. Each call is
 * told to `say` first, if that is not NULL. */
char *show_flow(struct bridge *bridge, const char *placement,
                void (*say)(const char *call, const char *details));

/* The name of an event's kind, such as "flow_did_appear", or NULL for one of a newer broker. */
const char *kind_name(const Event *event);

#endif
