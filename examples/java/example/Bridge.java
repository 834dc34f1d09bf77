package example;

import flowbridge.v1.CancelRequest;
import flowbridge.v1.ClientFrame;
import flowbridge.v1.Event;
import flowbridge.v1.HelloRequest;
import flowbridge.v1.ServerFrame;
import flowbridge.v1.WelcomeReply;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small client of the Flowbridge broker: one connection, for any number of threads.
 *
 * <p>One thread of its own reads, keeps the events, and hands each answer to the call that waits
 * for it.
 */
public final class Bridge implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofMillis(100); // past the deadline

    private final SocketChannel channel;
    private final Framing framing;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, CompletableFuture<ServerFrame>> waiting = new ConcurrentHashMap<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Semaphore mayRead = new Semaphore(1);
    private volatile Throwable fault; // why the connection is over
    private WelcomeReply welcome;

    private Bridge(SocketChannel channel, boolean line) {
        this.channel = channel;
        framing = Framing.of(channel, line);
        Thread reader = new Thread(this::read, "flowbridge");
        reader.setDaemon(true);
        reader.start();
    }

    /** Connects to the standard path in binary mode, and greets. */
    public static Bridge connect(String clientName) throws IOException, BridgeException {
        return connect(clientName, SocketPath.standard(), false);
    }

    /** Connects and greets. The broker must run under this user's uid or root's. */
    public static Bridge connect(String clientName, String path, boolean line)
            throws IOException, BridgeException {
        Bridge bridge = new Bridge(SocketPath.connect(path), line);
        try {
            bridge.welcome = bridge.call(ClientFrame.newBuilder().setHello(HelloRequest.newBuilder()
                .setProtocolMajor(1).setProtocolMinor(1).setClientName(clientName)
                .setMaxFrame(Framing.FRAME_BYTES_MAX))).getWelcome();
            return bridge;
        } catch (IOException | BridgeException error) {
            bridge.close();
            throw error;
        }
    }

    /** What the broker said to the greeting. */
    public WelcomeReply welcome() {
        return welcome;
    }

    /** Sends a request and waits ten seconds at most for its answer. */
    public ServerFrame call(ClientFrame.Builder request) throws IOException, BridgeException {
        return call(request, TIMEOUT);
    }

    /**
     * Sends a request and waits for its answer, until the time-out and 0.1 s at most.
     *
     * @throws BridgeException when the broker refused, or did not answer in time
     * @throws SdkException when the SDK would have thrown
     */
    public ServerFrame call(ClientFrame.Builder request, Duration timeout)
            throws IOException, BridgeException {
        long id = lastId.incrementAndGet();
        CompletableFuture<ServerFrame> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        try {
            if (fault != null) {
                throw new IOException(fault);
            }
            framing.write(request.setId(id).setDeadlineMs((int) timeout.toMillis()).build());
            ServerFrame frame = answer.get(timeout.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
            if (frame.hasError()) {
                throw BridgeException.of(frame.getError());
            }
            return frame;
        } catch (TimeoutException late) {
            cancel(id);
            throw BridgeException.deadlineExceeded();
        } catch (InterruptedException interrupted) {
            cancel(id);
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        } catch (ExecutionException lost) {
            throw new IOException(lost.getCause());
        } finally {
            waiting.remove(id);
        }
    }

    /** The events that are here, in order. Those a call has caused are here when it returns. */
    public List<Event> takeEvents() {
        List<Event> taken = new ArrayList<>();
        events.drainTo(taken);
        return taken;
    }

    /** The next event, or null when none came in time. */
    public Event nextEvent(Duration timeout) throws InterruptedException {
        return events.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops reading; a frame that is being waited for is still taken. */
    public void pause() {
        mayRead.acquireUninterruptibly();
    }

    /** Goes on reading. */
    public void resume() {
        mayRead.release();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void cancel(long id) throws IOException {
        framing.write(ClientFrame.newBuilder() // id 0: no answer is wanted
            .setCancel(CancelRequest.newBuilder().setId(id)).build());
    }

    private void read() {
        try {
            while (true) {
                ServerFrame frame = framing.read();
                mayRead.acquireUninterruptibly();
                sort(frame);
                mayRead.release();
            }
        } catch (IOException | BridgeException error) {
            fault = error;
            waiting.values().forEach(answer -> answer.completeExceptionally(error));
        }
    }

    private void sort(ServerFrame frame) throws BridgeException {
        CompletableFuture<ServerFrame> answer = waiting.get(frame.getId());
        if (frame.hasEvent()) {
            events.add(frame.getEvent());
        } else if (answer != null) {
            answer.complete(frame);
        } else if (frame.getId() == 0 && frame.hasError()) {
            throw BridgeException.of(frame.getError()); // about the connection itself
        } // else the late answer of a call that was given up
    }
}
