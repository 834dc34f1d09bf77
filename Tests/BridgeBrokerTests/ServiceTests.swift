import BridgeProtocol
import CLinux
import Foundation
import Glibc
import Synchronization
import Testing

/// flowbridged under a service manager: passed sockets, notices, the watchdog.
@Suite("flowbridged as a service")
struct ServiceTests {
    private func kind(_ path: String) -> fb_file_kind {
        var info = fb_file_info()
        fb_file_look(path, &info)
        return info.kind
    }

    @Test("it serves every passed socket, tells READY, STATUS and STOPPING, and leaves the files")
    func passedSockets() throws {
        let service = ServiceBroker(sockets: ["a", "b", "@fbtest-\(UUID().uuidString)"])
        try service.start(names: "main:second:abstract")
        let ready = try service.notice()
        #expect(ready["READY"] == "1")
        #expect(ready["STATUS"] == "serving " + service.sockets.joined(separator: ", "))
        for path in service.sockets {
            try TestClient(wire: SocketWire(path: path), mode: .line).expectServed()
        }
        let client = TestClient(wire: try SocketWire(path: service.sockets[1]), mode: .line)
        #expect(try client.status().socketPath == service.sockets[0])
        service.send(SIGTERM)
        let stopping = try service.notice()
        #expect(stopping["STOPPING"] == "1")
        #expect(stopping["STATUS"]?.hasSuffix("connections to finish") == true)
        #expect(service.wait() == 0)
        for path in service.sockets.prefix(2) {
            #expect(kind(path) == FB_FILE_SOCKET)
            #expect(kind(path + ".lock") == FB_FILE_NONE)
        }
    }

    @Test("no connection is lost while the broker behind a passed socket restarts")
    func restarts() throws {
        let service = ServiceBroker()
        // Longer than a client takes between connect and send on the busiest machine.
        let arguments = ["--ephemeral", "--limit", "shutdownFirstFrameMs=10000"]
        try service.start(arguments)
        let path = service.sockets[0]
        let isOver = Mutex(false)
        let served = Mutex(0)
        let faults = Mutex<[String]>([])
        let group = DispatchGroup()
        for _ in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                while !isOver.withLock({ $0 }) {
                    do {
                        try TestClient(wire: SocketWire(path: path), mode: .line).expectServed()
                        served.withLock { $0 += 1 }
                    } catch {
                        faults.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        defer {
            isOver.withLock { $0 = true }
            group.wait()
        }
        for round in 1...5 {
            _ = try service.notice("READY")
            let target = served.withLock { $0 } + 20
            while served.withLock({ $0 }) < target { sched_yield() }
            service.send(SIGTERM)
            #expect(service.wait() == 0)
            if round < 5 { try service.start(arguments) }
        }
        try service.start(arguments)
        _ = try service.notice("READY")
        isOver.withLock { $0 = true }
        group.wait()
        #expect(faults.withLock { $0 } == [])
        #expect(served.withLock { $0 } >= 100)
    }

    @Test("SIGHUP tells RELOADING with the monotonic time, then READY, also when it is refused")
    func reload() throws {
        let folder = try CatalogFolder(CatalogFolder.shop("old"))
        let service = ServiceBroker()
        try service.start(["--ephemeral", "--catalog", folder.path])
        #expect(try service.notice()["READY"] == "1")
        for change in ["{\"placements\":[]}", "{"] {
            try folder.write(["products.json": change])
            let before = fb_monotonic_ns() / 1_000
            service.send(SIGHUP)
            let reloading = try service.notice()
            #expect(reloading["RELOADING"] == "1")
            let at = try #require(UInt64(reloading["MONOTONIC_USEC"] ?? ""))
            #expect((before...fb_monotonic_ns() / 1_000).contains(at))
            let ready = try service.notice()
            #expect(ready["READY"] == "1")
            #expect(ready["STATUS"] == "serving the catalog \(folder.path)")
        }
    }

    @Test("the watchdog is fed as long as the broker serves")
    func watchdog() throws {
        let service = ServiceBroker()
        try service.start(environment: ["WATCHDOG_USEC": "20000"])
        for _ in 0..<5 { _ = try service.notice("WATCHDOG") }
        let client = TestClient(wire: try SocketWire(path: service.sockets[0]), mode: .line)
        try client.expectServed()
    }

    @Test("the watchdog of another process is not fed, and its sockets are not served")
    func otherProcess() throws {
        let service = ServiceBroker()
        let own = service.folder + "/own"
        try service.start(
            ["--ephemeral", "--socket", own],
            environment: ["WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1", "LISTEN_FDS": ""])
        #expect(try service.notice()["STATUS"] == "serving \(own)")
        try TestClient(wire: SocketWire(path: own), mode: .line).expectServed()
        service.send(SIGTERM)
        #expect(try service.notice()["STOPPING"] == "1")
        #expect(service.wait() == 0)
    }

    @Test("--socket beside passed sockets, and a descriptor of another kind, end with 78")
    func refused() throws {
        let service = ServiceBroker()
        try service.start(["--ephemeral", "--socket", "/tmp/other"])
        #expect(service.wait() == 78)
        #expect(service.log.holds([service.sockets[0], "leave --socket /tmp/other out"]))
        try service.start(environment: ["LISTEN_FDS": "2"], names: "main:extra")
        #expect(service.wait() == 78)
        #expect(service.log.holds(["descriptor 4 (extra)", "ListenStream="]))
        #expect(kind(service.sockets[0]) == FB_FILE_SOCKET)
    }

    @Test("a service manager that does not listen is one line in the log, and the broker serves")
    func deafManager() throws {
        let service = ServiceBroker()
        try service.start(environment: ["NOTIFY_SOCKET": "/nowhere/notify"])
        try TestClient(wire: SocketWire(path: service.sockets[0]), mode: .line).expectServed()
        #expect(service.log.holds(["service_manager_untold", "/nowhere/notify"]))
    }
}
