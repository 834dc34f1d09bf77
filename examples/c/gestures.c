#include "gestures.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fills in the member of the gesture and sends the request; the message lives that long. */
#define PERFORM(CASE, member_, Type, INIT, ...)                                                    \
    do {                                                                                           \
        Flowbridge__V1__##Type message = FLOWBRIDGE__V1__##INIT##__INIT;                           \
        __VA_ARGS__;                                                                               \
        request.gesture_case = FLOWBRIDGE__V1__PERFORM_REQUEST__GESTURE_##CASE;                    \
        request.member_ = &message;                                                                \
        return BRIDGE_CALL(bridge, PERFORM, perform, &request) != NULL;                            \
    } while (0)

bool perform(struct bridge *bridge, const char *view, const struct gesture *gesture) {
    Flowbridge__V1__PerformRequest request = FLOWBRIDGE__V1__PERFORM_REQUEST__INIT;
    Flowbridge__V1__CivilDate date = FLOWBRIDGE__V1__CIVIL_DATE__INIT;
    char *element = (char *)gesture->element, *detail = (char *)gesture->detail;
    const char *name = gesture->name;
    request.view_id = (char *)view;
    if (strcmp(name, "focus") == 0)
        PERFORM(FOCUS, focus, FocusGesture, FOCUS_GESTURE, message.element_id = element);
    if (strcmp(name, "enter_text") == 0)
        PERFORM(ENTER_TEXT, enter_text, EnterTextGesture, ENTER_TEXT_GESTURE,
                message.text = detail);
    if (strcmp(name, "blur") == 0)
        PERFORM(BLUR, blur, BlurGesture, BLUR_GESTURE, );
    if (strcmp(name, "open_picker") == 0)
        PERFORM(OPEN_PICKER, open_picker, OpenPickerGesture, OPEN_PICKER_GESTURE,
                message.element_id = element);
    if (strcmp(name, "pick") == 0 &&
        sscanf(detail, "%d-%d-%d", &date.year, &date.month, &date.day) == 3)
        PERFORM(PICK, pick, PickGesture, PICK_GESTURE, message.date = &date);
    if (strcmp(name, "close_picker") == 0)
        PERFORM(CLOSE_PICKER, close_picker, ClosePickerGesture, CLOSE_PICKER_GESTURE, );
    if (strcmp(name, "tap_button") == 0)
        PERFORM(TAP_BUTTON, tap_button, TapButtonGesture, TAP_BUTTON_GESTURE,
                message.element_id = element);
    if (strcmp(name, "tap_toggle") == 0)
        PERFORM(TAP_TOGGLE, tap_toggle, TapToggleGesture, TAP_TOGGLE_GESTURE,
                message.element_id = element);
    if (strcmp(name, "tap_option") == 0)
        PERFORM(TAP_OPTION, tap_option, TapOptionGesture, TAP_OPTION_GESTURE,
                message.element_id = element, message.option_id = detail);
    fprintf(stderr, "no such gesture: %s\n", name);
    abort();
}

char *show_flow(struct bridge *bridge, const char *placement,
                void (*say)(const char *call, const char *details)) {
    Flowbridge__V1__GetFlowRequest flow = FLOWBRIDGE__V1__GET_FLOW_REQUEST__INIT;
    Flowbridge__V1__GetFlowConfigurationRequest configuration =
        FLOWBRIDGE__V1__GET_FLOW_CONFIGURATION_REQUEST__INIT;
    Flowbridge__V1__CreateFlowControllerRequest controller =
        FLOWBRIDGE__V1__CREATE_FLOW_CONTROLLER_REQUEST__INIT;
    Flowbridge__V1__PresentRequest present = FLOWBRIDGE__V1__PRESENT_REQUEST__INIT;
    const ServerFrame *reply;
    char text[256], *view = NULL;

    if (say)
        say("get_flow", placement);
    flow.placement_id = (char *)placement;
    if (!(reply = BRIDGE_CALL(bridge, GET_FLOW, get_flow, &flow)))
        return NULL;
    snprintf(text, sizeof text, "%s, locale en", reply->get_flow->flow->name);
    if (say)
        say("get_flow_configuration", text);
    /* A reply is valid until the next call, so what is needed longer is copied. */
    configuration.variation_id = strdup(reply->get_flow->flow->variation_id);
    configuration.locale = "en";
    reply = BRIDGE_CALL(bridge, GET_FLOW_CONFIGURATION, get_flow_configuration, &configuration);
    free(configuration.variation_id);
    if (!reply)
        return NULL;
    if (say)
        say("create_flow_controller", "");
    controller.configuration_id = strdup(reply->get_flow_configuration->configuration_id);
    reply = BRIDGE_CALL(bridge, CREATE_FLOW_CONTROLLER, create_flow_controller, &controller);
    free(controller.configuration_id);
    if (!reply)
        return NULL;
    if (say)
        say("present", "");
    present.view_id = view = strdup(reply->create_flow_controller->view_id);
    if (BRIDGE_CALL(bridge, PRESENT, present, &present))
        return view;
    free(view);
    return NULL;
}

const char *kind_name(const Event *event) {
    const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(
        &flowbridge__v1__event__descriptor, event->kind_case);
    return event->kind_case ? field->name : NULL;
}
