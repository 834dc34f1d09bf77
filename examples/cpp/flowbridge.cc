#include "flowbridge.h"

#include <arpa/inet.h>
#include <cstring>
#include <google/protobuf/util/json_util.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>

namespace flowbridge {
namespace {

constexpr size_t path_bytes_max = 107; // what a socket's address holds
constexpr Duration grace{100};         // past the deadline, whatever the broker does

std::string variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

std::runtime_error lost(const std::string &text) { return std::runtime_error(text); }

std::system_error failed(const std::string &what) {
    return std::system_error(errno, std::generic_category(), what);
}

/// A number that this client does not know counts as INTERNAL.
std::string code_of(const v1::Error &error) {
    return v1::Error::Bridge_IsValid(error.bridge()) ? v1::Error::Bridge_Name(error.bridge())
                                                     : "INTERNAL";
}

/// A frame is its length in four bytes, the highest first, and the message; or a line of JSON.
std::string packed(const v1::ClientFrame &frame, Mode mode) {
    std::string text;
    if (mode == Mode::line) {
        auto status = google::protobuf::util::MessageToJsonString(frame, &text);
        if (!status.ok())
            throw std::invalid_argument(status.ToString());
        return text + "\n";
    }
    uint32_t length = htonl(static_cast<uint32_t>(frame.ByteSizeLong()));
    text.assign(reinterpret_cast<const char *>(&length), 4);
    frame.AppendToString(&text);
    return text;
}

std::optional<v1::ServerFrame> take_line(std::string &buffer) {
    size_t end = buffer.find('\n');
    if (end == std::string::npos) {
        if (buffer.size() > line_bytes_max)
            throw lost("a line is too long");
        return std::nullopt;
    }
    v1::ServerFrame frame = parse(std::string_view(buffer).substr(0, end));
    buffer.erase(0, end + 1);
    return frame;
}

} // namespace

BridgeError::BridgeError(const v1::Error &error)
    : std::runtime_error(code_of(error) + ": " + error.message()), code(code_of(error)),
      field(error.field()), retryable(error.retryable()) {}

SdkError::SdkError(const v1::Error &error)
    : std::runtime_error(std::to_string(error.sdk().code()) + " " + error.sdk().name() + ": " +
                         error.message()),
      code(error.sdk().code()), name(error.sdk().name()) {}

std::string default_path() {
    if (auto path = variable("FLOWBRIDGE_SOCKET"); !path.empty())
        return path;
    if (auto runtime = variable("XDG_RUNTIME_DIR"); !runtime.empty())
        return runtime + "/flowbridge/bridge.sock";
    auto temporary = variable("TMPDIR");
    // Others can write to /tmp: the folder has to be ours alone.
    auto folder = (temporary.empty() ? "/tmp" : temporary) + "/flowbridge-" +
                  std::to_string(geteuid());
    struct stat found;
    if (lstat(folder.c_str(), &found) != 0)
        throw failed(folder);
    if (!S_ISDIR(found.st_mode) || found.st_uid != geteuid() || (found.st_mode & 077))
        throw lost(folder + " must be a folder of this user with mode 0700");
    return folder + "/bridge.sock";
}

int connect(std::string path) {
    if (path.empty())
        path = default_path();
    if (path.size() > path_bytes_max)
        throw std::invalid_argument(path + " has " + std::to_string(path.size()) +
                                    " bytes; a socket path has at most 107");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.data(), path.size());
    if (path[0] == '@') // the abstract namespace
        address.sun_path[0] = '\0';
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr *>(&address), size) != 0)
        throw failed(path);
    ucred peer{}; // the kernel says who serves it
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        throw failed("SO_PEERCRED");
    if (peer.uid != geteuid() && peer.uid != 0) {
        close(fd);
        throw lost(path + " is served by uid " + std::to_string(peer.uid));
    }
    return fd;
}

v1::ServerFrame parse(std::string_view line) {
    v1::ServerFrame frame;
    google::protobuf::util::JsonParseOptions options;
    options.ignore_unknown_fields = true;
    auto status = google::protobuf::util::JsonStringToMessage(
        google::protobuf::StringPiece(line.data(), line.size()), &frame, options);
    if (!status.ok())
        throw lost(status.ToString());
    return frame;
}

std::optional<v1::ServerFrame> take_frame(std::string &buffer, Mode mode) {
    if (mode == Mode::line)
        return take_line(buffer);
    uint32_t length;
    if (buffer.size() < 4)
        return std::nullopt;
    memcpy(&length, buffer.data(), 4);
    length = ntohl(length);
    if (length < 1 || length > frame_bytes_max)
        throw lost("a frame of " + std::to_string(length) + " bytes");
    if (buffer.size() < 4 + length)
        return std::nullopt;
    v1::ServerFrame frame;
    if (!frame.ParseFromArray(buffer.data() + 4, static_cast<int>(length)))
        throw lost("the broker sent what is no frame");
    buffer.erase(0, 4 + length);
    return frame;
}

Bridge::Bridge(const std::string &client_name, Mode mode, const std::string &path)
    : socket_(connect(path)), mode_(mode) {
    v1::ClientFrame request;
    auto &hello = *request.mutable_hello();
    hello.set_protocol_major(1);
    hello.set_protocol_minor(1);
    hello.set_client_name(client_name);
    hello.set_max_frame(frame_bytes_max);
    welcome_ = call(request).welcome();
}

Bridge::~Bridge() { close(socket_); }

v1::ServerFrame Bridge::call(v1::ClientFrame request, Duration timeout) {
    auto until = std::chrono::steady_clock::now() + timeout + grace;
    request.set_id(++last_id_);
    request.set_deadline_ms(static_cast<uint32_t>(std::max<int64_t>(1, timeout.count())));
    send(request);
    while (auto frame = receive(until)) {
        if (frame->id() != request.id()) {
            sort(*frame);
        } else if (!frame->has_error()) {
            return *frame;
        } else if (frame->error().has_sdk()) {
            throw SdkError(frame->error());
        } else {
            throw BridgeError(frame->error());
        }
    }
    v1::ClientFrame cancel; // id 0: no answer is wanted
    cancel.mutable_cancel()->set_id(request.id());
    send(cancel);
    v1::Error late;
    late.set_bridge(v1::Error::DEADLINE_EXCEEDED);
    late.set_message("no answer in time");
    late.set_retryable(true);
    throw BridgeError(late);
}

std::deque<v1::Event> Bridge::take_events() { return std::exchange(events_, {}); }

std::optional<v1::Event> Bridge::next_event(Duration timeout) {
    auto until = std::chrono::steady_clock::now() + timeout;
    while (events_.empty()) {
        auto frame = receive(until);
        if (!frame)
            return std::nullopt;
        sort(*frame);
    }
    v1::Event event = std::move(events_.front());
    events_.pop_front();
    return event;
}

void Bridge::send(const v1::ClientFrame &frame) {
    std::string bytes = packed(frame, mode_);
    for (std::string_view left = bytes; !left.empty();) {
        ssize_t count = ::send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
            throw failed("send");
        left.remove_prefix(count > 0 ? static_cast<size_t>(count) : 0);
    }
}

/// The next frame. Past the time nothing is read any more, also while frames keep coming.
std::optional<v1::ServerFrame> Bridge::receive(Time until) {
    char chunk[65536];
    while (true) {
        if (auto frame = take_frame(buffer_, mode_))
            return frame;
        auto left = std::chrono::ceil<Duration>(until - std::chrono::steady_clock::now());
        pollfd poll_fd{socket_, POLLIN, 0};
        if (left.count() < 0 || poll(&poll_fd, 1, static_cast<int>(left.count())) == 0)
            return std::nullopt;
        ssize_t count = recv(socket_, chunk, sizeof chunk, 0);
        if (count <= 0)
            throw lost("the broker closed the connection");
        buffer_.append(chunk, static_cast<size_t>(count));
    }
}

/// Keeps an event; drops the late answer of a call that was given up.
void Bridge::sort(v1::ServerFrame &frame) {
    if (frame.has_event())
        events_.push_back(std::move(*frame.mutable_event()));
    else if (frame.id() == 0 && frame.has_error())
        throw BridgeError(frame.error()); // about the connection itself
}

} // namespace flowbridge
