"""Where the broker listens, and whose broker it is."""

import os
import socket
import stat
import struct

PATH_BYTES_MAX = 107  # what a socket's address holds


def default_socket_path() -> str:
    """The path of the broker's socket: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a
    folder of this user under the temporary one, which nobody else may be able to enter."""
    if path := os.environ.get("FLOWBRIDGE_SOCKET"):
        return path
    if runtime := os.environ.get("XDG_RUNTIME_DIR"):
        return os.path.join(runtime, "flowbridge", "bridge.sock")
    uid = os.geteuid()
    folder = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"flowbridge-{uid}")
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != uid or found.st_mode & 0o077:
        raise PermissionError(f"{folder} must be a folder of uid {uid} with mode 0700")
    return os.path.join(folder, "bridge.sock")


def address_of(path: str) -> str:
    """The address of a path; a leading @ means the abstract namespace."""
    if (length := len(os.fsencode(path))) > PATH_BYTES_MAX:
        raise ValueError(
            f"{path} has {length} bytes; a socket path has at most {PATH_BYTES_MAX}")
    return "\0" + path[1:] if path.startswith("@") else path


def check_peer(connection: socket.socket, path: str) -> None:
    """Refuses a broker that runs under somebody else's uid; root is trusted."""
    if (uid := peer_uid(connection)) not in (os.geteuid(), 0):
        raise PermissionError(f"{path} is served by uid {uid}, not by {os.geteuid()} or root")


def peer_uid(connection: socket.socket) -> int:
    """Who serves this connection, as the kernel says."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    uid: int = struct.unpack("iII", credentials)[1]  # pid, uid, gid
    return uid
