import Foundation

/// A folder of one test, removed with it. Short enough for socket paths.
package final class PrivateFolder: Sendable {
    package let path: String

    package init() {
        var template = Array("/tmp/bc-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("mkdtemp: errno \(errno)") }
        path = String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }
}
