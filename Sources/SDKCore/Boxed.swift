/// A value that is seldom there, in a box of its own: whoever has none keeps room for a pointer.
///
/// Copies share the box until one of them is changed.
@propertyWrapper
indirect enum Boxed<Value> {
    case none
    case some(Value)

    init() {
        self = .none
    }

    init(wrappedValue: Value?) {
        self = wrappedValue.map { .some($0) } ?? .none
    }

    var wrappedValue: Value? {
        get {
            if case .some(let value) = self { value } else { nil }
        }
        set { self = Boxed(wrappedValue: newValue) }
    }

    /// Without reading the value, which would copy it.
    var isEmpty: Bool {
        if case .none = self { true } else { false }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
