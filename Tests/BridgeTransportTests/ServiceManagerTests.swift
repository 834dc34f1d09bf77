import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Testing

@testable import BridgeTransport

@Suite("A service manager passes sockets and is told how it goes")
struct ServiceManagerTests {
    /// Variables that a test gives, and which of them were removed.
    private final class Variables {
        var values: [String: String]
        init(_ values: [String: String]) { self.values = values }
        func environment(pid: Int32 = 42) -> ServiceEnvironment {
            ServiceEnvironment(
                pid: pid, read: { self.values[$0] }, remove: { self.values[$0] = nil })
        }
    }

    private static let all = [
        "LISTEN_FDS": "0", "LISTEN_PID": "42", "LISTEN_PIDFDID": "7", "LISTEN_FDNAMES": "",
        "NOTIFY_SOCKET": "@n", "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "42",
    ]

    @Test("what was taken is removed from the environment, and nothing else, also after a fault")
    func removed() throws {
        for (name, value) in [("HOME", "/root"), ("LISTEN_FDS", "x"), ("WATCHDOG_USEC", "x")] {
            let variables = Variables(Self.all.merging([name: value]) { $1 })
            let fault = Result { () throws in
                _ = try ServiceManager(environment: variables.environment())
            }
            #expect(variables.values == (name == "HOME" ? ["HOME": "/root"] : [:]))
            if name == "HOME" {
                try fault.get()
            } else {
                #expect(throws: TransportError.self) { try fault.get() }
            }
        }
    }

    @Test("sockets and a watchdog that are meant for another process are not touched")
    func otherProcess() throws {
        for pid in ["41", ""] {
            let variables = Variables(
                Self.all.merging(["LISTEN_FDS": "1", "LISTEN_PID": pid, "WATCHDOG_PID": "41"]) {
                    $1
                })
            var sent: [String] = []
            let service = try ServiceManager(environment: variables.environment()) { _, text in
                sent.append(text)
                return 0
            }
            #expect(service.sockets.isEmpty)
            service.feedWatchdog(on: TimerQueue())
            #expect(sent.isEmpty)
        }
    }

    @Test(
        "a variable that makes no sense is a fault that names it",
        arguments: [
            (["LISTEN_FDS": "-1"], "LISTEN_FDS=-1"), (["LISTEN_FDS": "many"], "LISTEN_FDS=many"),
            (["LISTEN_FDS": "2147483647"], "LISTEN_FDS=2147483647"),
            (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "a"], "1 names for 2 sockets"),
            (["WATCHDOG_USEC": "0"], "WATCHDOG_USEC=0"),
            (["WATCHDOG_USEC": "18446744073709551615"], "WATCHDOG_USEC=18446744073709551615"),
        ])
    func nonsense(change: [String: String], text: String) {
        let variables = Variables(Self.all.merging(change) { $1 })
        let fault = #expect(throws: TransportError.self) {
            try ServiceManager(environment: variables.environment())
        }
        #expect(fault?.isConfiguration == true)
        #expect(fault?.description.contains(text) == true, "\(fault?.description ?? "")")
    }

    /// Makes a descriptor of a kind that is no listening stream socket.
    private func wrong(_ kind: String, _ folder: String) -> Int32 {
        switch kind {
        case "a file": return open("/dev/null", O_RDONLY | O_CLOEXEC)
        case "nothing":
            let fd = open("/dev/null", O_RDONLY | O_CLOEXEC)
            fb_close(fd)
            return fd
        case "a datagram socket":
            return socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        case "an internet socket":
            let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            listen(fd, 1)
            return fd
        default: return socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
    }

    @Test(
        "a passed descriptor that is no listening stream socket of the Unix domain is refused",
        arguments: [
            "a file", "nothing", "a datagram socket", "an internet socket", "a deaf stream socket",
        ])
    func wrongDescriptor(kind: String) {
        let fd = wrong(kind, "")
        defer { if kind != "nothing" { fb_close(fd) } }
        let fault = #expect(throws: TransportError.self) { try Listener(passed: fd, name: "web") }
        #expect(fault?.isConfiguration == true)
        #expect(fault?.description.contains("descriptor \(fd) (web)") == true)
    }

    @Test(
        "a passed socket serves under its own name, and its file stays", arguments: [true, false])
    func passed(isAbstract: Bool) throws {
        let path = isAbstract ? "@fbtest-\(UUID().uuidString)" : "/tmp/fbtest-\(UUID().uuidString)"
        defer { unlink(path) }
        let fd = fb_socket_listen(path, 8)
        // The manager keeps one of its own.
        let kept = dup(fd)
        defer { fb_close(kept) }
        do {
            let bench = try LoopBench()
            let listener = try Listener(passed: fd, name: "web")
            #expect(listener.path.path == path)
            try bench.loop.serve(listener)
            let client = fb_socket_connect(path)
            defer { fb_close(client) }
            try bench.turn { bench.handler.opened == 1 }
            bench.loop.stop()
        }
        // Nobody accepts, yet nobody is turned away.
        let next = fb_socket_connect(path)
        #expect(next >= 0)
        fb_close(next)
    }

    @Test("the states are the lines of sd_notify, and a reload tells the monotonic microsecond")
    func states() {
        #expect(ServiceState.ready("serving x").message(nowNs: 1) == "READY=1\nSTATUS=serving x")
        #expect(
            ServiceState.reloading.message(nowNs: 5_000_999)
                == "RELOADING=1\nMONOTONIC_USEC=5000\nSTATUS=reading the catalog")
        #expect(ServiceState.stopping("2 left").message(nowNs: 1) == "STOPPING=1\nSTATUS=2 left")
    }

    @Test("a socket that cannot be told is a fault with its name, none is no fault")
    func untold() throws {
        let silent = try ServiceManager(environment: Variables([:]).environment())
        #expect(silent.tell(.reloading) == nil)
        let deaf = try ServiceManager(
            environment: Variables(["NOTIFY_SOCKET": "/nowhere/notify"]).environment())
        #expect(deaf.tell(.reloading)?.description.contains("/nowhere/notify") == true)
    }

    @Test("the watchdog is fed at half of its span by the timers of the loop, and by nothing else")
    func watchdog() throws {
        var sent: [String] = []
        let service = try ServiceManager(
            environment: Variables(Self.all.merging(["WATCHDOG_USEC": "1000"]) { $1 }).environment()
        ) { _, text in
            sent.append(text)
            return 0
        }
        let timers = TimerQueue(nowNs: 7_000_000)
        service.feedWatchdog(on: timers)
        #expect(sent == ["WATCHDOG=1"])
        for (nowNs, fed) in [(7_499_999, 1), (7_500_000, 2), (7_500_001, 2), (8_000_000, 3)]
            as [(UInt64, Int)]
        {
            timers.wake(atNs: nowNs)
            timers.run()
            #expect(sent.count == fed)
        }
        // A loop that hung for a minute fed nothing meanwhile, and feeds once when it goes on.
        timers.wake(atNs: 60_000_000_000)
        #expect(sent.count == 3)
        timers.run()
        #expect(sent.count == 4)
    }

    @Test("after a stop a passed socket's new connection may begin, for shutdownFirstFrameMs")
    func firstFrameAfterStop() throws {
        for (isPassed, isServed) in [(true, true), (false, false)] {
            let path = "@fbtest-\(UUID().uuidString)"
            let bench = try LoopBench()
            let listener =
                isPassed
                ? try Listener(passed: fb_socket_listen(path, 8), name: "web")
                : try Listener.open(at: SocketPath(path))
            try bench.loop.serve(listener)
            let peer = BenchPeer(fd: fb_socket_connect(path))
            try bench.turn { bench.handler.opened == 1 }
            bench.loop.stop()
            bench.loop.turn(waitMs: 0)
            #expect(bench.handler.closed.isEmpty == isServed)
            peer.send("{}\n")
            try bench.turn { !bench.handler.closed.isEmpty }
            #expect(bench.handler.frames.count == (isServed ? 1 : 0))
        }
    }

    @Test("after shutdownFirstFrameMs a connection that sent nothing is let go")
    func silentAfterStop() throws {
        var limits = Limits()
        try limits.set("shutdownFirstFrameMs=1")
        let path = "@fbtest-\(UUID().uuidString)"
        let bench = try LoopBench(limits)
        try bench.loop.serve(Listener(passed: fb_socket_listen(path, 8), name: "web"))
        let peer = BenchPeer(fd: fb_socket_connect(path))
        try bench.turn { bench.handler.opened == 1 }
        bench.loop.stop()
        try bench.turn { bench.handler.closed == ["the broker stopped"] }
        withExtendedLifetime(peer) {}
    }
}
