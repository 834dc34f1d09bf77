import CCivilTime
import FlowEngine
import SDKCore
import Synchronization

/// The host's zone data as pure values of the engine.
public enum ZoneData {
    /// Zones whose rules are kept, so that all devices in one share them; the one that was asked
    /// for first goes.
    static let keptMax = 512

    private static let kept = Mutex(RecentTable<TimeZoneRules>(limit: keptMax))

    /// The rules of a zone by its IANA name or link; nil when the host's zone data has none.
    ///
    /// Only UTC is known without zone data, so that nothing is ever silently reckoned in UTC.
    public static func rules(named name: String) -> TimeZoneRules? {
        kept.withLock { kept in
            if let rules = kept[name] { return rules }
            guard let rules = loaded(name) else { return nil }
            kept.put(rules, name: name)
            return rules
        }
    }

    private static func loaded(_ name: String) -> TimeZoneRules? {
        guard let zone = fb_zone_load(name) else { return nil }
        // Zones live as long as the process and are immutable, so their address may be shared.
        let address = UInt(bitPattern: zone)
        return TimeZoneRules(
            name: name,
            resolve: { date, time in resolve(address, date, time) },
            civil: { instant in civil(address, instant) },
            dayExists: { fb_civil_day_exists(Int64($0.year), $0.month, $0.day) != 0 })
    }

    /// Such as `2026f`; empty when the host does not say.
    public static var version: String { String(cString: fb_zone_data_version()) }

    private static func resolve(
        _ address: UInt, _ date: CivilDate, _ time: CivilTime
    ) -> LocalTimeResolution {
        let local = fb_zone_resolve(
            OpaquePointer(bitPattern: address),
            fb_civil(
                year: Int64(date.year), month: date.month, day: date.day, hour: time.hour,
                minute: time.minute, second: time.second))
        let rest = Int64(time.millisecond)
        switch local.kind {
        case FB_LOCAL_UNIQUE: return .unique(local.before * 1_000 + rest)
        case FB_LOCAL_SKIPPED:
            return .skipped(
                before: local.before * 1_000 + rest, transition: local.at * 1_000,
                after: local.after * 1_000 + rest)
        default:
            return .repeated(first: local.before * 1_000 + rest, second: local.after * 1_000 + rest)
        }
    }

    private static func civil(_ address: UInt, _ instant: Instant) -> (CivilDate, CivilTime) {
        let (seconds, rest) = floorDivide(instant.ms, by: 1_000)
        let civil = fb_zone_civil(OpaquePointer(bitPattern: address), seconds)
        return (
            CivilDate(year: Int32(clamping: civil.year), month: civil.month, day: civil.day),
            CivilTime(
                hour: civil.hour, minute: civil.minute, second: civil.second,
                millisecond: Int32(rest))
        )
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
