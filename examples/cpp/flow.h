// From a placement to a view on screen, and the user's finger on it.
#pragma once

#include "flowbridge.h"
#include <cstdio>
#include <functional>

namespace flowbridge {

/// One touch: its name in the protocol, what is printed of it, and the request.
struct Gesture {
    std::string name, details;
    v1::PerformRequest request{};
};

inline Gesture focus(const std::string &element) {
    Gesture made{"focus", element};
    made.request.mutable_focus()->set_element_id(element);
    return made;
}

inline Gesture enter_text(const std::string &text) {
    Gesture made{"enter_text", text};
    made.request.mutable_enter_text()->set_text(text);
    return made;
}

inline Gesture blur() {
    Gesture made{"blur", ""};
    made.request.mutable_blur();
    return made;
}

inline Gesture open_picker(const std::string &element) {
    Gesture made{"open_picker", element};
    made.request.mutable_open_picker()->set_element_id(element);
    return made;
}

inline Gesture pick(int year, int month, int day) {
    char text[32];
    snprintf(text, sizeof text, "%d-%02d-%02d", year, month, day);
    Gesture made{"pick", text};
    auto &date = *made.request.mutable_pick()->mutable_date();
    date.set_year(year);
    date.set_month(month);
    date.set_day(day);
    return made;
}

inline Gesture close_picker() {
    Gesture made{"close_picker", ""};
    made.request.mutable_close_picker();
    return made;
}

inline Gesture tap_button(const std::string &element) {
    Gesture made{"tap_button", element};
    made.request.mutable_tap_button()->set_element_id(element);
    return made;
}

inline Gesture tap_option(const std::string &element, const std::string &option) {
    Gesture made{"tap_option", element + " " + option};
    made.request.mutable_tap_option()->set_element_id(element);
    made.request.mutable_tap_option()->set_option_id(option);
    return made;
}

inline Gesture tap_toggle(const std::string &element) {
    Gesture made{"tap_toggle", element};
    made.request.mutable_tap_toggle()->set_element_id(element);
    return made;
}

inline void perform(Bridge &bridge, const std::string &view, const Gesture &gesture) {
    v1::ClientFrame request;
    *request.mutable_perform() = gesture.request;
    request.mutable_perform()->set_view_id(view);
    bridge.call(request);
}

/// Fetches the flow of the placement and presents it; gives the id of its view. Tells each call
/// before it makes it.
inline std::string show_flow(
    Bridge &bridge, const std::string &placement,
    const std::function<void(const std::string &call, const std::string &details)> &tell) {
    v1::ClientFrame get, configure, create, present;
    tell("get_flow", placement);
    get.mutable_get_flow()->set_placement_id(placement);
    v1::Flow flow = bridge.call(get).get_flow().flow();
    tell("get_flow_configuration", flow.name() + ", locale en");
    configure.mutable_get_flow_configuration()->set_variation_id(flow.variation_id());
    configure.mutable_get_flow_configuration()->set_locale("en");
    auto id = bridge.call(configure).get_flow_configuration().configuration_id();
    tell("create_flow_controller", "");
    create.mutable_create_flow_controller()->set_configuration_id(id);
    auto view = bridge.call(create).create_flow_controller().view_id();
    tell("present", "");
    present.mutable_present()->set_view_id(view);
    bridge.call(present);
    return view;
}

/// The name of an event's kind, such as flow_did_appear; empty for one of a newer broker.
inline std::string kind_name(const v1::Event &event) {
    auto field = v1::Event::descriptor()->FindFieldByNumber(event.kind_case());
    return field ? std::string(field->name()) : "";
}

} // namespace flowbridge
