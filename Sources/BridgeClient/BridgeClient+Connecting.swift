import BridgeProtocol
import BridgeTransport
import CLinux

extension BridgeClient {
    /// Connects to a broker and greets it.
    ///
    /// - Parameters:
    ///   - path: a socket's path, or `@name` for an abstract one; nil: the standard path
    ///     (`FLOWBRIDGE_SOCKET`, else under `XDG_RUNTIME_DIR`, else under the temporary folder).
    ///   - clientName: shown by the broker's `status`.
    /// - Throws: As for `connect(path:options:)`.
    public static func connect(
        path: String? = nil, clientName: String
    ) async throws(BridgeError) -> BridgeClient {
        try await connect(path: path, options: ClientOptions(clientName: clientName))
    }

    /// Connects to a broker and greets it.
    ///
    /// - Throws: INVALID_ARGUMENT for a path that is too long; UNAVAILABLE when nobody listens
    ///   there; PERMISSION_DENIED when the broker is not run by a trusted user, or does not let
    ///   this one in; WRONG_STATE when the broker speaks another major version;
    ///   DEADLINE_EXCEEDED after `connectDeadline`. Each names the path.
    public static func connect(
        path: String? = nil, options: ClientOptions
    ) async throws(BridgeError) -> BridgeClient {
        let path = try socketPath(path)
        let deadline = try Deadline(options.connectDeadline)
        let fd = try await Connecting(path: path, deadline: deadline).open()
        try checkPeer(fd, path, options.trustedUids)
        let channel = try Channel(fd: fd, path: path, options: options)
        do {
            let welcome = try await greet(channel, options, deadline)
            channel.requests.limitFrames(to: Int(welcome.maxFrame))
            return BridgeClient(channel: channel, welcome: welcome, options: options)
        } catch {
            channel.close()
            throw channel.lastWords.map { $0.at(path) } ?? error
        }
    }

    /// Connects without a greeting, for programs that speak the protocol themselves.
    ///
    /// - Returns: A connected, non-blocking descriptor that the caller has to close, and the path.
    /// - Throws: as for `connect(path:options:)`, as far as it comes to that.
    public static func openSocket(
        path: String? = nil, options: ClientOptions
    ) async throws(BridgeError) -> (fd: Int32, path: String) {
        let path = try socketPath(path)
        let deadline = try Deadline(options.connectDeadline)
        let fd = try await Connecting(path: path, deadline: deadline).open()
        try checkPeer(fd, path, options.trustedUids)
        return (fd, path)
    }

    /// The path that `connect` uses: as given, else the standard one.
    ///
    /// - Throws: INVALID_ARGUMENT for a path that is too long.
    public static func pathOfSocket(_ named: String?) throws(BridgeError) -> String {
        try socketPath(named)
    }

    private static func socketPath(_ path: String?) throws(BridgeError) -> String {
        do throws(TransportError) {
            guard let path else { return try SocketPath.standard().path }
            return try SocketPath(path).path
        } catch {
            throw BridgeError(.invalidArgument, error.description)
        }
    }

    private static func checkPeer(
        _ fd: Int32, _ path: String, _ trusted: Set<UInt32>
    ) throws(BridgeError) {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        let result = fb_socket_peer(fd, &pid, &uid)
        if result >= 0, trusted.contains(uid) { return }
        fb_close(fd)
        guard result >= 0 else {
            throw BridgeError(
                .unavailable, "SO_PEERCRED of \(path): \(errorText(result))", isRetryable: true)
        }
        let wanted = trusted.sorted().map(String.init).joined(separator: " or ")
        throw BridgeError(
            .permissionDenied,
            "the program at \(path) (pid \(pid)) runs as uid \(uid), and only uid \(wanted) is "
                + "trusted; if that user's broker is meant, trust its uid")
    }

    private static func greet(
        _ channel: Channel, _ options: ClientOptions, _ deadline: Deadline
    ) async throws(BridgeError) -> WelcomeReply {
        let ours = "\(ClientOptions.protocolMajor).\(ClientOptions.protocolMinor)"
        // No device's clock to count on: only this side looks at the time.
        let wait = Deadline(dueNs: deadline.dueNs, ms: 0)
        let hello = with(HelloRequest()) {
            $0.protocolMajor = ClientOptions.protocolMajor
            $0.protocolMinor = ClientOptions.protocolMinor
            $0.clientName = options.clientName
        }
        switch try await channel.exchange(.hello(hello), deadline: wait, queue: nil) {
        case .welcome(let welcome) where welcome.protocolMajor == ClientOptions.protocolMajor:
            return welcome
        case .welcome(let welcome):
            throw BridgeError(
                .wrongState,
                "\(channel.path) speaks protocol \(welcome.protocolMajor).\(welcome.protocolMinor), "
                    + "this client \(ours); use versions that fit")
        case .error(let error):
            throw error.bridgeError.at(channel.path)
        default:
            throw BridgeError(.internal, "\(channel.path) answered hello with something else")
        }
    }
}

extension BridgeError {
    /// The same error with the path of the broker that sent it.
    fileprivate func at(_ path: String) -> BridgeError {
        var error = self
        error.message = "\(path): \(message)"
        return error
    }
}
