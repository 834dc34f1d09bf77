package example;

import static example.Flow.*;

import flowbridge.v1.*;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Registers a user through the sample flow, as an app would.
 *
 * <p>One program plays both parts: the app, which calls the SDK and listens to its callbacks, and
 * the user's finger, which types and taps. The app keeps the last value of every input; when the
 * flow has disappeared it has all that its own backend needs, and enriches the profile with it.
 */
public final class RegisterUser {
    private static final String TIME_ZONE = "Asia/Kolkata";

    private static final List<Touch> GESTURES = List.of(
        focus("name"), enterText("Jane"), blur(),
        focus("email"), enterText("jane@example.com"), blur(),
        openPicker("birthday"), pick(1990, 6, 15), closePicker(), tapButton("next"),
        tapOption("experience", "pro"), tapOption("interests", "sports"),
        tapOption("interests", "music"), tapToggle("reminders"), tapButton("next"),
        tapButton("done"));

    private final Bridge bridge;
    private final Map<String, Object> answers = new TreeMap<>(); // the last value of every input
    private boolean finished;

    private RegisterUser(Bridge bridge) {
        this.bridge = bridge;
    }

    private void hear(Event event) {
        String kind = event.getKindCase().name().toLowerCase();
        switch (event.getKindCase()) {
            case FLOW_DID_DISAPPEAR -> finished = true;
            case DID_RECEIVE_ANALYTIC_EVENT -> {
                hearAnalytic(event.getDidReceiveAnalyticEvent(), event.getTimeZone());
                return;
            }
            default -> { }
        }
        say("  callback", kind, switch (event.getKindCase()) {
            case VIEW_PRESENTED -> event.getViewPresented().getPlacementId();
            case DID_PERFORM_ACTION -> event.getDidPerformAction().getKind().name();
            case DID_LOAD_LATEST_PROFILE -> event.getDidLoadLatestProfile().getProfile()
                .getCustomAttributesMap().entrySet().stream()
                .map(entry -> entry.getKey() + " = " + json(entry.getValue().getString()))
                .collect(Collectors.joining(", "));
            default -> "";
        });
    }

    private void hearAnalytic(DidReceiveAnalyticEvent analytic, String zone) {
        Map<String, Value> params = analytic.getParamsMap();
        if (!analytic.getName().equals("flow_user_input")) {
            say("  callback", analytic.getName(), params.get("instanceId").getString());
            return;
        }
        String element = params.get("element_id").getString();
        Value shown = params.getOrDefault("value", params.get("item_titles"));
        say("  callback", analytic.getName(), element + " = " + json(plain(shown)));
        answers.put(element, switch (params.get("element_type").getString()) {
            case "single_choice" -> params.get("item_ids").getStringList().getValues(0);
            case "multi_choice" -> plain(params.get("item_ids"));
            // The instant at which the day begins where the user is. Turn it into a day now and
            // in that zone: read later or elsewhere, the instant is another day.
            case "date_picker" -> Instant.ofEpochMilli(params.get("value").getInt64())
                .atZone(ZoneId.of(zone)).toLocalDate().toString();
            default -> plain(params.get("value"));
        });
    }

    private static Object plain(Value value) {
        return switch (value.getKindCase()) {
            case STRING -> value.getString();
            case INT64 -> value.getInt64();
            case DOUBLE -> value.getDouble();
            case BOOL -> value.getBool();
            case STRING_LIST -> List.copyOf(value.getStringList().getValuesList());
            case KIND_NOT_SET -> "";
        };
    }

    /** The texts of the sample need no escapes; an app would take a JSON library. */
    private static String json(Object value) {
        if (value instanceof String text) {
            return '"' + text + '"';
        } else if (value instanceof List<?> list) {
            return list.stream().map(RegisterUser::json).collect(Collectors.joining(", ", "[", "]"));
        }
        return value.toString();
    }

    private static void say(String who, String what, String details) {
        System.out.println("%-11s %-28s %s".formatted(who, what, details).stripTrailing());
    }

    private static void sayApp(String call, String details) {
        say("app", call, details);
    }

    private static void title(String text) {
        System.out.println("\n" + text + "\n" + "-".repeat(text.length()));
    }

    /** Makes a call of the app and takes its callbacks: they are there before its reply. */
    private void call(ClientFrame.Builder frame) throws IOException, BridgeException {
        bridge.call(frame);
        bridge.takeEvents().forEach(this::hear);
    }

    private void run() throws IOException, BridgeException {
        title("A user registers");
        sayApp("open_device", TIME_ZONE);
        String device = "phone-" + System.nanoTime();
        call(ClientFrame.newBuilder().setOpenDevice(
            OpenDeviceRequest.newBuilder().setDevice(device).setTimeZone(TIME_ZONE)));
        call(ClientFrame.newBuilder().setSubscribe(SubscribeRequest.newBuilder().setDevice(device)));
        sayApp("activate", "");
        call(ClientFrame.newBuilder().setActivate(
            ActivateRequest.newBuilder().setApiKey("public_live_sample")));

        Flow flow = Flow.show(bridge, "onboarding", RegisterUser::sayApp);
        bridge.takeEvents().forEach(this::hear);
        for (Touch touch : GESTURES) {
            say("finger", touch.name(), touch.details());
            flow.perform(touch);
            bridge.takeEvents().forEach(this::hear);
        }
        if (!finished) {
            throw new IllegalStateException("the flow is still on screen: nothing is sent");
        }

        title("One request to the app's own backend");
        System.out.println("POST /users\n" + answers.entrySet().stream()
            .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()).replace(", ", ","))
            .collect(Collectors.joining(",", "{", "}")));

        title("The profile, enriched");
        sayApp("update_profile", "first name, email, birthday, experience");
        call(ClientFrame.newBuilder().setUpdateProfile(UpdateProfileRequest.newBuilder()
            .setFirstName(answers.get("name").toString()).setEmail(answers.get("email").toString())
            .setBirthday(answers.get("birthday").toString())
            .addCustomAttributes(CustomAttribute.newBuilder()
                .setKey("experience").setString(answers.get("experience").toString()))));
    }

    public static void main(String[] arguments) throws IOException, BridgeException {
        try (Bridge bridge = Bridge.connect("RegisterUser.java")) {
            new RegisterUser(bridge).run();
        }
    }
}
