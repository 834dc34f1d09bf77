import BridgeCatalog
import FlowEngine
import SDKCore

/// The files of a catalog.
enum CatalogTarget {
    static func verdict(_ bytes: [UInt8]) -> String {
        let report = CatalogLoader.load(files: files(bytes))
        for fault in report.faults where fault.message.isEmpty {
            violated("a fault without a text")
        }
        guard report.catalog == nil else {
            if !report.errors.isEmpty { violated("served in spite of \(report.errors)") }
            return "served, \(report.warnings.count) warnings"
        }
        guard let first = report.errors.first else { violated("refused without a fault") }
        return "\(report.errors.count) faults, the first in \(first.file)"
    }

    private static func files(_ bytes: [UInt8]) -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: Array("=== ".utf8)) {
                files.append((String(decoding: line.dropFirst(4), as: UTF8.self), []))
            } else if !files.isEmpty {
                files[files.count - 1].bytes += line + [0x0A]
            }
        }
        return files
    }
}

/// A fallback file, with everything that can be asked of it.
enum FallbackTarget {
    static func verdict(_ bytes: [UInt8]) -> String {
        do throws(FallbackFault) {
            let file = LoadedFallback(try FallbackLoader.load(bytes))
            var found = 0
            for id in ["onboarding", "legacy_onboarding", "premium_offer_1", "a", ""] {
                if file.placement(id) != nil { found += 1 }
                _ = file.document(flowVersionID: id)
            }
            _ = file.document(flowVersionID: "fallback_short_1")
            return "read, \(found) placements"
        } catch {
            switch error {
            case .notLocal(let text), .broken(let text), .oversize(let text):
                if text.isEmpty { violated("a fault without a text") }
            }
            return "refused"
        }
    }
}

/// A message of an onboarding.
enum OnboardingTarget {
    static func verdict(_ bytes: [UInt8]) -> String {
        let json = String(decoding: bytes, as: UTF8.self)
        do throws(MessageFault) {
            _ = try OnboardingMessage(json: json)
            return "read"
        } catch {
            return "dropped: \(error.reason)"
        }
    }
}
