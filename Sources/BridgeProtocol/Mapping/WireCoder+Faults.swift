import CBridgeWire
import CProtobufC

// The texts of what the check of the raw bytes finds. They name fields, numbers and limits, and
// never the value of a text.

extension WireCoder {
    /// The fault that `fb_wire_check` left in the report.
    func checkFault() -> WireFault {
        let fault = report.pointee.fault
        if fault.rawValue < FB_WIRE_DEPTH.rawValue { return .undecodable(undecodableText(fault)) }
        let path = pathText()
        return .payload(
            id: report.pointee.id,
            BridgeError(.invalidArgument, payloadText(fault, path), field: path))
    }

    private func undecodableText(_ fault: fb_wire_fault) -> String {
        let place = "at byte \(report.pointee.offset) of the message"
        let field = "field number \(report.pointee.value)"
        switch fault {
        case FB_WIRE_BAD_VARINT: return "a varint of more than 64 bits \(place)"
        case FB_WIRE_BAD_TAG:
            return "\(field) \(place): field numbers are 1 to 536870911"
        case FB_WIRE_BAD_LENGTH:
            return "the length of \(field) \(place) passes the end of its message"
        case FB_WIRE_GROUP: return "a group (\(field)) \(place): this protocol has none"
        case FB_WIRE_BAD_TYPE:
            return "\(field) \(place) has a wire type that does not fit it"
        default: return "the message ends within the field \(place)"
        }
    }

    private func payloadText(_ fault: fb_wire_fault, _ path: String) -> String {
        let value = report.pointee.value
        switch fault {
        case FB_WIRE_DEPTH:
            return "\(path) is level \(value) of messages within messages; at most "
                + "\(FB_WIRE_DEPTH_MAX) are read"
        case FB_WIRE_ELEMENTS:
            return "\(path) is repeated element \(value) of the frame; at most "
                + "\(WireCoder.elementsMax) are read"
        case FB_WIRE_UTF8: return "\(path) is not valid UTF-8 at its byte \(value)"
        case FB_WIRE_NUL: return "\(path) holds U+0000 at its byte \(value); leave it out"
        case FB_WIRE_TWICE:
            return "\(path) is given twice, or beside another member of its oneof; give one"
        default: return "\(path) is \(value); it takes \(enumText())"
        }
    }

    /// The numbers and names of the enum at the end of the report's path.
    private func enumText() -> String {
        guard let values = lastStep()?.field.pointee.enumeration else { return "" }
        return enumNames(values, withNumbers: true)
    }

    private func lastStep() -> fb_wire_step? {
        let length = Int(report.pointee.path_length)
        return length == 0 ? nil : pathSteps()[length - 1]
    }

    private func pathSteps() -> UnsafePointer<fb_wire_step> {
        fb_wire_path(report)
    }

    /// The dotted path in the names of the .proto files, such as `custom_attributes[1].key`.
    private func pathText() -> String {
        var text = ""
        let steps = pathSteps()
        for i in 0..<Int(report.pointee.path_length) {
            let field = steps[i].field
            if !text.isEmpty { text += "." }
            text += String(cString: field.pointee.name)
            if Int(field.pointee.flags) & Int(FB_FIELD_REPEATED) != 0 {
                text += "[\(steps[i].index)]"
            }
        }
        return text
    }

    /// A frame without a known method.
    func noMethodFault() -> WireFault {
        let number = report.pointee.unknown_member
        let id = report.pointee.id
        if number == 0 { return .payload(id: id, noMethodError()) }
        return .payload(
            id: id,
            BridgeError(
                .unknownMethod,
                "no method has field number \(number); this broker has \(methodNumbersText())"))
    }

    /// What a sound message meets that still does not unpack.
    func unpackFault(_ bytes: Int) -> WireFault {
        guard arena.raw.pointee.refused != 0 else {
            return .undecodable("the message of \(bytes) bytes does not unpack")
        }
        return .payload(
            id: report.pointee.id,
            BridgeError(
                .limitExceeded,
                "the message of \(bytes) bytes takes more than \(arena.raw.pointee.cap) bytes of "
                    + "memory; send less at a time"))
    }
}

/// The error for a frame whose body has no member.
func noMethodError() -> BridgeError {
    BridgeError(
        .invalidArgument,
        "no method: a frame has one member such as ping beside id; `describe` lists them")
}

private func methodNumbersText() -> String {
    let numbers = MethodTable.all.map(\.number)
    guard let first = numbers.min(), let last = numbers.max() else { return "none" }
    return "\(numbers.count) methods from \(first) to \(last)"
}

/// The names of an enum, as `a, b or c`; with their numbers if asked.
func enumNames(_ values: UnsafePointer<ProtobufCEnumDescriptor>, withNumbers: Bool) -> String {
    let count = Int(values.pointee.n_values)
    let names = (0..<count).map { i in
        let value = values.pointee.values[i]
        let name = String(cString: value.name)
        return withNumbers ? "\(value.value) (\(name))" : name
    }
    guard let last = names.last, count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
}
