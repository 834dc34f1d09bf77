import Foundation

/// Saved inputs of one target: a line each, its verdict and its bytes in base64.
public enum CorpusFile {
    /// One saved input.
    public struct Entry: Sendable {
        /// What became of it when it was saved.
        public let verdict: String
        /// The input.
        public let bytes: [UInt8]
    }

    /// Reads a file.
    public static func read(_ path: String) throws -> [Entry] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: "\t")
            guard parts.count == 2, let data = Data(base64Encoded: String(parts[1])) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return Entry(verdict: String(parts[0]), bytes: Array(data))
        }
    }

    /// Writes the inputs in those files with the verdicts that they have now, each once, in the
    /// order of their bytes.
    public static func pack(_ target: FuzzTarget, _ inputs: [String], to path: String) throws {
        var lines: Set<String> = []
        for input in inputs {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: input)))
            let verdict = target.verdict(bytes).replacingOccurrences(of: "\t", with: " ")
                .replacingOccurrences(of: "\n", with: " ")
            lines.insert("\(verdict)\t\(Data(bytes).base64EncodedString())")
        }
        try (lines.sorted().joined(separator: "\n") + "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
    }
}
