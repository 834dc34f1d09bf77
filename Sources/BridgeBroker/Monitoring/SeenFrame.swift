import BridgeProtocol

/// A frame as it passed, with a copy of its bytes.
struct SeenFrame: Sendable {
    /// What a frame is.
    enum Kind: String, CaseIterable {
        case request, answer, error, event
        /// Bytes that are no frame.
        case fault
    }

    let kind: Kind
    /// In `MethodTable.all`, of a request and its answer; nil: not known.
    let methodIndex: Int?
    let mode: WireMode
    let connection: UInt64
    let pid: Int32
    let uid: UInt32
    let clientName: String
    /// That the connection uses.
    let device: String
    let id: UInt64
    let realtimeNs: Int64
    let monotonicNs: UInt64
    /// Without the length or the line end.
    let bytes: [UInt8]

    var isRequest: Bool { kind == .request || kind == .fault }
    var method: String { methodIndex.map { MethodTable.all[$0].name } ?? "" }
}
