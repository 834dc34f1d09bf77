// Register_user registers a user through the sample flow, as an app would.
//
// One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
// user's finger, which types and taps. The app keeps the last value of every input; when the flow
// has disappeared it has all that its own backend needs, and enriches the profile with it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"time"

	"example/flowbridge"
	pb "flowbridge.example/v1"
)

const timeZone = "Asia/Kolkata"

// Each gesture, with what is printed of it.
var gestures = []struct {
	flowbridge.Gesture
	details string
}{
	{flowbridge.Focus("name"), "name"},
	{flowbridge.EnterText("Jane"), "Jane"},
	{flowbridge.Blur(), ""},
	{flowbridge.Focus("email"), "email"},
	{flowbridge.EnterText("jane@example.com"), "jane@example.com"},
	{flowbridge.Blur(), ""},
	{flowbridge.OpenPicker("birthday"), "birthday"},
	{flowbridge.PickDate(1990, 6, 15), "1990-06-15"},
	{flowbridge.ClosePicker(), ""},
	{flowbridge.TapButton("next"), "next"},
	{flowbridge.TapOption("experience", "pro"), "experience pro"},
	{flowbridge.TapOption("interests", "sports"), "interests sports"},
	{flowbridge.TapOption("interests", "music"), "interests music"},
	{flowbridge.TapToggle("reminders"), "reminders"},
	{flowbridge.TapButton("next"), "next"},
	{flowbridge.TapButton("done"), "done"},
}

// A registration is what the app collects: each event carries the whole value of its input.
type registration struct {
	answers  map[string]any
	finished bool
}

func (r *registration) hear(event *pb.Event) {
	switch kind := event.Kind.(type) {
	case *pb.Event_FlowDidDisappear:
		r.finished = true
	case *pb.Event_DidReceiveAnalyticEvent:
		if analytic := kind.DidReceiveAnalyticEvent; analytic.Name == "flow_user_input" {
			r.answers[analytic.Params["element_id"].GetString_()] =
				answer(analytic.Params, event.TimeZone)
		}
	}
}

func answer(params map[string]*pb.Value, zone string) any {
	switch params["element_type"].GetString_() {
	case "single_choice":
		return params["item_ids"].GetStringList().Values[0]
	case "multi_choice":
		return params["item_ids"].GetStringList().Values
	case "date_picker":
		// The instant at which the day begins where the user is. Turn it into a day now and in
		// that zone: read later or elsewhere, the instant is another day.
		location, err := time.LoadLocation(zone)
		must(err)
		return time.UnixMilli(params["value"].GetInt64()).In(location).Format("2006-01-02")
	default:
		return plain(params["value"])
	}
}

// plain is the Go value of a Value.
func plain(value *pb.Value) any {
	switch kind := value.Kind.(type) {
	case *pb.Value_String_:
		return kind.String_
	case *pb.Value_Int64:
		return kind.Int64
	case *pb.Value_Double:
		return kind.Double
	case *pb.Value_Bool:
		return kind.Bool
	case *pb.Value_StringList:
		return append([]string{}, kind.StringList.Values...)
	default:
		return nil
	}
}

// story is what is printed of a callback: its name and what it carries.
func story(event *pb.Event) (what, details string) {
	switch kind := event.Kind.(type) {
	case *pb.Event_DidReceiveAnalyticEvent:
		params := kind.DidReceiveAnalyticEvent.Params
		what = kind.DidReceiveAnalyticEvent.Name
		if what != "flow_user_input" {
			return what, params["instanceId"].GetString_()
		}
		value := params["value"]
		if value == nil {
			value = params["item_titles"]
		}
		return what, params["element_id"].GetString_() + " = " + asJSON(plain(value))
	case *pb.Event_DidPerformAction:
		details = kind.DidPerformAction.Kind.String()
	case *pb.Event_ViewPresented:
		details = kind.ViewPresented.PlacementId
	case *pb.Event_DidLoadLatestProfile:
		for name, value := range kind.DidLoadLatestProfile.Profile.CustomAttributes {
			details = name + " = " + asJSON(value.GetString_())
		}
	}
	return flowbridge.KindOf(event), details
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	must(err)
	return strings.ReplaceAll(string(text), `","`, `", "`)
}

func say(who, what, details string) {
	fmt.Println(strings.TrimRight(fmt.Sprintf("%-11s %-28s %s", who, what, details), " "))
}

func sayApp(call, details string) { say("app", call, details) }

func title(text string) { fmt.Printf("\n%s\n%s\n", text, strings.Repeat("-", len(text))) }

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client, err := flowbridge.Dial(ctx, "register_user.go", flowbridge.Options{})
	must(err)
	defer client.Close()
	user := registration{answers: map[string]any{}}
	call := func(frame *pb.ClientFrame) {
		_, err := client.Call(ctx, frame)
		must(err)
	}
	listen := func() { // those of a call are there before its reply
		for _, event := range client.TakeEvents() {
			what, details := story(event)
			say("  callback", what, details)
			user.hear(event)
		}
	}

	title("A user registers")
	sayApp("open_device", timeZone)
	device := fmt.Sprintf("phone-%d", time.Now().UnixNano())
	call(&pb.ClientFrame{Body: &pb.ClientFrame_OpenDevice{
		OpenDevice: &pb.OpenDeviceRequest{Device: device, TimeZone: timeZone}}})
	call(&pb.ClientFrame{Body: &pb.ClientFrame_Subscribe{
		Subscribe: &pb.SubscribeRequest{Device: device}}})
	sayApp("activate", "")
	call(&pb.ClientFrame{Body: &pb.ClientFrame_Activate{
		Activate: &pb.ActivateRequest{ApiKey: "public_live_sample"}}})
	listen()

	view, err := client.ShowFlow(ctx, "onboarding", sayApp)
	must(err)
	listen()
	for _, gesture := range gestures {
		say("finger", gesture.Name, gesture.details)
		must(client.Perform(ctx, view, gesture.Gesture))
		listen()
	}
	if !user.finished {
		log.Fatal("the flow is still on screen: nothing is sent")
	}

	title("One request to the app's own backend")
	body, err := json.Marshal(user.answers)
	must(err)
	fmt.Printf("POST /users\n%s\n", body)

	title("The profile, enriched")
	sayApp("update_profile", "first name, email, birthday, experience")
	text := func(element string) string { return user.answers[element].(string) }
	call(&pb.ClientFrame{Body: &pb.ClientFrame_UpdateProfile{UpdateProfile: &pb.UpdateProfileRequest{
		FirstName: text("name"), Email: text("email"), Birthday: text("birthday"),
		CustomAttributes: []*pb.CustomAttribute{{
			Key: "experience", Change: &pb.CustomAttribute_String_{String_: text("experience")}}}}}})
	listen()
}
