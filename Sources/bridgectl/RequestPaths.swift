import BridgeProtocol
import Glibc

/// Paths inside a request name what the broker reads; it may have another working folder.
enum RequestPaths {
    /// The request with its paths from the root on.
    static func absolute(_ body: ClientFrame.Body) -> ClientFrame.Body {
        guard case .loadCatalog(var request) = body else { return body }
        request.path = absolute(request.path)
        return .loadCatalog(request)
    }

    private static func absolute(_ path: String) -> String {
        guard !path.isEmpty, path.utf8.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0)
        else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
