package flowbridge

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const pathBytesMax = 107 // what a socket's address holds

// DefaultPath is where the broker listens: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a
// folder of this user under the temporary one, which nobody else may be able to enter.
func DefaultPath() (string, error) {
	if path := os.Getenv("FLOWBRIDGE_SOCKET"); path != "" {
		return path, nil
	}
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); runtime != "" {
		return filepath.Join(runtime, "flowbridge", "bridge.sock"), nil
	}
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("flowbridge-%d", os.Geteuid()))
	var found syscall.Stat_t
	if err := syscall.Lstat(folder, &found); err != nil {
		return "", fmt.Errorf("%s: %w", folder, err)
	}
	if found.Mode&syscall.S_IFMT != syscall.S_IFDIR || int(found.Uid) != os.Geteuid() ||
		found.Mode&0o077 != 0 {
		return "", fmt.Errorf("%s must be a folder of uid %d with mode 0700", folder, os.Geteuid())
	}
	return filepath.Join(folder, "bridge.sock"), nil
}

// Connect gives a connection whose peer was checked. An empty path is the standard one; a leading
// @ means the abstract namespace, as Go has it.
func Connect(ctx context.Context, path string) (net.Conn, error) {
	if path == "" {
		standard, err := DefaultPath()
		if err != nil {
			return nil, err
		}
		path = standard
	}
	if len(path) > pathBytesMax {
		return nil, fmt.Errorf("the path has %d bytes; a socket path has at most %d: %s",
			len(path), pathBytesMax, strings.ToValidUTF8(path, "?"))
	}
	connection, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(connection.(*net.UnixConn), path); err != nil {
		connection.Close()
		return nil, err
	}
	return connection, nil
}

// checkPeer refuses a broker of somebody else; the kernel says whose it is.
func checkPeer(connection *net.UnixConn, path string) error {
	raw, err := connection.SyscallConn()
	if err != nil {
		return err
	}
	var peer *syscall.Ucred
	if err := raw.Control(func(fd uintptr) {
		peer, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	if uid := int(peer.Uid); uid != os.Geteuid() && uid != 0 {
		return fmt.Errorf("%s is served by uid %d, not by %d or root", path, uid, os.Geteuid())
	}
	return nil
}
