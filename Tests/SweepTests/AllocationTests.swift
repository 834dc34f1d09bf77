import BridgeCatalog
import CBridgeWire
import CJansson
import CJsonTape
import CProtobufC
import CSystemFaults
import Testing

@testable import BridgeProtocol
@testable import FlowEngine

/// Fails the first, the second, … allocation of C code until a run completes without meeting it.
///
/// Swift's own allocations end the program when there is no memory: that is how the language is
/// made, and no input can ask for more than the limits allow.
@Suite("An allocation of C that fails is an error, whichever it is")
struct AllocationTests {
    /// A message as it is unpacked: its descriptor and its bytes.
    private struct Packed {
        let name: String
        let schema: UnsafePointer<fb_message>
        let bytes: [UInt8]
    }

    private var packed: [Packed] {
        (Subject.golden + Subject.examples).map {
            Packed(
                name: $0.description,
                schema: $0.isRequest ? fb_schema_client_frame() : fb_schema_server_frame(),
                bytes: Array($0.frame.dropFirst(4)))
        }
    }

    @Test("protobuf-c over a heap: every allocation of every message, and nothing is left")
    func unpackOverHeap() {
        var allocator = ProtobufCAllocator(
            alloc: { _, size in fb_heap_malloc(size) }, free: { _, memory in fb_heap_free(memory) },
            allocator_data: nil)
        let failed = unpack(packed, &allocator)
        print("failed allocations of protobuf-c: \(failed) cases: in \(packed.count) messages")
        #expect(failed > 1_000)
    }

    private func unpack(_ messages: [Packed], _ allocator: inout ProtobufCAllocator) -> Int {
        var failed = 0
        for message in messages {
            var n: UInt64 = 1
            while true {
                fb_heap_begin(n)
                let unpacked = protobuf_c_message_unpack(
                    message.schema.pointee.descriptor, &allocator, message.bytes.count,
                    message.bytes)
                let isMet = fb_heap_met() != 0
                if isMet && unpacked != nil { Issue.record("\(message.name): \(n) not noticed") }
                protobuf_c_message_free_unpacked(unpacked, &allocator)
                let held = fb_heap_end()
                if held != 0 { Issue.record("\(message.name): \(held) held after failure \(n)") }
                if !isMet {
                    #expect(unpacked != nil)
                    break
                }
                failed += 1
                n += 1
            }
        }
        return failed
    }

    @Test("control: what is not freed, and a failure that nobody looks at, are seen")
    func heapControl() {
        var keeping = ProtobufCAllocator(
            alloc: { _, size in fb_heap_malloc(size) }, free: { _, _ in }, allocator_data: nil)
        withKnownIssue("kept") { _ = unpack([packed[0]], &keeping) }
        var careless = ProtobufCAllocator(
            alloc: { _, size in fb_heap_malloc(size) ?? malloc(size) },
            free: { _, memory in free(memory) }, allocator_data: nil)
        withKnownIssue("not looked at") { _ = unpack([packed[0]], &careless) }
    }

    @Test("the arena: a message that needs one byte more than there is is LIMIT_EXCEEDED")
    func unpackInArena() {
        let failed = shrinkArena(for: Subject.golden + Subject.examples)
        print("arenas that were too small: \(failed) cases: 16 bytes more each")
        #expect(failed > 1_000)
    }

    @Test("control: an arena without a cap is seen")
    func arenaControl() {
        withKnownIssue { #expect(shrinkArena(for: Subject.golden, from: 64 << 20) > 0) }
    }

    /// How many arenas were too small, from so many bytes on.
    private func shrinkArena(for subjects: [Subject], from smallest: Int = 16) -> Int {
        var failed = 0
        for subject in subjects {
            let bytes = Array(subject.frame.dropFirst(4))
            var bytesMax = smallest
            while true {
                let coder = WireCoder(arenaBytesMax: bytesMax)
                let verdict = withExactBytes(bytes) { raw -> BridgeError.Code? in
                    do throws(WireFault) {
                        if subject.isRequest {
                            _ = try coder.decodeClientFrame(binary: raw)
                        } else {
                            _ = try coder.decodeServerFrame(binary: raw)
                        }
                        return nil
                    } catch {
                        guard case .payload(_, let error) = error else { return .internal }
                        return error.code
                    }
                }
                guard let verdict else { break }
                if verdict != .limitExceeded { Issue.record("\(subject): \(verdict.name)") }
                failed += 1
                bytesMax += 16
            }
        }
        return failed
    }

    @Test("the reading of a line by simdjson, and by jansson where simdjson refuses")
    func lines() {
        let lines = [
            #"{"id":5,"getFlow":{"placementId":"a","maxAgeMs":"5"}}"#,
            #"{"id":5,"getFlow":{"placementId":"a""#,
            #"{"id":5,"getFlow":{"placementId":"a"},"getFlow":{}}"#,
            #"{"id":123456789012345678901234567890,"ping":{}}"#,
        ]
        let failed = read(lines, verdict)
        print("failed allocations of lines: \(failed) cases: in \(lines.count) lines")
        #expect(failed > 10)
    }

    @Test("control: a reader that takes a lack of memory for a fault of its own is seen")
    func linesControl() {
        withKnownIssue {
            _ = read([#"{"id":5,"ping":{}}"#]) { coder, line in
                let code = verdict(coder, line)
                return fb_heap_met() != 0 ? .internal : code
            }
        }
    }

    private func read(
        _ lines: [String], _ verdict: (WireCoder, String) -> BridgeError.Code?
    ) -> Int {
        var failed = 0
        for line in lines {
            let expected = verdict(WireCoder(), line)
            var n: UInt64 = 1
            while true {
                let coder = WireCoder()
                json_set_alloc_funcs(fb_heap_malloc, fb_heap_free)
                fb_heap_begin(n)
                let found = verdict(coder, line)
                let isMet = fb_heap_met() != 0
                _ = fb_heap_end()
                if !isMet {
                    #expect(found == expected, "\(line)")
                    break
                }
                // One allocation in the way: the same verdict by the other way, or none for want of
                // memory. The coder is as good as before.
                let codes: [BridgeError.Code?] = [.limitExceeded, .invalidArgument]
                #expect(
                    found == expected || codes.contains(found), "\(line), \(n): \(found as Any)")
                #expect(verdict(coder, line) == expected, "\(line), after \(n)")
                failed += 1
                n += 1
            }
        }
        return failed
    }

    private func verdict(_ coder: WireCoder, _ line: String) -> BridgeError.Code? {
        withExactBytes(Array(line.utf8)) { raw in
            do throws(WireFault) {
                _ = try coder.decodeClientFrame(line: raw)
                return nil
            } catch {
                guard case .payload(_, let error) = error else { return .internal }
                return error.code
            }
        }
    }

    @Test("the reading of a message of an onboarding, of a catalog and of a fallback file")
    func documents() throws {
        let message =
            #"{"type":"state_updated","element_id":"e","element_type":"select","value":"#
            + #"{"id":"1","value":"2","label":"3"},"meta":{"onboarding_id":"o","screen_cid":"s","#
            + #""screen_index":0,"total_screens":1}}"#
        let catalog = Array(#"{"format":1,"placements":[{"id":"a","x":["é",1.5,true]}]}"#.utf8)
        let fallback = Array(
            #"{"meta":{"version":10,"response_created_at":1,"developer_ids":["a"]},"data":{}}"#.utf8
        )
        let subjects: [Document] = [
            ("message", { (try? OnboardingMessage(json: message)) != nil }),
            (
                "catalog",
                { CatalogLoader.load(files: [("placements.json", catalog)]).faults.isEmpty }
            ),
            ("fallback", { (try? FallbackLoader.load(fallback)) != nil }),
        ]
        let failed = readDocuments(subjects, fb_heap_free)
        print("failed allocations of documents: \(failed) cases: in \(subjects.count) documents")
        #expect(failed > 30)
    }

    @Test("control: a document whose memory is kept is seen")
    func documentsControl() {
        let message = #"{"type":"close","action_id":"a","meta":{"onboarding_id":"o"}}"#
        withKnownIssue {
            _ = readDocuments([("message", { (try? OnboardingMessage(json: message)) != nil })]) {
                _ in
            }
        }
    }

    private typealias Document = (name: String, read: () -> Bool)

    private func readDocuments(
        _ subjects: [Document],
        _ release: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> Int {
        var failed = 0
        for (name, read) in subjects {
            let expected = read()
            var n: UInt64 = 1
            var isSecondTry = false
            while true {
                json_set_alloc_funcs(fb_heap_malloc, release)
                fb_heap_begin(n)
                let found = read()
                let isMet = fb_heap_met() != 0
                let held = fb_heap_end()
                // What the runtime makes once and keeps, such as its tables of types, is not made
                // a second time.
                if held != 0, !isSecondTry {
                    isSecondTry = true
                    continue
                }
                if held != 0 { Issue.record("\(name): \(held) held after failure \(n)") }
                isSecondTry = false
                if !isMet {
                    #expect(found == expected)
                    break
                }
                failed += 1
                n += 1
            }
        }
        return failed
    }
}
