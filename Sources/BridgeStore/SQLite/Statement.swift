import CSQLite

/// One prepared statement.
///
/// Isolation: that of its database.
final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Gives the parameter of that place, from 1, a number.
    func bind(_ place: Int32, _ number: Int64) {
        sqlite3_bind_int64(handle, place, number)
    }

    /// Gives a parameter bytes, which have to stay until the statement was run.
    func bind(_ place: Int32, _ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            sqlite3_bind_blob64(handle, place, start, UInt64(bytes.count), nil)
        } else {
            sqlite3_bind_zeroblob(handle, place, 0)
        }
    }

    /// Gives a parameter text, which has to stay until the statement was run.
    func bind(_ place: Int32, text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else {
            sqlite3_bind_text(handle, place, "", 0, nil)
            return
        }
        start.withMemoryRebound(to: CChar.self, capacity: text.count) { characters in
            _ = sqlite3_bind_text64(
                handle, place, characters, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
        }
    }

    /// Goes to the next row; false: there is none, and the statement can be run again.
    func step() throws(StoreFault) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        case let code:
            let fault = database.fault(code)
            sqlite3_reset(handle)
            throw fault
        }
    }

    /// Runs a statement that gives no rows.
    func run() throws(StoreFault) {
        while try step() {}
    }

    /// Ends a query before its last row.
    func reset() {
        sqlite3_reset(handle)
    }

    /// The number in a column of the present row, from 0.
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The text in a column.
    func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    /// The bytes in a column, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }
}
