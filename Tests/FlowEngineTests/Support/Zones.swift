import CCivilTime

@testable import FlowEngine

extension TimeZoneRules {
    /// Rules of a real zone out of the host's zone data.
    static func named(_ name: String) -> TimeZoneRules {
        guard let zone = fb_zone_load(name) else { fatalError("no zone data for \(name)") }
        let place = UInt(bitPattern: zone)
        return TimeZoneRules(
            name: name,
            resolve: { date, time in
                let local = fb_zone_resolve(OpaquePointer(bitPattern: place), fb_civil(date, time))
                let ms = Int64(time.millisecond)
                switch local.kind {
                case FB_LOCAL_SKIPPED:
                    return .skipped(
                        before: local.before * 1000 + ms, transition: local.at * 1000,
                        after: local.after * 1000 + ms)
                case FB_LOCAL_REPEATED:
                    return .repeated(
                        first: local.before * 1000 + ms, second: local.after * 1000 + ms)
                default: return .unique(local.before * 1000 + ms)
                }
            },
            civil: { instant in
                let ms = ((instant.ms % 1000) + 1000) % 1000
                let civil = fb_zone_civil(
                    OpaquePointer(bitPattern: place), (instant.ms - ms) / 1000)
                return (
                    CivilDate(year: Int32(civil.year), month: civil.month, day: civil.day),
                    CivilTime(
                        hour: civil.hour, minute: civil.minute, second: civil.second,
                        millisecond: Int32(ms))
                )
            },
            dayExists: { fb_civil_day_exists(Int64($0.year), $0.month, $0.day) != 0 })
    }

    static let utc = TimeZoneRules.named("UTC")
}

extension fb_civil {
    fileprivate init(_ date: CivilDate, _ time: CivilTime) {
        self.init(
            year: Int64(date.year), month: date.month, day: date.day, hour: time.hour,
            minute: time.minute, second: time.second)
    }
}
