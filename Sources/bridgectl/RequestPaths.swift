import BridgeProtocol
import Glibc

/// Paths inside a request name what the broker reads; it may have another working folder.
enum RequestPaths {
    /// The request with its paths from the root on.
    static func absolute(_ body: ClientFrame.Body) -> ClientFrame.Body {
        switch body {
        case .loadCatalog(var request):
            request.path = absolute(request.path)
            return .loadCatalog(request)
        case .setFallback(var request):
            guard case .path(let path) = request.source else { return body }
            request.source = .path(absolute(path))
            return .setFallback(request)
        default: return body
        }
    }

    /// The file that a request names and that this program could read; nil: none.
    static func readable(_ body: ClientFrame.Body) -> String? {
        let path: String
        switch body {
        case .loadCatalog(let request): path = request.path
        case .setFallback(let request):
            guard case .path(let named) = request.source else { return nil }
            path = named
        default: return nil
        }
        return !path.isEmpty && access(path, R_OK) == 0 ? path : nil
    }

    private static func absolute(_ path: String) -> String {
        guard !path.isEmpty, path.utf8.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0)
        else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
