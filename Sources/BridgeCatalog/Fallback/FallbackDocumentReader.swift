import FlowEngine
import SDKCore

/// Reads one document of a fallback file's `ui_builder`: it can be shown if it is written like a
/// file of a catalog's `flows/`.
struct FallbackDocumentReader {
    let id: String

    /// The document, or what is to be said of it.
    func document(_ bytes: [UInt8]) -> FallbackDocument {
        guard bytes.withUnsafeBytes(Self.isOwn) else {
            return .foreign(
                "flow version \(id.shown): the fallback file has it in the flow builder's own "
                    + "form, which only the SDK can show; write it like a catalog's flow, or load a "
                    + "catalog that has it")
        }
        let faults = FaultList()
        let scope = DocumentScope(isOnboarding: false)
        let content = JSONDocument.parse(bytes, file: id, faults: faults).flatMap {
            FlowReader(scope: scope).flow($0, id: id)
        }
        ReferenceCheck(scope: scope, products: nil, placements: nil).run()
        let errors = faults.sorted.filter { !$0.isWarning }
        guard let content, errors.isEmpty else { return .broken(message(errors)) }
        return .flow(FlowDocument(content))
    }

    private func message(_ errors: [CatalogFault]) -> String {
        let first = errors.first.map { "\($0.pointer): \($0.message)" } ?? "no flow"
        let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
        return "flow version \(id.shown) of the fallback file, at \(first)\(more)"
    }

    /// Whether it is an object whose `screens` are a list; in the builder's form they are an object.
    private static func isOwn(_ text: UnsafeRawBufferPointer) -> Bool {
        var scanner = JSONScanner(
            text, in: 0..<text.count, depthMax: CatalogLimits.fallbackDepthMax)
        guard scanner.peek() == UInt8(ascii: "{") else { return false }
        var isOwn = false
        do throws(JSONSyntaxFault) {
            try scanner.object { (key, scanner) throws(JSONSyntaxFault) in
                if JSONKey.text(text, in: key) == "screens" {
                    isOwn = scanner.peek() == UInt8(ascii: "[")
                }
                _ = try scanner.value()
            }
        } catch {
            preconditionFailure("a part of a text that was walked over: \(error.what)")
        }
        return isOwn
    }
}
