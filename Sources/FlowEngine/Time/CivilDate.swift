/// A day of the calendar, without a zone. A part that is 0 was not given.
public struct CivilDate: Sendable, Hashable {
    /// 1 to 9999.
    public var year: Int32
    /// 1 to 12.
    public var month: Int32
    /// 1 to 31.
    public var day: Int32

    /// Makes a date; nothing is checked.
    public init(year: Int32, month: Int32, day: Int32) {
        self.year = year
        self.month = month
        self.day = day
    }
}

/// A time of day, without a zone.
public struct CivilTime: Sendable, Hashable {
    /// 0 to 23.
    public var hour: Int32
    /// 0 to 59.
    public var minute: Int32
    /// 0 to 59.
    public var second: Int32
    /// 0 to 999.
    public var millisecond: Int32

    /// Makes a time of day; nothing is checked.
    public init(hour: Int32, minute: Int32, second: Int32 = 0, millisecond: Int32 = 0) {
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// The first moment of a day that has a midnight.
    public static let midnight = CivilTime(hour: 0, minute: 0)
}
