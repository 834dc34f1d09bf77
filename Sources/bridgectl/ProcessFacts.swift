import Glibc

/// What the system tells of a process.
enum ProcessFacts {
    /// The program that a process runs; nil when this user may not see it, or it is gone.
    static func program(of pid: Int32) -> String? {
        guard pid > 0 else { return nil }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(pid)/exe", &path, path.count)
        guard count > 0 else { return nil }
        return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
