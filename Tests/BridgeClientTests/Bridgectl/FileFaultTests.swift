import CSystemFaults
import Foundation
import TestSupport
import Testing

@testable import bridgectl

@Suite("A system call that fails at a file of bridgectl is told, and no file is read by half")
struct FileFaultTests {
    private static let kinds = (0..<FB_FAULT_KINDS.rawValue).map { fb_fault_kind(rawValue: $0) }

    @Test("a file is written and read, and a folder listed", arguments: kinds)
    func files(_ kind: fb_fault_kind) async {
        let folder = PrivateFolder()
        let path = folder.file("f")
        let text = String(repeating: "text ", count: 100_000)
        let name = fb_fault_name(kind).map { String(cString: $0) } ?? ""
        for n in 1..<100 as Range<UInt64> {
            fb_faults_begin(kind, n, 1)
            defer { fb_faults_end() }
            var told: String?
            do throws(Exit) {
                try FilePath.write(text, to: path)
                #expect(try FilePath.text(path) == text)
                #expect(try FilePath.names(in: folder.path) == ["f"])
                #expect(try FilePath.names(in: path) == nil)
            } catch {
                told = error.message
            }
            let isMet = fb_faults_met() != nil
            #expect(fb_faults_descriptors() == 0, "\(name), call \(n)")
            if let told {
                let reason = String(cString: strerror(fb_fault_error(kind)))
                #expect(isMet && told.contains(reason), "\(name), call \(n): \(told)")
                #expect(kind.rawValue > FB_FAULT_EINTR.rawValue, "\(name), call \(n): \(told)")
            }
            if !isMet { return }
        }
        Issue.record("\(name): no end")
    }
}
