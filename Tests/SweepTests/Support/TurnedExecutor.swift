import Dispatch
import Foundation
import Synchronization

/// Runs tasks on the one thread that turns it, so that a fault of this thread is a fault of theirs.
final class TurnedExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let signal = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        signal.signal()
    }

    /// Runs work to its end; nil when nothing has happened for so many seconds.
    func run<Value: Sendable>(
        seconds: Int, _ work: @escaping @Sendable () async -> Value
    ) -> Value? {
        let result = Result<Value>()
        Task(executorPreference: self) {
            let value = await work()
            result.value.withLock { $0 = value }
        }
        while true {
            if let value = result.value.withLock({ $0 }) { return value }
            guard signal.wait(timeout: .now() + .seconds(seconds)) == .success else { return nil }
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}

/// Runs work on a thread of its own, which may block: the threads of tasks are few.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
