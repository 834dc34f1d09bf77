/// Fills a value in place and returns it: `with(GetFlowReply()) { $0.flow = flow }`.
@inlinable
public func with<Value>(_ value: Value, _ fill: (inout Value) -> Void) -> Value {
    var value = value
    fill(&value)
    return value
}
