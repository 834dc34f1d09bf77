package example;

import static example.Flow.*;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import flowbridge.v1.*;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Goes through the steps of docs/conformance.md and prints the transcript. */
public final class Conformance {
    private static final long BIG = (1L << 53) + 1; // no double holds it
    private static final DeviceClock CLOCK = DeviceClock.newBuilder()
        .setKind(DeviceClock.Kind.MANUAL).setStartMs(1_767_225_600_000L).build();
    private static final int FIRST_MISSED = 18;
    private static final int LONG_INPUTS = 24;
    private static final int LONG_BYTES = 32_000;
    private static final List<Touch> GESTURES = List.of(
        focus("name"), enterText("Zoë 🙂"), blur(), openPicker("birthday"), pick(1960, 6, 15),
        closePicker(), tapButton("next"), tapOption("experience", "pro"),
        tapOption("interests", "sports"), tapOption("interests", "sports"),
        tapToggle("reminders"), tapButton("next"), tapButton("done"));

    private final boolean line;
    private final Path golden = Path.of(
        System.getenv().getOrDefault("FLOWBRIDGE_GOLDEN", "proto/golden"));
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private Bridge bridge;

    private Conformance(boolean line) {
        this.line = line;
    }

    // What a line of the transcript looks like

    private static String quoted(ByteString text) {
        StringBuilder shown = new StringBuilder("\"");
        for (byte next : text) {
            boolean plain = next >= 0x20 && next < 0x7f && "\"%\\".indexOf(next) < 0;
            shown.append(plain ? String.valueOf((char) next) : "%%%02X".formatted(next));
        }
        return shown.append('"').toString();
    }

    private static String quoted(String text) {
        return quoted(ByteString.copyFromUtf8(text));
    }

    private static String doubleText(double value) {
        return "double=" + (Double.isNaN(value) ? "nan"
            : "%016x".formatted(Double.doubleToLongBits(value)));
    }

    private static String valueText(Value value) {
        return switch (value.getKindCase()) {
            case STRING -> "string=" + quoted(value.getString());
            case INT64 -> "int64=" + value.getInt64();
            case DOUBLE -> doubleText(value.getDouble());
            case BOOL -> "bool=" + value.getBool();
            case STRING_LIST -> value.getStringList().getValuesList().stream()
                .map(Conformance::quoted).collect(Collectors.joining(",", "string_list=[", "]"));
            case KIND_NOT_SET -> "none";
        };
    }

    private static String attributeText(AttributeValue value) {
        return value.hasDouble() ? doubleText(value.getDouble())
            : "string=" + quoted(value.getString());
    }

    private static <V> String members(Map<String, V> values, Function<V, String> text) {
        return new TreeMap<>(values).entrySet().stream()
            .map(entry -> " " + entry.getKey() + ":" + text.apply(entry.getValue()))
            .collect(Collectors.joining());
    }

    private static String eventText(Event event) {
        String kind = switch (event.getKindCase()) {
            case KIND_NOT_SET -> "(unknown kind)";
            default -> event.getKindCase().name().toLowerCase();
        };
        return "event " + event.getSequence() + " " + kind + switch (event.getKindCase()) {
            case DID_RECEIVE_ANALYTIC_EVENT -> " " + event.getDidReceiveAnalyticEvent().getName()
                + members(event.getDidReceiveAnalyticEvent().getParamsMap(), Conformance::valueText);
            case DID_LOAD_LATEST_PROFILE -> attributes(event.getDidLoadLatestProfile().getProfile());
            case DID_PERFORM_ACTION -> " " + event.getDidPerformAction().getKind();
            case VIEW_PRESENTED -> " " + event.getViewPresented().getPlacementId();
            default -> "";
        };
    }

    private static String attributes(Profile profile) {
        return members(profile.getCustomAttributesMap(), Conformance::attributeText);
    }

    private void say(int step, String text) {
        out.println("%02d %s".formatted(step, text));
    }

    private void showEvents() {
        bridge.takeEvents().forEach(event -> out.println("   " + eventText(event)));
    }

    private interface Call {
        void make() throws IOException, BridgeException;
    }

    /** Makes a call that has to fail and tells how it did. */
    private static String errorText(Call call) throws IOException {
        try {
            call.make();
            return "no error";
        } catch (SdkException error) {
            return "sdk " + error.number() + " " + error.name();
        } catch (BridgeException error) {
            return ("bridge " + error.code() + " " + error.field()).stripTrailing();
        }
    }

    // The requests of the steps

    private Bridge connected(String name) throws IOException, BridgeException {
        return Bridge.connect(name, SocketPath.standard(), line);
    }

    private static ClientFrame.Builder frame() {
        return ClientFrame.newBuilder();
    }

    private static ClientFrame.Builder openDevice(OpenDeviceRequest.Builder request) {
        return frame().setOpenDevice(request);
    }

    private static ClientFrame.Builder attach() {
        return openDevice(OpenDeviceRequest.newBuilder().setDevice("conformance"));
    }

    private static ClientFrame.Builder subscribe(String device) {
        return frame().setSubscribe(SubscribeRequest.newBuilder().setDevice(device));
    }

    private static ClientFrame.Builder activate() {
        return frame().setActivate(ActivateRequest.newBuilder().setApiKey("public_live_conformance"));
    }

    private static ClientFrame.Builder getFlow() {
        return frame().setGetFlow(GetFlowRequest.newBuilder().setPlacementId("onboarding"));
    }

    private static CustomAttribute.Builder attribute(String key) {
        return CustomAttribute.newBuilder().setKey(key);
    }

    private static ClientFrame.Builder update(CustomAttribute.Builder attribute) {
        return frame().setUpdateProfile(
            UpdateProfileRequest.newBuilder().addCustomAttributes(attribute));
    }

    // The steps

    private void greetAndOpen() throws IOException, BridgeException {
        WelcomeReply welcome = bridge.welcome();
        say(1, "hello major " + welcome.getProtocolMajor() + " max_frame " + welcome.getMaxFrame());
        OpenDeviceReply opened = bridge.call(openDevice(OpenDeviceRequest.newBuilder()
            .setDevice("conformance").setTimeZone("Asia/Kolkata").setRandomSeed(BIG)
            .setClock(CLOCK))).getOpenDevice();
        say(2, "open_device created " + opened.getCreated() + " time_ms "
            + opened.getInfo().getTimeMs() + " random_seed " + opened.getInfo().getRandomSeed());
        SubscribeReply subscribed = bridge.call(subscribe("conformance")).getSubscribe();
        say(3, "subscribe next_sequence " + subscribed.getNextSequence());
        say(4, "get_profile error " + errorText(() ->
            bridge.call(frame().setGetProfile(GetProfileRequest.getDefaultInstance()))));
        bridge.call(activate());
        say(5, "activate");
        showEvents();
    }

    private void drive() throws IOException, BridgeException {
        flowbridge.v1.Flow found = bridge.call(getFlow()).getGetFlow().getFlow();
        say(6, "get_flow " + found.getId() + " " + quoted(found.getName()) + " remote configs "
            + found.getRemoteConfigsList().stream().map(RemoteConfig::getLocale)
                .collect(Collectors.joining(" ")));
        Flow flow = Flow.show(bridge, "onboarding", (call, details) -> { });
        say(7, "present");
        showEvents();
        for (Touch touch : GESTURES) {
            flow.perform(touch);
            say(8, "perform " + touch.name());
            showEvents();
        }
        say(9, "perform error " + errorText(() -> Flow.perform(bridge, "no-such-view", blur())));
    }

    private void updateProfile() throws IOException, BridgeException {
        bridge.call(frame().setUpdateProfile(UpdateProfileRequest.newBuilder()
            .setFirstName("Zoë").setEmail("zoe@example.com").setBirthday("1960-06-15")
            .addCustomAttributes(attribute("experience").setString("pro"))
            .addCustomAttributes(attribute("score").setDouble(3.25))));
        say(10, "update_profile set");
        showEvents();
        bridge.call(update(attribute("experience").setRemove(true)));
        say(11, "update_profile remove");
        showEvents();
        InspectProfileReply seen = bridge.call(frame().setInspectProfile(
            InspectProfileRequest.getDefaultInstance())).getInspectProfile();
        say(12, "inspect_profile " + quoted(seen.getFirstName()) + " " + quoted(seen.getEmail())
            + " " + seen.getBirthday() + " age " + seen.getAge() + attributes(seen.getProfile()));
    }

    /** The clock of the device stands, so only this side can notice that time is up. */
    private void giveUpACall() throws IOException, BridgeException {
        bridge.call(frame().setSetConditions(SetConditionsRequest.newBuilder().addCalls(
            CallCondition.newBuilder().setMethod("get_flow").setLatencyMs(60_000))));
        say(13, "get_flow error " + errorText(() ->
            bridge.call(getFlow(), Duration.ofMillis(200))));
        ByteString echo = bridge.call(frame().setPing(PingRequest.newBuilder()
            .setPayload(ByteString.copyFromUtf8("still here")))).getPing().getPayload();
        say(14, "ping " + quoted(echo));
        bridge.call(frame().setSetConditions(SetConditionsRequest.newBuilder().setClear(true)));
    }

    /** Misses three events, and gets them from the record. */
    private void comeBack() throws IOException, BridgeException {
        bridge.close();
        try (Bridge other = connected("conformance while away")) {
            other.call(attach());
            for (double number : new double[] {1, 2, 3}) {
                other.call(update(attribute("missed").setDouble(number)));
            }
        }
        bridge = connected("conformance again");
        bridge.call(attach());
        bridge.call(frame().setSubscribe(SubscribeRequest.newBuilder()
            .setDevice("conformance").setFromSequence(FIRST_MISSED)));
        bridge.call(update(attribute("missed").setRemove(true)));
        say(15, "reconnect");
        showEvents();
    }

    /** Types so much that a connection that does not read is told that it lags. */
    private long typeALot() throws IOException, BridgeException {
        try (Bridge writer = connected("conformance lag")) {
            writer.call(openDevice(
                OpenDeviceRequest.newBuilder().setDevice("lag").setClock(CLOCK)));
            writer.call(activate());
            Flow flow = Flow.show(writer, "onboarding", (call, details) -> { });
            long begin = bridge.call(subscribe("lag")).getSubscribe().getNextSequence();
            bridge.pause();
            for (int number = 0; number < LONG_INPUTS; number++) {
                flow.perform(focus("name"));
                flow.perform(enterText((number % 2 == 0 ? "x" : "y").repeat(LONG_BYTES)));
                flow.perform(blur());
            }
            return begin;
        }
    }

    private void lag() throws IOException, BridgeException, InterruptedException {
        long begin = typeALot();
        bridge.resume();
        List<Long> seen = new ArrayList<>();
        TreeSet<Long> missed = new TreeSet<>();
        while (seen.size() + missed.size() < LONG_INPUTS) {
            Event event = bridge.nextEvent(Duration.ofSeconds(10));
            if (event.hasLagged()) {
                LongStream.rangeClosed(event.getLagged().getFromSequence(),
                    event.getLagged().getToSequence()).forEach(missed::add);
            } else {
                seen.add(event.getSequence());
            }
        }
        say(16, "lagged " + (missed.isEmpty() ? "nothing" : "told"));
        recorded(begin).stream().filter(missed::contains).forEach(seen::add);
        List<Long> all = LongStream.range(begin, begin + LONG_INPUTS).boxed().toList();
        say(17, "get_events " + (seen.stream().sorted().toList().equals(all)
            ? "nothing missing, nothing twice" : "not the missing ones"));
    }

    /** The sequences of the record, page by page. */
    private List<Long> recorded(long begin) throws IOException, BridgeException {
        List<Long> found = new ArrayList<>();
        GetEventsReply page;
        do {
            page = bridge.call(frame().setGetEvents(GetEventsRequest.newBuilder()
                .setDevice("lag").setFromSequence(begin).setPageSize(8))).getGetEvents();
            page.getEventsList().forEach(event -> found.add(event.getSequence()));
            begin = page.getNextFromSequence();
        } while (!page.getAtEnd());
        return found;
    }

    /** A length of 0, or a line that is no JSON object: answered, then closed. */
    private void breakTheFraming() throws IOException {
        try (SocketChannel channel = SocketPath.connect(SocketPath.standard())) {
            Framing framing = Framing.of(channel, line);
            framing.writeAll(line ? StandardCharsets.UTF_8.encode("GET / HTTP/1.1\r\n\r\n")
                : ByteBuffer.allocate(4));
            ServerFrame answer = framing.read();
            say(18, "broken framing id " + answer.getId() + " error bridge "
                + BridgeException.of(answer.getError()).code() + ", then " + end(framing));
        }
    }

    private static String end(Framing framing) throws IOException {
        try {
            return framing.read().toString();
        } catch (EOFException end) {
            return "the end";
        }
    }

    // The golden frames

    /** The message of a commented hex file, without its length. */
    private ByteString payload(String name) throws IOException {
        String text = Files.readString(golden.resolve(name + ".hex")).replaceAll("#.*|\\s", "");
        return ByteString.copyFrom(HexFormat.of().parseHex(text)).substring(4);
    }

    /** A golden frame in this run's mode; .line is what a newer broker would write. */
    private ServerFrame golden(String name) throws IOException {
        if (!line) {
            return ServerFrame.parseFrom(payload(name));
        }
        Path newer = golden.resolve(name + ".line");
        return Framing.parse(Files.readString(
            Files.exists(newer) ? newer : golden.resolve(name + ".json")));
    }

    /** Whether the bytes and the JSON of a golden frame are the same message. */
    private boolean isRead(String name) {
        Message kind = name.startsWith("client/") ? ClientFrame.getDefaultInstance()
            : ServerFrame.getDefaultInstance();
        try {
            Message.Builder json = kind.newBuilderForType();
            JsonFormat.parser().merge(Files.readString(golden.resolve(name + ".json")), json);
            Message binary = kind.getParserForType().parseFrom(payload(name));
            // As JSON, which leaves out what this schema does not know.
            return JsonFormat.printer().print(binary).equals(JsonFormat.printer().print(json));
        } catch (InvalidProtocolBufferException error) {
            return false;
        } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    private void readGoldenFrames() throws IOException {
        say(19, eventText(golden("read/unknown-event-kind").getEvent()));
        ServerFrame fields = golden("read/unknown-fields");
        say(20, "unknown fields id " + fields.getId() + " ping "
            + quoted(fields.getPing().getPayload()));
        for (String kind : List.of("string", "int64", "double", "bool", "string-list", "none")) {
            say(21, eventText(golden("server/value-" + kind).getEvent()));
        }
        try (Stream<Path> files = Files.walk(golden)) {
            List<String> names = files.map(file -> golden.relativize(file).toString())
                .filter(name -> name.endsWith(".hex")).map(name -> name.replace(".hex", ""))
                .sorted().toList();
            String wrong = names.stream().filter(name -> !isRead(name))
                .collect(Collectors.joining(" "));
            say(22, "golden frames "
                + (names.isEmpty() || !wrong.isEmpty() ? wrong : "all read"));
        }
    }

    private void run() throws IOException, BridgeException, InterruptedException {
        bridge = connected("conformance");
        greetAndOpen();
        drive();
        updateProfile();
        giveUpACall();
        comeBack();
        lag();
        bridge.close();
        breakTheFraming();
        readGoldenFrames();
    }

    public static void main(String[] arguments) throws Exception {
        new Conformance(arguments.length > 0 && arguments[0].equals("line")).run();
    }
}
