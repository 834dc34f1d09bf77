import CPcre2

/// A regular expression that a whole text has to match (IN-30).
///
/// It reads code points, as the SDK's own expressions do, not grapheme clusters; `\w`, `\d` and
/// their like know all of Unicode. A match is bounded in steps, not in time, so that a pattern that
/// backtracks without end gives the same verdict everywhere and holds up nobody.
package final class TextPattern: Sendable {
    /// Steps of one match; what needs more is no match.
    static let stepsMax: UInt32 = 1_000_000
    /// Memory of one match, in KiB; what needs more is no match.
    static let memoryMaxKiB: UInt32 = 4096

    /// Compiled once and only read from then on, from any thread.
    private nonisolated(unsafe) let code: OpaquePointer

    /// - Throws: ``Fault`` when it does not compile.
    init(_ pattern: String) throws(Fault) {
        do throws(Fault) {
            code = try Self.compile(pattern)
        } catch {
            // `\u0041` is what other engines read; here it takes a mode of its own, in which
            // `\x{41}` means something else.
            guard error.code == PCRE2_ERROR_UNSUPPORTED_ESCAPE_SEQUENCE, !pattern.contains("\\x{")
            else { throw error }
            code = try Self.compile(pattern, PCRE2_ALT_BSUX)
        }
    }

    deinit { pcre2_code_free_8(code) }

    /// Whether the first match in the text is the whole text.
    func accepts(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let data = pcre2_match_data_create_8(1, nil),
                let bounds = pcre2_match_context_create_8(nil)
            else { return false }
            defer {
                pcre2_match_data_free_8(data)
                pcre2_match_context_free_8(bounds)
            }
            pcre2_set_match_limit_8(bounds, Self.stepsMax)
            pcre2_set_heap_limit_8(bounds, Self.memoryMaxKiB)
            // A first match that begins later is not the whole text: only the start is tried.
            let found = pcre2_match_8(
                code, bytes.baseAddress, bytes.count, 0, PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK, data,
                bounds)
            guard found >= 0, let range = pcre2_get_ovector_pointer_8(data) else { return false }
            return range[0] == 0 && range[1] == bytes.count
        }
    }
}

extension TextPattern {
    /// Why a pattern does not compile; nil when it does.
    package static func fault(of pattern: String) -> Fault? {
        do throws(Fault) {
            _ = try TextPattern(pattern)
            return nil
        } catch {
            return error
        }
    }

    /// What is wrong with a pattern.
    package struct Fault: Error, CustomStringConvertible {
        fileprivate let code: Int32
        /// In characters from the start of the pattern.
        let offset: Int

        /// In the library's words, and where.
        package var description: String {
            var text = [UInt8](repeating: 0, count: 256)
            let length = pcre2_get_error_message_8(code, &text, text.count)
            return String(decoding: text.prefix(max(0, Int(length))), as: UTF8.self)
                + " (character \(offset + 1))"
        }
    }

    private static func compile(_ pattern: String, _ mode: UInt32 = 0) throws(Fault)
        -> OpaquePointer
    {
        var pattern = pattern
        var fault: Int32 = 0
        var offset = 0
        let code = pattern.withUTF8 { bytes in
            pcre2_compile_8(
                bytes.baseAddress, bytes.count,
                PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_NEVER_BACKSLASH_C | mode, &fault,
                &offset, nil)
        }
        guard let code else {
            let before = pattern.utf8.prefix(offset)
            throw Fault(code: fault, offset: String(decoding: before, as: UTF8.self).count)
        }
        return code
    }
}
