import BridgeCatalog
import BridgeStore

/// A fallback file in the store.
final class StoredFallback {
    let file: LoadedFallback
    /// The number of its record.
    let number: UInt64
    /// Devices whose records name it.
    var devices = 0

    init(_ file: LoadedFallback, number: UInt64) {
        self.file = file
        self.number = number
    }

    /// The id of its record.
    var id: String { String(number) }
}

/// Fallback files in force, of which the store has each once, however many devices share it: a
/// record that changes when a file is set, not with each change of a device.
extension Broker {
    /// Has the record of a device name the file that is in force now.
    func saveFallback(of device: Device) {
        let current = device.core.fallbackFile as? LoadedFallback
        let former = device.savedFallback
        if current === former?.file { return }
        device.savedFallback = current.map(stored)
        device.savedFallback?.devices += 1
        release(former)
    }

    /// Removes the record of a file that no device names any more.
    func release(_ former: StoredFallback?) {
        guard let former else { return }
        former.devices -= 1
        guard former.devices == 0 else { return }
        fallbackFiles.stored.removeAll { $0 === former }
        remove(former.id, from: store.fallbackFiles)
    }

    private func stored(_ file: LoadedFallback) -> StoredFallback {
        if let known = fallbackFiles.stored.first(where: { $0.file === file }) { return known }
        let last = fallbackFiles.stored.map(\.number).max() ?? 0
        let fallback = StoredFallback(file, number: last + 1)
        fallbackFiles.stored.append(fallback)
        put(file.bytes, fallback.id, in: store.fallbackFiles)
        return fallback
    }

    // MARK: The start

    /// The files of the store, by id. Those that no device names are removed.
    ///
    /// - Throws: a `StoreFault` for one that is none.
    func restoreFallbackFiles(named ids: Set<String>) throws(StoreFault) {
        var fault: StoreFault?
        var unused: [String] = []
        try store.fallbackFiles.readAll { id, record in
            guard ids.contains(id), let number = UInt64(id) else { return unused.append(id) }
            do throws(FallbackFault) {
                let file = LoadedFallback(try FallbackLoader.load(record.record))
                fallbackFiles.add(file)
                fallbackFiles.stored.append(StoredFallback(file, number: number))
            } catch {
                fault = unreadable("fallback file \(id)", error)
            }
        }
        if let fault { throw fault }
        for id in unused { remove(id, from: store.fallbackFiles) }
    }
}
