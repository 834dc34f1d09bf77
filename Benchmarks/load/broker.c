#include "broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../wire/frames.h"
#include "../wire/unix_socket.h"

// Short names for the generated ones, which repeat package and message.
typedef Flowbridge__V1__ClientFrame ClientFrame;
typedef Flowbridge__V1__ServerFrame ServerFrame;
#define BODY(name) FLOWBRIDGE__V1__CLIENT_FRAME__BODY_##name
#define NEW_FRAME(name, member) \
    {PROTOBUF_C_MESSAGE_INIT(&flowbridge__v1__client_frame__descriptor), .id = 1, \
     .body_case = BODY(name), {.member = &request}}

struct message pack_frame(const ClientFrame *frame)
{
    size_t body = flowbridge__v1__client_frame__get_packed_size(frame);
    struct message message = {malloc(FRAME_HEADER + body), FRAME_HEADER + body};
    if (message.bytes == NULL)
        fail("malloc");
    frame_header(message.bytes, (uint32_t)body);
    flowbridge__v1__client_frame__pack(frame, message.bytes + FRAME_HEADER);
    return message;
}

static void read_exactly(int fd, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t got = read(fd, bytes, count);
        if (got <= 0) {
            fprintf(stderr, "the broker closed the connection\n");
            exit(1);
        }
        bytes += got;
        count -= (size_t)got;
    }
}

static ServerFrame *read_frame(int fd)
{
    uint8_t header[FRAME_HEADER];
    read_exactly(fd, header, sizeof header);
    uint32_t length = (uint32_t)header[0] << 24 | (uint32_t)header[1] << 16 |
                      (uint32_t)header[2] << 8 | header[3];
    uint8_t *body = malloc(length);
    if (body == NULL)
        fail("malloc");
    read_exactly(fd, body, length);
    ServerFrame *frame = flowbridge__v1__server_frame__unpack(NULL, length, body);
    free(body);
    if (frame == NULL) {
        fprintf(stderr, "a frame of %u bytes cannot be decoded\n", length);
        exit(1);
    }
    return frame;
}

static void stop_on_error(const ServerFrame *frame)
{
    if (frame->body_case != FLOWBRIDGE__V1__SERVER_FRAME__BODY_ERROR)
        return;
    const Flowbridge__V1__Error *error = frame->error;
    int code = error->sdk != NULL ? error->sdk->code : (int)error->bridge;
    const char *text = error->message;
    if (error->sdk != NULL && !*text)
        text = error->sdk->message;
    fprintf(stderr, "the broker answers error %d: %s\n", code, text);
    exit(1);
}

ServerFrame *broker_call(int fd, ClientFrame *frame)
{
    struct message message = pack_frame(frame);
    if (!write_all(fd, message.bytes, message.count))
        fail("write");
    free(message.bytes);
    for (;;) {
        ServerFrame *answer = read_frame(fd);
        stop_on_error(answer);
        if (answer->id == frame->id)
            return answer;
        flowbridge__v1__server_frame__free_unpacked(answer, NULL);
    }
}

static void call_and_drop(int fd, ClientFrame *frame)
{
    flowbridge__v1__server_frame__free_unpacked(broker_call(fd, frame), NULL);
}

int broker_connect(const char *path)
{
    int fd = socket_connect(path);
    Flowbridge__V1__HelloRequest request = FLOWBRIDGE__V1__HELLO_REQUEST__INIT;
    request.protocol_major = 1;
    request.client_name = "bridge-load";
    ClientFrame frame = NEW_FRAME(HELLO, hello);
    call_and_drop(fd, &frame);
    return fd;
}

void broker_open_device(int fd, const char *device)
{
    Flowbridge__V1__OpenDeviceRequest request = FLOWBRIDGE__V1__OPEN_DEVICE_REQUEST__INIT;
    request.device = (char *)device;
    ClientFrame frame = NEW_FRAME(OPEN_DEVICE, open_device);
    call_and_drop(fd, &frame);
}

void broker_subscribe(int fd, const char *device)
{
    Flowbridge__V1__SubscribeRequest request = FLOWBRIDGE__V1__SUBSCRIBE_REQUEST__INIT;
    request.device = (char *)device;
    ClientFrame frame = NEW_FRAME(SUBSCRIBE, subscribe);
    call_and_drop(fd, &frame);
}

void broker_activate(int fd)
{
    Flowbridge__V1__ActivateRequest request = FLOWBRIDGE__V1__ACTIVATE_REQUEST__INIT;
    request.api_key = "public_live_sample";
    ClientFrame frame = NEW_FRAME(ACTIVATE, activate);
    call_and_drop(fd, &frame);
}

ServerFrame *broker_get_flow(int fd, char *placement_id)
{
    Flowbridge__V1__GetFlowRequest request = FLOWBRIDGE__V1__GET_FLOW_REQUEST__INIT;
    request.placement_id = placement_id;
    ClientFrame frame = NEW_FRAME(GET_FLOW, get_flow);
    return broker_call(fd, &frame);
}

static ServerFrame *get_configuration(int fd, char *variation_id)
{
    Flowbridge__V1__GetFlowConfigurationRequest request =
        FLOWBRIDGE__V1__GET_FLOW_CONFIGURATION_REQUEST__INIT;
    request.variation_id = variation_id;
    ClientFrame frame = NEW_FRAME(GET_FLOW_CONFIGURATION, get_flow_configuration);
    return broker_call(fd, &frame);
}

static ServerFrame *create_view(int fd, char *configuration_id)
{
    Flowbridge__V1__CreateFlowControllerRequest request =
        FLOWBRIDGE__V1__CREATE_FLOW_CONTROLLER_REQUEST__INIT;
    request.configuration_id = configuration_id;
    ClientFrame frame = NEW_FRAME(CREATE_FLOW_CONTROLLER, create_flow_controller);
    return broker_call(fd, &frame);
}

static void present(int fd, char *view_id)
{
    Flowbridge__V1__PresentRequest request = FLOWBRIDGE__V1__PRESENT_REQUEST__INIT;
    request.view_id = view_id;
    ClientFrame frame = NEW_FRAME(PRESENT, present);
    call_and_drop(fd, &frame);
}

void broker_open_session(int fd, const char *device, char view_id[VIEW_ID_MAX])
{
    broker_open_device(fd, device);
    broker_activate(fd);
    ServerFrame *flow = broker_get_flow(fd, "onboarding");
    ServerFrame *configuration = get_configuration(fd, flow->get_flow->flow->variation_id);
    ServerFrame *view = create_view(fd, configuration->get_flow_configuration->configuration_id);
    snprintf(view_id, VIEW_ID_MAX, "%s", view->create_flow_controller->view_id);
    present(fd, view_id);
    flowbridge__v1__server_frame__free_unpacked(flow, NULL);
    flowbridge__v1__server_frame__free_unpacked(configuration, NULL);
    flowbridge__v1__server_frame__free_unpacked(view, NULL);
}

void broker_go_to_quiz(int fd, char *view_id)
{
    Flowbridge__V1__TapButtonGesture gesture = FLOWBRIDGE__V1__TAP_BUTTON_GESTURE__INIT;
    gesture.element_id = "next";
    Flowbridge__V1__PerformRequest request = FLOWBRIDGE__V1__PERFORM_REQUEST__INIT;
    request.view_id = view_id;
    request.gesture_case = FLOWBRIDGE__V1__PERFORM_REQUEST__GESTURE_TAP_BUTTON;
    request.tap_button = &gesture;
    ClientFrame frame = NEW_FRAME(PERFORM, perform);
    call_and_drop(fd, &frame);
}
