import FlowEngine

/// The segments of a placement's audiences in the order in which they are tried, in two flat lists:
/// to pass over many audiences is to read on in memory.
struct PreparedSegments: Sendable {
    private struct Segment: Sendable {
        let isAllUsers: Bool
        let isCrossPlacement: Bool
        /// Where its conditions end; they begin where those of the segment before it end.
        let end: Int32
    }

    private struct Condition: Sendable {
        let operand: SegmentOperand
        let valueType: SegmentValueType?
        /// Index in `attributes`.
        let attribute: Int32
    }

    private var segments: [Segment] = []
    private var conditions: [Condition] = []
    /// The attributes that are looked at, each once.
    private var attributes: [String] = []

    /// Takes over the segments of audiences in their order.
    init(_ audiences: [AudienceDocument]) {
        for audience in audiences {
            for condition in audience.conditions {
                conditions.append(
                    Condition(
                        operand: condition.operand, valueType: condition.valueType,
                        attribute: index(of: condition.attribute)))
            }
            segments.append(
                Segment(
                    isAllUsers: audience.isAllUsers, isCrossPlacement: audience.isCrossPlacement,
                    end: Int32(conditions.count)))
        }
    }

    private mutating func index(of attribute: String) -> Int32 {
        if let known = attributes.firstIndex(where: { $0.isExactly(attribute) }) {
            return Int32(known)
        }
        attributes.append(attribute)
        return Int32(attributes.count - 1)
    }

    /// The first audience that the subject belongs to: all of its conditions hold, or it is All
    /// Users (PL-10 to PL-12).
    ///
    /// - Parameter mayJoin: Whether those of cross-placement tests are looked at (PL-21).
    func firstMatch(_ subject: SegmentSubject, mayJoin: Bool) -> Int? {
        var values = [SegmentSubject.Value?](repeating: nil, count: attributes.count)
        var begin = 0
        for (place, segment) in segments.enumerated() {
            let range = begin..<Int(segment.end)
            begin = range.upperBound
            if segment.isAllUsers { return place }
            if segment.isCrossPlacement && !mayJoin { continue }
            if holds(range, for: subject, &values) { return place }
        }
        return nil
    }

    /// Whether all of these conditions hold; `values` keeps what was looked up.
    private func holds(
        _ range: Range<Int>, for subject: SegmentSubject, _ values: inout [SegmentSubject.Value?]
    ) -> Bool {
        for index in range {
            let place = Int(conditions[index].attribute)
            let value = values[place] ?? subject.value(of: attributes[place])
            values[place] = value
            let isLanguage = attributes[place] == "language"
            guard
                conditions[index].operand.holds(
                    for: value, conditions[index].valueType, isLanguage: isLanguage)
            else { return false }
        }
        return true
    }
}
