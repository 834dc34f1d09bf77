import CLinux
import Glibc

/// The process that started this one, watched through a descriptor of the kernel (pidfd).
///
/// `PR_SET_PDEATHSIG` is no help here: its signal comes when the parent's *thread* ends that
/// started this process, and programs start others from threads that come and go.
public final class ParentProcess {
    /// The parent.
    public let pid: Int32
    /// Readable once the parent has ended.
    public let descriptor: Int32

    /// Begins to watch the parent.
    ///
    /// A parent that ends before this is called leaves another one, so only `expected` tells.
    ///
    /// - Parameter expected: the pid that it must have; nil: any.
    /// - Throws: when the parent is another process, which is so when it has ended already, and
    ///   when it cannot be watched.
    public init(expected: Int32? = nil) throws(TransportError) {
        pid = getppid()
        let wanted = expected ?? pid
        descriptor = pid == wanted ? fb_process_open(pid) : -ESRCH
        // The pid may be of a process that came after the parent's end.
        guard descriptor >= 0, getppid() == wanted else {
            // What has all its values is deinitialized also when this throws.
            throw Self.fault(wanted: wanted, result: descriptor)
        }
    }

    deinit {
        if descriptor >= 0 { fb_close(descriptor) }
    }

    private static func fault(wanted: Int32, result: Int32) -> TransportError {
        if result >= 0 || result == -ESRCH {
            return TransportError(
                "process \(wanted) is not the parent of this broker, or not any more, and "
                    + "--exit-with-parent ends with it", isConfiguration: false)
        }
        // For want of descriptors or memory the next start may do.
        if [-EMFILE, -ENFILE, -ENOMEM].contains(result) {
            return TransportError(
                "the parent (pid \(wanted)) cannot be watched: \(errorText(result))",
                isConfiguration: false)
        }
        // Pid 0: the parent lives in another pid namespace.
        return TransportError(
            "the parent (pid \(wanted)) cannot be watched: \(errorText(result)); start without "
                + "--exit-with-parent", isConfiguration: true)
    }
}
