import CLinux
import Glibc

/// A running thread; `join` waits for its end.
struct RunningThread: ~Copyable {
    private let thread: pthread_t

    /// Starts a thread that runs the body and lets go of it.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(StoreFault) {
        let context = Unmanaged.passRetained(ThreadBody(name: name, run: body))
        // Signals belong to the loop; the thread is born with all of them blocked.
        var (all, former) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        var started = pthread_t()
        let result = fb_thread_start(&started, runThread, context.toOpaque())
        pthread_sigmask(SIG_SETMASK, &former, nil)
        guard result == 0 else {
            context.release()
            throw StoreFault(
                .system, "no thread for the store: \(String(cString: fb_error_text(-result)))")
        }
        thread = started
    }

    /// Waits for the end of the thread.
    consuming func join() {
        pthread_join(thread, nil)
    }
}

private final class ThreadBody {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

private func runThread(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    let body = Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue()
    fb_name_thread(body.name)
    body.run()
    return nil
}
