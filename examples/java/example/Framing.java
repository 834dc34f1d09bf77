package example;

import com.google.protobuf.util.JsonFormat;
import flowbridge.v1.ClientFrame;
import flowbridge.v1.ServerFrame;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Frames on a socket: each has a length and a protobuf message, or is a line of JSON. */
abstract class Framing {
    static final int FRAME_BYTES_MAX = 1 << 20;
    static final int LINE_BYTES_MAX = 4 * FRAME_BYTES_MAX;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(65_536).flip(); // read, not looked at

    private Framing(SocketChannel channel) {
        this.channel = channel;
    }

    static Framing of(SocketChannel channel, boolean line) {
        return line ? new Lines(channel) : new Binary(channel);
    }

    abstract void write(ClientFrame frame) throws IOException;

    abstract ServerFrame read() throws IOException;

    /** Writes all of it; one thread at a time. */
    final synchronized void writeAll(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    final byte next() throws IOException {
        if (!buffer.hasRemaining()) {
            buffer.clear();
            int count = channel.read(buffer);
            buffer.flip();
            if (count < 0) {
                throw new EOFException("the broker closed the connection");
            }
        }
        return buffer.get();
    }

    /** The frame in a line. What a newer broker adds is passed over. */
    static ServerFrame parse(String line) throws IOException {
        ServerFrame.Builder frame = ServerFrame.newBuilder();
        JsonFormat.parser().ignoringUnknownFields().merge(line, frame);
        return frame.build();
    }

    private static final class Binary extends Framing {
        Binary(SocketChannel channel) {
            super(channel);
        }

        @Override
        void write(ClientFrame frame) throws IOException {
            byte[] payload = frame.toByteArray();
            writeAll(ByteBuffer.allocate(4 + payload.length)
                .putInt(payload.length).put(payload).flip()); // the highest byte first
        }

        @Override
        ServerFrame read() throws IOException {
            int length = 0;
            for (int i = 0; i < 4; i++) {
                length = length << 8 | next() & 0xff;
            }
            if (length < 1 || length > FRAME_BYTES_MAX) {
                throw new IOException(
                    "a frame of " + length + " bytes; 1 to " + FRAME_BYTES_MAX + " are allowed");
            }
            byte[] payload = new byte[length];
            for (int i = 0; i < length; i++) {
                payload[i] = next();
            }
            return ServerFrame.parseFrom(payload);
        }
    }

    private static final class Lines extends Framing {
        Lines(SocketChannel channel) {
            super(channel);
        }

        @Override
        void write(ClientFrame frame) throws IOException {
            String line = JsonFormat.printer().omittingInsignificantWhitespace().print(frame);
            writeAll(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        ServerFrame read() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (byte next; (next = next()) != '\n';) {
                line.write(next);
                if (line.size() > LINE_BYTES_MAX) {
                    throw new IOException("a line of more than " + LINE_BYTES_MAX + " bytes");
                }
            }
            return parse(line.toString(StandardCharsets.UTF_8));
        }
    }
}
