// Goes through the steps of docs/conformance.md and prints the transcript.
//
//     FLOWBRIDGE_SOCKET=… conformance binary|line

#include "flow.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <google/protobuf/util/field_comparator.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <iostream>
#include <memory>
#include <regex>
#include <set>
#include <sys/socket.h>
#include <unistd.h>

using namespace flowbridge;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t big = (UINT64_C(1) << 53) + 1; // no double holds it
constexpr int64_t start_ms = 1767225600000;       // 1 January 2026
constexpr uint64_t first_missed = 18;
constexpr size_t long_inputs = 24, long_bytes = 32000;

Mode mode = Mode::binary;

const std::vector<Gesture> gestures{
    focus("name"), enter_text("Zoë 🙂"), blur(), open_picker("birthday"), pick(1960, 6, 15),
    close_picker(), tap_button("next"), tap_option("experience", "pro"),
    tap_option("interests", "sports"), tap_option("interests", "sports"), tap_toggle("reminders"),
    tap_button("next"), tap_button("done"),
};

// What a line of the transcript looks like

template <typename... Values> std::string format(const char *pattern, Values... values) {
    char text[256];
    snprintf(text, sizeof text, pattern, values...);
    return text;
}

std::string quoted(const std::string &text) {
    std::string shown;
    for (unsigned char byte : text) {
        bool plain = byte >= 0x20 && byte < 0x7f && !strchr("\"%\\", byte);
        shown += plain ? std::string(1, static_cast<char>(byte)) : format("%%%02X", byte);
    }
    return '"' + shown + '"';
}

std::string double_text(double value) {
    return "double=" + (std::isnan(value) ? "nan" : format("%016lx", std::bit_cast<uint64_t>(value)));
}

std::string value_text(const v1::Value &value) {
    switch (value.kind_case()) {
    case v1::Value::kString: return "string=" + quoted(value.string());
    case v1::Value::kInt64: return "int64=" + std::to_string(value.int64());
    case v1::Value::kDouble: return double_text(value.double_());
    case v1::Value::kBool: return value.bool_() ? "bool=true" : "bool=false";
    case v1::Value::kStringList: {
        std::string list;
        for (const auto &text : value.string_list().values())
            list += (list.empty() ? "" : ",") + quoted(text);
        return "string_list=[" + list + "]";
    }
    default: return "none";
    }
}

std::string value_text(const v1::AttributeValue &value) {
    return value.has_double_() ? double_text(value.double_()) : "string=" + quoted(value.string());
}

/// A map of values, ordered by the bytes of the names.
template <typename Map> std::string members(const Map &values) {
    std::string text;
    for (const auto &[name, value] : std::map(values.begin(), values.end()))
        text += " " + name + ":" + value_text(value);
    return text;
}

std::string event_text(const v1::Event &event) {
    std::string kind = kind_name(event), details;
    switch (event.kind_case()) {
    case v1::Event::kDidReceiveAnalyticEvent: {
        const auto &analytic = event.did_receive_analytic_event();
        details = " " + analytic.name() + members(analytic.params());
        break;
    }
    case v1::Event::kDidLoadLatestProfile:
        details = members(event.did_load_latest_profile().profile().custom_attributes());
        break;
    case v1::Event::kDidPerformAction:
        details = " " + v1::DidPerformAction::Kind_Name(event.did_perform_action().kind());
        break;
    case v1::Event::kViewPresented: details = " " + event.view_presented().placement_id(); break;
    default: break;
    }
    return "event " + std::to_string(event.sequence()) + " " +
           (kind.empty() ? "(unknown kind)" : kind) + details;
}

void say(int step, const std::string &text) { std::cout << format("%02d ", step) << text << "\n"; }

void show_events(Bridge &bridge) {
    for (const v1::Event &event : bridge.take_events())
        std::cout << "   " << event_text(event) << "\n";
}

/// Makes a call that has to fail and tells how it did.
template <typename Call> std::string error_text(Call call) {
    try {
        call();
        return "no error";
    } catch (const SdkError &error) {
        return "sdk " + std::to_string(error.code) + " " + error.name;
    } catch (const BridgeError &error) {
        return "bridge " + error.code + (error.field.empty() ? "" : " " + error.field);
    }
}

// The requests of the steps

using Request = v1::ClientFrame;

/// A frame that the function fills in.
template <typename Fill> Request request(Fill fill) {
    Request made;
    fill(made);
    return made;
}

Request open_device(const std::string &device) {
    return request([&](Request &frame) {
        auto &open = *frame.mutable_open_device();
        open.set_device(device);
        open.set_time_zone("Asia/Kolkata");
        open.set_random_seed(big);
        open.mutable_clock()->set_kind(v1::DeviceClock::MANUAL);
        open.mutable_clock()->set_start_ms(start_ms);
    });
}

Request attach() {
    return request([](Request &frame) { frame.mutable_open_device()->set_device("conformance"); });
}

Request subscribe(const std::string &device) {
    return request([&](Request &frame) { frame.mutable_subscribe()->set_device(device); });
}

Request activate() {
    return request([](Request &frame) {
        frame.mutable_activate()->set_api_key("public_live_conformance");
    });
}

Request get_flow() {
    return request([](Request &frame) {
        frame.mutable_get_flow()->set_placement_id("onboarding");
    });
}

Request set_attribute(const std::string &key, double value) {
    return request([&](Request &frame) {
        auto &attribute = *frame.mutable_update_profile()->add_custom_attributes();
        attribute.set_key(key);
        attribute.set_double_(value);
    });
}

Request remove_attribute(const std::string &key) {
    return request([&](Request &frame) {
        auto &attribute = *frame.mutable_update_profile()->add_custom_attributes();
        attribute.set_key(key);
        attribute.set_remove(true);
    });
}

// The steps

std::string show(Bridge &bridge) {
    return show_flow(bridge, "onboarding", [](const std::string &, const std::string &) {});
}

void greet_and_open(Bridge &bridge) {
    say(1, format("hello major %u max_frame %u", bridge.welcome().protocol_major(),
                  bridge.welcome().max_frame()));
    auto opened = bridge.call(open_device("conformance")).open_device();
    say(2, format("open_device created %s time_ms %ld random_seed %lu",
                  opened.created() ? "true" : "false", opened.info().time_ms(),
                  opened.info().random_seed()));
    auto subscribed = bridge.call(subscribe("conformance")).subscribe();
    say(3, format("subscribe next_sequence %lu", subscribed.next_sequence()));
    say(4, "get_profile error " + error_text([&] {
        bridge.call(request([](Request &frame) { frame.mutable_get_profile(); }));
    }));
    bridge.call(activate());
    say(5, "activate");
    show_events(bridge);
}

void drive(Bridge &bridge) {
    v1::Flow flow = bridge.call(get_flow()).get_flow().flow();
    std::string locales;
    for (const auto &config : flow.remote_configs())
        locales += " " + config.locale();
    say(6, "get_flow " + flow.id() + " " + quoted(flow.name()) + " remote configs" + locales);
    std::string view = show(bridge);
    say(7, "present");
    show_events(bridge);
    for (const Gesture &gesture : gestures) {
        perform(bridge, view, gesture);
        say(8, "perform " + gesture.name);
        show_events(bridge);
    }
    say(9, "perform error " + error_text([&] { perform(bridge, "no-such-view", blur()); }));
}

void update_profile(Bridge &bridge) {
    Request set = set_attribute("score", 3.25);
    auto &profile = *set.mutable_update_profile();
    profile.set_first_name("Zoë");
    profile.set_email("zoe@example.com");
    profile.set_birthday("1960-06-15");
    profile.add_custom_attributes()->set_key("experience");
    profile.mutable_custom_attributes(1)->set_string("pro");
    bridge.call(set);
    say(10, "update_profile set");
    show_events(bridge);
    bridge.call(remove_attribute("experience"));
    say(11, "update_profile remove");
    show_events(bridge);
    auto seen = bridge.call(request([](Request &frame) { frame.mutable_inspect_profile(); }))
                    .inspect_profile();
    say(12, "inspect_profile " + quoted(seen.first_name()) + " " + quoted(seen.email()) + " " +
                seen.birthday() + " age " + std::to_string(seen.age()) +
                members(seen.profile().custom_attributes()));
}

/// The clock of the device stands, so only this side can notice that time is up.
void give_up_a_call(Bridge &bridge) {
    bridge.call(request([](Request &frame) {
        auto &condition = *frame.mutable_set_conditions()->add_calls();
        condition.set_method("get_flow");
        condition.set_latency_ms(60000);
    }));
    say(13, "get_flow error " + error_text([&] { bridge.call(get_flow(), Duration(200)); }));
    auto echo = bridge.call(request([](Request &frame) {
        frame.mutable_ping()->set_payload("still here");
    }));
    say(14, "ping " + quoted(echo.ping().payload()));
    bridge.call(request([](Request &frame) { frame.mutable_set_conditions()->set_clear(true); }));
}

/// Misses three events, and gets them from the record.
std::unique_ptr<Bridge> come_back() {
    {
        Bridge other("conformance while away", mode);
        other.call(attach());
        for (double number : {1.0, 2.0, 3.0})
            other.call(set_attribute("missed", number));
    }
    auto bridge = std::make_unique<Bridge>("conformance again", mode);
    bridge->call(attach());
    Request from = subscribe("conformance");
    from.mutable_subscribe()->set_from_sequence(first_missed);
    bridge->call(from);
    bridge->call(remove_attribute("missed"));
    say(15, "reconnect");
    show_events(*bridge);
    return bridge;
}

/// Types so much that a connection that does not read is told that it lags.
uint64_t type_a_lot(Bridge &reader) {
    Bridge writer("conformance lag", mode);
    writer.call(open_device("lag"));
    writer.call(activate());
    std::string view = show(writer);
    uint64_t begin = reader.call(subscribe("lag")).subscribe().next_sequence();
    for (size_t number = 0; number < long_inputs; number++) {
        perform(writer, view, focus("name"));
        perform(writer, view, enter_text(std::string(long_bytes, "xy"[number % 2])));
        perform(writer, view, blur());
    }
    return begin;
}

/// The sequences of the record, page by page.
std::vector<uint64_t> recorded(Bridge &bridge, uint64_t begin) {
    std::vector<uint64_t> found;
    v1::GetEventsReply page;
    page.set_next_from_sequence(begin);
    while (!page.at_end()) {
        page = bridge.call(request([&](Request &frame) {
                   auto &get = *frame.mutable_get_events();
                   get.set_device("lag");
                   get.set_from_sequence(page.next_from_sequence());
                   get.set_page_size(8);
               })).get_events();
        for (const auto &event : page.events())
            found.push_back(event.sequence());
    }
    return found;
}

void lag(Bridge &reader) {
    uint64_t begin = type_a_lot(reader);
    std::vector<uint64_t> seen;
    std::set<uint64_t> missed;
    while (seen.size() + missed.size() < long_inputs) {
        v1::Event event = reader.next_event(std::chrono::seconds(10)).value();
        if (!event.has_lagged())
            seen.push_back(event.sequence());
        for (auto n = event.lagged().from_sequence();
             event.has_lagged() && n <= event.lagged().to_sequence(); n++)
            missed.insert(n);
    }
    say(16, missed.empty() ? "lagged nothing" : "lagged told");
    for (uint64_t sequence : recorded(reader, begin))
        if (missed.contains(sequence))
            seen.push_back(sequence);
    std::sort(seen.begin(), seen.end());
    bool whole = seen.size() == long_inputs;
    for (size_t i = 0; i < seen.size(); i++)
        whole = whole && seen[i] == begin + i;
    say(17, std::string("get_events ") +
                (whole ? "nothing missing, nothing twice" : "not the missing ones"));
}

/// A length of 0, or a line that is no JSON object: answered, then closed.
void break_the_framing() {
    int fd = flowbridge::connect();
    std::string broken = mode == Mode::line ? "GET / HTTP/1.1\r\n\r\n" : std::string(4, '\0');
    std::string received;
    char chunk[4096];
    if (send(fd, broken.data(), broken.size(), MSG_NOSIGNAL) < 0)
        throw std::runtime_error("send");
    for (ssize_t count; (count = recv(fd, chunk, sizeof chunk, 0)) > 0;)
        received.append(chunk, static_cast<size_t>(count));
    close(fd);
    v1::ServerFrame answer = take_frame(received, mode).value();
    say(18, "broken framing id " + std::to_string(answer.id()) + " error bridge " +
                BridgeError(answer.error()).code + ", then the end");
}

// The golden frames

fs::path golden_folder() {
    const char *named = getenv("FLOWBRIDGE_GOLDEN");
    return named ? named : "proto/golden";
}

std::string file(const std::string &name) {
    std::ifstream stream(golden_folder() / name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The message of a commented hex file, without its length.
std::string payload(const std::string &name) {
    std::string digits = std::regex_replace(file(name + ".hex"), std::regex("#.*|\\s"), ""), bytes;
    for (size_t at = 0; at + 1 < digits.size(); at += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
    return bytes.substr(4);
}

/// A golden frame in this run's mode; .line is what a newer broker would write.
v1::ServerFrame golden(const std::string &name) {
    v1::ServerFrame frame;
    if (mode == Mode::line)
        return parse(file(name + (fs::exists(golden_folder() / (name + ".line")) ? ".line" : ".json")));
    if (!frame.ParseFromString(payload(name)))
        throw std::runtime_error(name);
    return frame;
}

/// Whether the bytes and the JSON of a golden frame are the same message.
template <typename Frame> bool is_read(const std::string &name) {
    Frame binary, json;
    auto status = google::protobuf::util::JsonStringToMessage(file(name + ".json"), &json);
    if (!status.ok() || !binary.ParseFromString(payload(name)))
        return false;
    binary.DiscardUnknownFields(); // which are of a newer broker
    google::protobuf::util::DefaultFieldComparator comparator;
    comparator.set_treat_nan_as_equal(true);
    google::protobuf::util::MessageDifferencer differencer;
    differencer.set_field_comparator(&comparator);
    return differencer.Compare(binary, json);
}

void read_golden_frames() {
    say(19, event_text(golden("read/unknown-event-kind").event()));
    v1::ServerFrame fields = golden("read/unknown-fields");
    say(20, "unknown fields id " + std::to_string(fields.id()) + " ping " +
                quoted(fields.ping().payload()));
    for (const char *kind : {"string", "int64", "double", "bool", "string-list", "none"})
        say(21, event_text(golden(std::string("server/value-") + kind).event()));
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(golden_folder()))
        if (entry.path().extension() == ".hex")
            names.insert(fs::relative(entry.path(), golden_folder()).replace_extension().string());
    std::string wrong;
    for (const std::string &name : names)
        if (!(name.starts_with("client/") ? is_read<v1::ClientFrame>(name)
                                          : is_read<v1::ServerFrame>(name)))
            wrong += " " + name;
    say(22, "golden frames" + (wrong.empty() && !names.empty() ? " all read" : wrong));
}

} // namespace

int main(int count, char *arguments[]) {
    if (count > 1 && std::string(arguments[1]) == "line")
        mode = Mode::line;
    auto bridge = std::make_unique<Bridge>("conformance", mode);
    greet_and_open(*bridge);
    drive(*bridge);
    update_profile(*bridge);
    give_up_a_call(*bridge);
    bridge.reset();
    bridge = come_back();
    lag(*bridge);
    bridge.reset();
    break_the_framing();
    read_golden_frames();
}
