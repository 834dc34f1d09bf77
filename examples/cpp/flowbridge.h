// A small client of the Flowbridge broker: binary frames or JSON lines over its Unix socket.
//
//     flowbridge::Bridge bridge("my program");
//     v1::ClientFrame request;
//     request.mutable_subscribe();
//     bridge.call(request);
//     for (const v1::Event &event : bridge.take_events()) …
#pragma once

#include "flowbridge/v1/frame.pb.h"
#include <chrono>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace v1 = flowbridge::v1;

namespace flowbridge {

using Duration = std::chrono::milliseconds;
using Time = std::chrono::steady_clock::time_point;

constexpr size_t frame_bytes_max = 1 << 20;
constexpr size_t line_bytes_max = 4 * frame_bytes_max;

/// A call that a fault of the bridge refused; `code` is a name such as WRONG_STATE.
struct BridgeError : std::runtime_error {
    explicit BridgeError(const v1::Error &error);
    std::string code, field;
    bool retryable;
};

/// What the SDK itself would have thrown; `code` is its number such as 2002.
struct SdkError : std::runtime_error {
    explicit SdkError(const v1::Error &error);
    int code;
    std::string name;
};

enum class Mode { binary, line };

/// The standard path of the socket. Throws when its folder cannot be trusted.
std::string default_path();

/// A connected socket whose peer was checked; an empty path is the standard one.
int connect(std::string path = {});

/// The frame in a line. What a newer broker adds is passed over.
v1::ServerFrame parse(std::string_view line);

/// The next whole frame at the head of the buffer, which it leaves, or nothing.
std::optional<v1::ServerFrame> take_frame(std::string &buffer, Mode mode);

/// One connection, for one thread.
class Bridge {
public:
    /// Connects and greets. The broker must run under this user's uid or root's.
    explicit Bridge(const std::string &client_name, Mode mode = Mode::binary,
                    const std::string &path = {});
    ~Bridge();
    Bridge(const Bridge &) = delete;
    Bridge &operator=(const Bridge &) = delete;

    /// Sends a request, of which the caller gives the body, and waits for its answer, until the
    /// time-out and 0.1 s at most. Throws BridgeError or SdkError.
    v1::ServerFrame call(v1::ClientFrame request, Duration timeout = std::chrono::seconds(10));

    /// The events that are here, in order. Those that a call has caused are here when it returns.
    std::deque<v1::Event> take_events();

    /// The next event, or nothing when none came in time.
    std::optional<v1::Event> next_event(Duration timeout);

    const v1::WelcomeReply &welcome() const { return welcome_; }

private:
    void send(const v1::ClientFrame &frame);
    std::optional<v1::ServerFrame> receive(Time until);
    void sort(v1::ServerFrame &frame);

    int socket_;
    Mode mode_;
    uint64_t last_id_ = 0;
    std::string buffer_;
    std::deque<v1::Event> events_;
    v1::WelcomeReply welcome_;
};

} // namespace flowbridge
