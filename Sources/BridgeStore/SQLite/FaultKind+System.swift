import Glibc

extension StoreFault.Kind {
    /// What an errno of a file means.
    init(systemError: Int32) {
        self =
            switch systemError {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            default: .system
            }
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .full: "free some space, service resumes by itself"
        case .readOnly: "make the file and its folder writable, or name another with --store"
        case .corrupt:
            "it is damaged and left as it is; move it away, or restore a copy, and start again"
        case .foreign: "it is not a store of flowbridged; name another file with --store"
        case .locked: "another program has it open for writing"
        case .tooNew: "start the newer program, or name another file with --store"
        case .system: "see what the system says about the disk"
        }
    }
}
