package flowbridge

import (
	"context"

	pb "flowbridge.example/v1"
)

// A Gesture is one touch of the user: its name in the protocol, and the request without a view.
type Gesture struct {
	Name    string
	Request *pb.PerformRequest
}

// Focus and the functions after it make the gestures of the same name.
func Focus(element string) Gesture {
	return Gesture{"focus", &pb.PerformRequest{Gesture: &pb.PerformRequest_Focus{
		Focus: &pb.FocusGesture{ElementId: element}}}}
}

func EnterText(text string) Gesture {
	return Gesture{"enter_text", &pb.PerformRequest{Gesture: &pb.PerformRequest_EnterText{
		EnterText: &pb.EnterTextGesture{Text: text}}}}
}

func Blur() Gesture {
	return Gesture{"blur", &pb.PerformRequest{Gesture: &pb.PerformRequest_Blur{
		Blur: &pb.BlurGesture{}}}}
}

func OpenPicker(element string) Gesture {
	return Gesture{"open_picker", &pb.PerformRequest{Gesture: &pb.PerformRequest_OpenPicker{
		OpenPicker: &pb.OpenPickerGesture{ElementId: element}}}}
}

func PickDate(year, month, day int32) Gesture {
	return Gesture{"pick", &pb.PerformRequest{Gesture: &pb.PerformRequest_Pick{
		Pick: &pb.PickGesture{Date: &pb.CivilDate{Year: year, Month: month, Day: day}}}}}
}

func ClosePicker() Gesture {
	return Gesture{"close_picker", &pb.PerformRequest{Gesture: &pb.PerformRequest_ClosePicker{
		ClosePicker: &pb.ClosePickerGesture{}}}}
}

func TapButton(element string) Gesture {
	return Gesture{"tap_button", &pb.PerformRequest{Gesture: &pb.PerformRequest_TapButton{
		TapButton: &pb.TapButtonGesture{ElementId: element}}}}
}

func TapOption(element, option string) Gesture {
	return Gesture{"tap_option", &pb.PerformRequest{Gesture: &pb.PerformRequest_TapOption{
		TapOption: &pb.TapOptionGesture{ElementId: element, OptionId: option}}}}
}

func TapToggle(element string) Gesture {
	return Gesture{"tap_toggle", &pb.PerformRequest{Gesture: &pb.PerformRequest_TapToggle{
		TapToggle: &pb.TapToggleGesture{ElementId: element}}}}
}

// Perform makes the gesture on a view.
func (c *Client) Perform(ctx context.Context, view string, gesture Gesture) error {
	gesture.Request.ViewId = view
	_, err := c.Call(ctx, &pb.ClientFrame{
		Body: &pb.ClientFrame_Perform{Perform: gesture.Request}})
	return err
}

// ShowFlow goes from a placement to a view on screen. It tells each call before it makes it.
func (c *Client) ShowFlow(
	ctx context.Context, placement string, tell func(call, details string),
) (view string, err error) {
	tell("get_flow", placement)
	frame, err := c.Call(ctx, &pb.ClientFrame{Body: &pb.ClientFrame_GetFlow{
		GetFlow: &pb.GetFlowRequest{PlacementId: placement}}})
	if err != nil {
		return "", err
	}
	flow := frame.GetGetFlow().Flow
	tell("get_flow_configuration", flow.Name+", locale en")
	frame, err = c.Call(ctx, &pb.ClientFrame{Body: &pb.ClientFrame_GetFlowConfiguration{
		GetFlowConfiguration: &pb.GetFlowConfigurationRequest{
			VariationId: flow.VariationId, Locale: "en"}}})
	if err != nil {
		return "", err
	}
	tell("create_flow_controller", "")
	frame, err = c.Call(ctx, &pb.ClientFrame{Body: &pb.ClientFrame_CreateFlowController{
		CreateFlowController: &pb.CreateFlowControllerRequest{
			ConfigurationId: frame.GetGetFlowConfiguration().ConfigurationId}}})
	if err != nil {
		return "", err
	}
	view = frame.GetCreateFlowController().ViewId
	tell("present", "")
	_, err = c.Call(ctx, &pb.ClientFrame{Body: &pb.ClientFrame_Present{
		Present: &pb.PresentRequest{ViewId: view}}})
	return view, err
}

// KindOf names the kind of an event, such as "flow_did_appear"; "" is one of a newer broker.
func KindOf(event *pb.Event) string {
	message := event.ProtoReflect()
	kind := message.WhichOneof(message.Descriptor().Oneofs().ByName("kind"))
	if kind == nil {
		return ""
	}
	return string(kind.Name())
}
