package example;

import flowbridge.v1.*;
import java.io.IOException;
import java.util.function.BiConsumer;

/** From a placement to a view on screen, and the user's finger on it. */
final class Flow {
    /** One touch: its name in the protocol, what is printed of it, and the request. */
    record Touch(String name, String details, PerformRequest.Builder request) {}

    private final Bridge bridge;
    final String view;

    private Flow(Bridge bridge, String view) {
        this.bridge = bridge;
        this.view = view;
    }

    /** Fetches the flow of the placement and presents it. Tells each call before it makes it. */
    static Flow show(Bridge bridge, String placement, BiConsumer<String, String> tell)
            throws IOException, BridgeException {
        tell.accept("get_flow", placement);
        flowbridge.v1.Flow flow = bridge.call(ClientFrame.newBuilder().setGetFlow(
            GetFlowRequest.newBuilder().setPlacementId(placement))).getGetFlow().getFlow();
        tell.accept("get_flow_configuration", flow.getName() + ", locale en");
        String configuration = bridge.call(ClientFrame.newBuilder().setGetFlowConfiguration(
            GetFlowConfigurationRequest.newBuilder()
                .setVariationId(flow.getVariationId()).setLocale("en")))
            .getGetFlowConfiguration().getConfigurationId();
        tell.accept("create_flow_controller", "");
        String view = bridge.call(ClientFrame.newBuilder().setCreateFlowController(
            CreateFlowControllerRequest.newBuilder().setConfigurationId(configuration)))
            .getCreateFlowController().getViewId();
        tell.accept("present", "");
        bridge.call(ClientFrame.newBuilder().setPresent(PresentRequest.newBuilder().setViewId(view)));
        return new Flow(bridge, view);
    }

    void perform(Touch touch) throws IOException, BridgeException {
        perform(bridge, view, touch);
    }

    static void perform(Bridge bridge, String view, Touch touch)
            throws IOException, BridgeException {
        bridge.call(ClientFrame.newBuilder().setPerform(touch.request().setViewId(view)));
    }

    private static PerformRequest.Builder request() {
        return PerformRequest.newBuilder();
    }

    static Touch focus(String element) {
        return new Touch("focus", element,
            request().setFocus(FocusGesture.newBuilder().setElementId(element)));
    }

    static Touch enterText(String text) {
        return new Touch("enter_text", text,
            request().setEnterText(EnterTextGesture.newBuilder().setText(text)));
    }

    static Touch blur() {
        return new Touch("blur", "", request().setBlur(BlurGesture.getDefaultInstance()));
    }

    static Touch openPicker(String element) {
        return new Touch("open_picker", element,
            request().setOpenPicker(OpenPickerGesture.newBuilder().setElementId(element)));
    }

    static Touch pick(int year, int month, int day) {
        CivilDate date = CivilDate.newBuilder().setYear(year).setMonth(month).setDay(day).build();
        return new Touch("pick", "%d-%02d-%02d".formatted(year, month, day),
            request().setPick(PickGesture.newBuilder().setDate(date)));
    }

    static Touch closePicker() {
        return new Touch("close_picker", "",
            request().setClosePicker(ClosePickerGesture.getDefaultInstance()));
    }

    static Touch tapButton(String element) {
        return new Touch("tap_button", element,
            request().setTapButton(TapButtonGesture.newBuilder().setElementId(element)));
    }

    static Touch tapOption(String element, String option) {
        return new Touch("tap_option", element + " " + option, request().setTapOption(
            TapOptionGesture.newBuilder().setElementId(element).setOptionId(option)));
    }

    static Touch tapToggle(String element) {
        return new Touch("tap_toggle", element,
            request().setTapToggle(TapToggleGesture.newBuilder().setElementId(element)));
    }
}
