package example;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Where the broker listens, and whose broker it is. */
final class SocketPath {
    private static final int BYTES_MAX = 107; // what a socket's address holds

    private SocketPath() {}

    /**
     * FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of this user under the
     * temporary one, which nobody else may be able to enter.
     */
    static String standard() throws IOException {
        String named = variable("FLOWBRIDGE_SOCKET", null);
        if (named != null) {
            return named;
        }
        String runtime = variable("XDG_RUNTIME_DIR", null);
        if (runtime != null) {
            return runtime + "/flowbridge/bridge.sock";
        }
        Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Path folder = Path.of(variable("TMPDIR", "/tmp"), "flowbridge-" + uid);
        PosixFileAttributes found = Files.readAttributes(
            folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean isPrivate = PosixFilePermissions.toString(found.permissions()).endsWith("------");
        if (!found.isDirectory() || !found.owner().equals(self()) || !isPrivate) {
            throw new IOException(folder + " must be a folder of uid " + uid + " with mode 0700");
        }
        return folder.resolve("bridge.sock").toString();
    }

    /** A connection whose peer was checked. */
    static SocketChannel connect(String path) throws IOException {
        int length = path.getBytes().length;
        if (length > BYTES_MAX) {
            throw new IOException(
                path + " has " + length + " bytes; a socket path has at most " + BYTES_MAX);
        }
        if (path.startsWith("@")) {
            throw new IOException(path + ": Java knows no abstract sockets");
        }
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
        UserPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        UserPrincipal root = FileSystems.getDefault().getUserPrincipalLookupService()
            .lookupPrincipalByName("root");
        if (!peer.equals(self()) && !peer.equals(root)) {
            channel.close();
            throw new IOException(path + " is served by " + peer + ", not by " + self());
        }
        return channel;
    }

    private static UserPrincipal self() throws IOException {
        return Files.getOwner(Path.of("/proc/self"));
    }

    private static String variable(String name, String other) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? other : value;
    }
}
