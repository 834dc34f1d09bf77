import Foundation

/// One frame of `proto/golden`, as every client must write or read it.
package struct GoldenFrame: Sendable, CustomStringConvertible {
    /// What is done with a frame, after the folder that it lies in.
    package enum Role: String, CaseIterable, Sendable {
        /// To the broker: its bytes and its line are what a writer makes.
        case client
        /// From the broker, in the same way.
        case server
        /// From the broker, in a form that is read and not written.
        case read
    }

    /// The name of its files.
    package let name: String
    package let role: Role
    /// The frame with its length of four bytes.
    package let frame: [UInt8]
    /// What line mode prints for it, without LF.
    package let line: String
    /// A line that says the same in another form, if there is one.
    package let otherLine: String?

    package var description: String { "\(role.rawValue)/\(name)" }

    /// Whether it goes to the broker.
    package var isRequest: Bool { role == .client }

    /// The message of the frame, without its length.
    package var bytes: [UInt8] { Array(frame.dropFirst(4)) }

    /// The folder `proto/golden`.
    package static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "proto/golden")

    /// Every golden frame, by role and name.
    package static let all: [GoldenFrame] = Role.allCases.flatMap { role in
        names(of: role).map { GoldenFrame(name: $0, role: role) }
    }

    private static func names(of role: Role) -> [String] {
        let folder = folder.appending(path: role.rawValue).path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".hex") }.map { String($0.dropLast(4)) }.sorted()
    }

    private init(name: String, role: Role) {
        let stem = GoldenFrame.folder.appending(path: "\(role.rawValue)/\(name)").path
        self.name = name
        self.role = role
        frame = GoldenFrame.bytes(ofHex: GoldenFrame.text("\(stem).hex") ?? "")
        line = GoldenFrame.text("\(stem).json")?.trimmingSuffix("\n") ?? ""
        otherLine = GoldenFrame.text("\(stem).line")?.trimmingSuffix("\n")
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of commented hex: what is behind `#` is no digit.
    package static func bytes(ofHex text: String) -> [UInt8] {
        let digits = text.split(separator: "\n").flatMap { row in
            row.prefix { $0 != "#" }.compactMap(\.hexDigitValue)
        }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
