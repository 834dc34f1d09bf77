// Registers a user through the sample flow, as an app would.
//
// One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
// user's finger, which types and taps. The app keeps the last value of every input; when the flow
// has disappeared it has all that its own backend needs, and enriches the profile with it.

#include "flow.h"
#include <ctime>
#include <iostream>
#include <map>
#include <unistd.h>

using namespace flowbridge;

namespace {

const std::string time_zone = "Asia/Kolkata";
using Params = google::protobuf::Map<std::string, v1::Value>;

const std::vector<Gesture> gestures{
    focus("name"), enter_text("Jane"), blur(),
    focus("email"), enter_text("jane@example.com"), blur(),
    open_picker("birthday"), pick(1990, 6, 15), close_picker(), tap_button("next"),
    tap_option("experience", "pro"), tap_option("interests", "sports"),
    tap_option("interests", "music"), tap_toggle("reminders"), tap_button("next"),
    tap_button("done"),
};

/// The texts of the sample need no escapes; an app would take a JSON library.
std::string quoted(const std::string &text) { return '"' + text + '"'; }

std::string json(const v1::Value &value, const char *separator) {
    switch (value.kind_case()) {
    case v1::Value::kString: return quoted(value.string());
    case v1::Value::kInt64: return std::to_string(value.int64());
    case v1::Value::kDouble: return std::to_string(value.double_());
    case v1::Value::kBool: return value.bool_() ? "true" : "false";
    case v1::Value::kStringList: {
        std::string list;
        for (const auto &text : value.string_list().values())
            list += (list.empty() ? "" : separator) + quoted(text);
        return "[" + list + "]";
    }
    default: return "null";
    }
}

/// The event has the instant at which the picked day begins where the user is. It is turned into
/// a day now and in that zone: read later or elsewhere, the instant is another day.
std::string local_day(int64_t milliseconds, const std::string &zone) {
    setenv("TZ", zone.c_str(), 1);
    tzset();
    time_t seconds = milliseconds / 1000; // a day begins at a whole second
    char text[16];
    strftime(text, sizeof text, "%Y-%m-%d", localtime(&seconds));
    return text;
}

void say(const std::string &who, const std::string &what, const std::string &details = "") {
    char line[512];
    snprintf(line, sizeof line, "%-11s %-28s %s", who.c_str(), what.c_str(), details.c_str());
    std::string text = line;
    std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
}

void say_app(const std::string &call, const std::string &details) { say("app", call, details); }

void title(const std::string &text) {
    std::cout << "\n" << text << "\n" << std::string(text.size(), '-') << "\n";
}

/// The app: it keeps the last value of every input, each as JSON.
class Registration {
public:
    std::map<std::string, std::string> answers;
    bool finished = false;

    void hear(const v1::Event &event) {
        std::string what = kind_name(event), details;
        switch (event.kind_case()) {
        case v1::Event::kFlowDidDisappear: finished = true; break;
        case v1::Event::kViewPresented: details = event.view_presented().placement_id(); break;
        case v1::Event::kDidPerformAction:
            details = v1::DidPerformAction::Kind_Name(event.did_perform_action().kind());
            break;
        case v1::Event::kDidLoadLatestProfile:
            for (const auto &[key, value] :
                 event.did_load_latest_profile().profile().custom_attributes())
                details += key + " = " + quoted(value.string());
            break;
        case v1::Event::kDidReceiveAnalyticEvent:
            what = event.did_receive_analytic_event().name();
            details = hear_analytic(event);
            break;
        default: break;
        }
        say("  callback", what, details);
    }

    /// An answer without the quotes of JSON.
    std::string text(const std::string &element) const {
        const std::string &quoted = answers.at(element);
        return quoted.substr(1, quoted.size() - 2);
    }

private:
    std::string hear_analytic(const v1::Event &event) {
        const Params &params = event.did_receive_analytic_event().params();
        if (event.did_receive_analytic_event().name() != "flow_user_input")
            return params.at("instanceId").string();
        const std::string &element = params.at("element_id").string();
        answers[element] = answer(params, event.time_zone());
        bool one = params.contains("value");
        return element + " = " + json(params.at(one ? "value" : "item_titles"), ", ");
    }

    static std::string answer(const Params &params, const std::string &zone) {
        const std::string &type = params.at("element_type").string();
        if (type == "single_choice")
            return quoted(params.at("item_ids").string_list().values(0));
        if (type == "multi_choice")
            return json(params.at("item_ids"), ",");
        if (type == "date_picker")
            return quoted(local_day(params.at("value").int64(), zone));
        return json(params.at("value"), ",");
    }
};

} // namespace

int main() {
    Bridge bridge("register_user.cc");
    Registration user;
    auto listen = [&] { // those of a call are there before its reply
        for (const v1::Event &event : bridge.take_events())
            user.hear(event);
    };

    title("A user registers");
    const std::string device = "phone-" + std::to_string(getpid());
    v1::ClientFrame open, subscribe, activate, update;
    open.mutable_open_device()->set_device(device);
    open.mutable_open_device()->set_time_zone(time_zone);
    say_app("open_device", time_zone);
    bridge.call(open);
    subscribe.mutable_subscribe()->set_device(device);
    bridge.call(subscribe);
    activate.mutable_activate()->set_api_key("public_live_sample");
    say_app("activate", "");
    bridge.call(activate);
    listen();

    std::string view = show_flow(bridge, "onboarding", say_app);
    listen();
    for (const Gesture &gesture : gestures) {
        say("finger", gesture.name, gesture.details);
        perform(bridge, view, gesture);
        listen();
    }
    if (!user.finished)
        throw std::runtime_error("the flow is still on screen: nothing is sent");

    title("One request to the app's own backend");
    std::string body;
    for (const auto &[element, answer] : user.answers)
        body += (body.empty() ? "" : ",") + quoted(element) + ":" + answer;
    std::cout << "POST /users\n{" << body << "}\n";

    title("The profile, enriched");
    say_app("update_profile", "first name, email, birthday, experience");
    auto &profile = *update.mutable_update_profile();
    profile.set_first_name(user.text("name"));
    profile.set_email(user.text("email"));
    profile.set_birthday(user.text("birthday"));
    auto &experience = *profile.add_custom_attributes();
    experience.set_key("experience");
    experience.set_string(user.text("experience"));
    bridge.call(update);
    listen();
}
