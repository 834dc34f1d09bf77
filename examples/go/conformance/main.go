// Conformance goes through the steps of docs/conformance.md and prints the transcript.
//
//	FLOWBRIDGE_SOCKET=… conformance binary|line
package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"

	"example/flowbridge"
	pb "flowbridge.example/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const (
	big         = 1<<53 + 1     // no double holds it
	startMs     = 1767225600000 // 1 January 2026
	firstMissed = 18
	longInputs  = 24
	longBytes   = 32000
)

var (
	line  = len(os.Args) > 1 && os.Args[1] == "line"
	start = &pb.DeviceClock{
		Kind: pb.DeviceClock_MANUAL, Start: &pb.DeviceClock_StartMs{StartMs: startMs}}
	gestures = []flowbridge.Gesture{
		flowbridge.Focus("name"), flowbridge.EnterText("Zoë 🙂"), flowbridge.Blur(),
		flowbridge.OpenPicker("birthday"), flowbridge.PickDate(1960, 6, 15),
		flowbridge.ClosePicker(), flowbridge.TapButton("next"),
		flowbridge.TapOption("experience", "pro"), flowbridge.TapOption("interests", "sports"),
		flowbridge.TapOption("interests", "sports"), flowbridge.TapToggle("reminders"),
		flowbridge.TapButton("next"), flowbridge.TapButton("done"),
	}
)

// What a line of the transcript looks like

func quoted(text string) string {
	var out strings.Builder
	for _, b := range []byte(text) {
		if b >= 0x20 && b < 0x7f && !strings.ContainsRune(`"%\`, rune(b)) {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return `"` + out.String() + `"`
}

func doubleText(value float64) string {
	if math.IsNaN(value) {
		return "double=nan"
	}
	return fmt.Sprintf("double=%016x", math.Float64bits(value))
}

func valueText(value *pb.Value) string {
	switch kind := value.Kind.(type) {
	case *pb.Value_String_:
		return "string=" + quoted(kind.String_)
	case *pb.Value_Int64:
		return fmt.Sprintf("int64=%d", kind.Int64)
	case *pb.Value_Double:
		return doubleText(kind.Double)
	case *pb.Value_Bool:
		return fmt.Sprintf("bool=%t", kind.Bool)
	case *pb.Value_StringList:
		texts := make([]string, 0)
		for _, text := range kind.StringList.Values {
			texts = append(texts, quoted(text))
		}
		return "string_list=[" + strings.Join(texts, ",") + "]"
	default:
		return "none"
	}
}

func attributeText(value *pb.AttributeValue) string {
	if double, is := value.Kind.(*pb.AttributeValue_Double); is {
		return doubleText(double.Double)
	}
	return "string=" + quoted(value.GetString_())
}

// members prints a map, ordered by the bytes of the names.
func members[V any](values map[string]V, text func(V) string) string {
	var parts []string
	for name, value := range values {
		parts = append(parts, " "+name+":"+text(value))
	}
	sort.Slice(parts, func(a, b int) bool { // by name alone
		return parts[a][:strings.IndexByte(parts[a], ':')] <
			parts[b][:strings.IndexByte(parts[b], ':')]
	})
	return strings.Join(parts, "")
}

func eventText(event *pb.Event) string {
	kind := flowbridge.KindOf(event)
	if kind == "" {
		kind = "(unknown kind)"
	}
	text := fmt.Sprintf("event %d %s", event.Sequence, kind)
	switch content := event.Kind.(type) {
	case *pb.Event_DidReceiveAnalyticEvent:
		analytic := content.DidReceiveAnalyticEvent
		text += " " + analytic.Name + members(analytic.Params, valueText)
	case *pb.Event_DidLoadLatestProfile:
		text += members(content.DidLoadLatestProfile.Profile.CustomAttributes, attributeText)
	case *pb.Event_DidPerformAction:
		text += " " + content.DidPerformAction.Kind.String()
	case *pb.Event_ViewPresented:
		text += " " + content.ViewPresented.PlacementId
	}
	return text
}

func say(step int, format string, values ...any) {
	fmt.Printf("%02d %s\n", step, fmt.Sprintf(format, values...))
}

func errorText(err error) string {
	var refused *flowbridge.Error
	switch {
	case err == nil:
		return "no error"
	case errors.Is(err, context.DeadlineExceeded):
		return "bridge DEADLINE_EXCEEDED"
	case !errors.As(err, &refused):
		return err.Error()
	case refused.SDK != nil:
		return fmt.Sprintf("sdk %d %s", refused.SDK.Code, refused.SDK.Name)
	default:
		return strings.TrimRight("bridge "+refused.Code+" "+refused.Field, " ")
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(errorText(err))
	}
}

// A session is a connection on which every call has to succeed, in ten seconds.
type session struct{ *flowbridge.Client }

func connected(name string) session {
	client, err := flowbridge.Dial(context.Background(), name, flowbridge.Options{Line: line})
	must(err)
	return session{client}
}

func (s session) try(timeout time.Duration, frame *pb.ClientFrame) (*pb.ServerFrame, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return s.Call(ctx, frame)
}

func (s session) call(frame *pb.ClientFrame) *pb.ServerFrame {
	reply, err := s.try(10*time.Second, frame)
	must(err)
	return reply
}

func (s session) perform(view string, gesture flowbridge.Gesture) {
	must(s.Perform(context.Background(), view, gesture))
}

func (s session) showEvents() {
	for _, event := range s.TakeEvents() {
		fmt.Println("   " + eventText(event))
	}
}

// The requests of the steps

func openDevice(request *pb.OpenDeviceRequest) *pb.ClientFrame {
	return &pb.ClientFrame{Body: &pb.ClientFrame_OpenDevice{OpenDevice: request}}
}

func subscribe(device string) *pb.ClientFrame {
	return &pb.ClientFrame{Body: &pb.ClientFrame_Subscribe{
		Subscribe: &pb.SubscribeRequest{Device: device}}}
}

func activate() *pb.ClientFrame {
	return &pb.ClientFrame{Body: &pb.ClientFrame_Activate{
		Activate: &pb.ActivateRequest{ApiKey: "public_live_conformance"}}}
}

func getFlow() *pb.ClientFrame {
	return &pb.ClientFrame{Body: &pb.ClientFrame_GetFlow{
		GetFlow: &pb.GetFlowRequest{PlacementId: "onboarding"}}}
}

func updateProfile(request *pb.UpdateProfileRequest) *pb.ClientFrame {
	return &pb.ClientFrame{Body: &pb.ClientFrame_UpdateProfile{UpdateProfile: request}}
}

func attributes(all ...*pb.CustomAttribute) *pb.ClientFrame {
	return updateProfile(&pb.UpdateProfileRequest{CustomAttributes: all})
}

func removed(key string) *pb.CustomAttribute {
	return &pb.CustomAttribute{Key: key, Change: &pb.CustomAttribute_Remove{Remove: true}}
}

func double(key string, value float64) *pb.CustomAttribute {
	return &pb.CustomAttribute{Key: key, Change: &pb.CustomAttribute_Double{Double: value}}
}

func setConditions(request *pb.SetConditionsRequest) *pb.ClientFrame {
	return &pb.ClientFrame{Body: &pb.ClientFrame_SetConditions{SetConditions: request}}
}

// The steps

func showFlow(client session) string {
	view, err := client.ShowFlow(context.Background(), "onboarding", func(string, string) {})
	must(err)
	return view
}

func greetAndOpen(client session) {
	say(1, "hello major %d max_frame %d", client.Welcome.ProtocolMajor, client.Welcome.MaxFrame)
	opened := client.call(openDevice(&pb.OpenDeviceRequest{
		Device: "conformance", TimeZone: "Asia/Kolkata", Clock: start,
		Seed: &pb.OpenDeviceRequest_RandomSeed{RandomSeed: big}})).GetOpenDevice()
	say(2, "open_device created %t time_ms %d random_seed %d",
		opened.Created, opened.Info.TimeMs, opened.Info.RandomSeed)
	reply := client.call(subscribe("conformance"))
	say(3, "subscribe next_sequence %d", reply.GetSubscribe().NextSequence)
	_, err := client.try(time.Second, &pb.ClientFrame{
		Body: &pb.ClientFrame_GetProfile{GetProfile: &pb.GetProfileRequest{}}})
	say(4, "get_profile error %s", errorText(err))
	client.call(activate())
	say(5, "activate")
	client.showEvents()
}

func drive(client session) {
	flow := client.call(getFlow()).GetGetFlow().Flow
	var locales []string
	for _, config := range flow.RemoteConfigs {
		locales = append(locales, config.Locale)
	}
	say(6, "get_flow %s %s remote configs %s",
		flow.Id, quoted(flow.Name), strings.Join(locales, " "))
	view := showFlow(client)
	say(7, "present")
	client.showEvents()
	for _, gesture := range gestures {
		client.perform(view, gesture)
		say(8, "perform %s", gesture.Name)
		client.showEvents()
	}
	err := client.Perform(context.Background(), "no-such-view", flowbridge.Blur())
	say(9, "perform error %s", errorText(err))
}

func enrichProfile(client session) {
	client.call(updateProfile(&pb.UpdateProfileRequest{
		FirstName: "Zoë", Email: "zoe@example.com", Birthday: "1960-06-15",
		CustomAttributes: []*pb.CustomAttribute{
			{Key: "experience", Change: &pb.CustomAttribute_String_{String_: "pro"}},
			double("score", 3.25)}}))
	say(10, "update_profile set")
	client.showEvents()
	client.call(attributes(removed("experience")))
	say(11, "update_profile remove")
	client.showEvents()
	seen := client.call(&pb.ClientFrame{Body: &pb.ClientFrame_InspectProfile{
		InspectProfile: &pb.InspectProfileRequest{}}}).GetInspectProfile()
	say(12, "inspect_profile %s %s %s age %d%s", quoted(seen.FirstName), quoted(seen.Email),
		seen.Birthday, seen.GetAge(), members(seen.Profile.CustomAttributes, attributeText))
}

// The clock of the device stands, so only this side can notice that time is up.
func giveUpACall(client session) {
	client.call(setConditions(&pb.SetConditionsRequest{
		Calls: []*pb.CallCondition{{Method: "get_flow", LatencyMs: 60000}}}))
	_, err := client.try(200*time.Millisecond, getFlow())
	say(13, "get_flow error %s", errorText(err))
	echo := client.call(&pb.ClientFrame{Body: &pb.ClientFrame_Ping{
		Ping: &pb.PingRequest{Payload: []byte("still here")}}}).GetPing().Payload
	say(14, "ping %s", quoted(string(echo)))
	client.call(setConditions(&pb.SetConditionsRequest{Clear: true}))
}

// comeBack misses three events, and gets them from the record.
func comeBack(client session) session {
	client.Close()
	attach := openDevice(&pb.OpenDeviceRequest{Device: "conformance"})
	other := connected("conformance while away")
	other.call(attach)
	for _, number := range []float64{1, 2, 3} {
		other.call(attributes(double("missed", number)))
	}
	other.Close()
	client = connected("conformance again")
	client.call(attach)
	client.call(&pb.ClientFrame{Body: &pb.ClientFrame_Subscribe{Subscribe: &pb.SubscribeRequest{
		Device: "conformance", Replay: &pb.SubscribeRequest_FromSequence{FromSequence: firstMissed}}}})
	client.call(attributes(removed("missed")))
	say(15, "reconnect")
	client.showEvents()
	return client
}

// typeALot makes more events than the broker keeps for a reader that does not read.
func typeALot(reader session) (begin uint64, resume func()) {
	writer := connected("conformance lag")
	defer writer.Close()
	writer.call(openDevice(&pb.OpenDeviceRequest{Device: "lag", Clock: start}))
	writer.call(activate())
	view := showFlow(writer)
	begin = reader.call(subscribe("lag")).GetSubscribe().NextSequence
	resume = reader.Pause()
	for number := 0; number < longInputs; number++ {
		text := strings.Repeat("xy"[number%2:number%2+1], longBytes)
		for _, gesture := range []flowbridge.Gesture{
			flowbridge.Focus("name"), flowbridge.EnterText(text), flowbridge.Blur()} {
			writer.perform(view, gesture)
		}
	}
	return begin, resume
}

func lag(reader session) {
	begin, resume := typeALot(reader)
	resume()
	missed, count := map[uint64]bool{}, map[uint64]int{}
	for len(count)+len(missed) < longInputs {
		event, err := reader.NextEvent(context.Background())
		must(err)
		if lagged := event.GetLagged(); lagged != nil {
			for n := lagged.FromSequence; n <= lagged.ToSequence; n++ {
				missed[n] = true
			}
		} else {
			count[event.Sequence]++
		}
	}
	told := map[bool]string{true: "told", false: "nothing"}[len(missed) > 0]
	say(16, "lagged %s", told)
	for next, atEnd := begin, false; !atEnd; {
		page := reader.call(&pb.ClientFrame{Body: &pb.ClientFrame_GetEvents{
			GetEvents: &pb.GetEventsRequest{Device: "lag", FromSequence: next, PageSize: 8}},
		}).GetGetEvents()
		for _, event := range page.Events {
			if missed[event.Sequence] {
				count[event.Sequence]++
			}
		}
		next, atEnd = page.NextFromSequence, page.AtEnd
	}
	verdict := "nothing missing, nothing twice"
	for n := begin; n < begin+longInputs; n++ {
		if count[n] != 1 {
			verdict = "not the missing ones"
		}
	}
	say(17, "get_events %s", verdict)
}

// breakTheFraming sends a length of 0, or a line that is no JSON object: answered, then closed.
func breakTheFraming() {
	connection, err := flowbridge.Connect(context.Background(), "")
	must(err)
	defer connection.Close()
	broken := "\x00\x00\x00\x00"
	if line {
		broken = "GET / HTTP/1.1\r\n\r\n"
	}
	_, err = io.WriteString(connection, broken)
	must(err)
	framing := flowbridge.NewFraming(connection, line)
	answer, err := framing.Read()
	must(err)
	if _, err = framing.Read(); err != io.EOF {
		log.Fatal("the connection goes on")
	}
	refused := flowbridge.NewError(answer.GetError())
	say(18, "broken framing id %d error bridge %s, then the end", answer.Id, refused.Code)
}

// The golden frames

func goldenFolder() string {
	if named := os.Getenv("FLOWBRIDGE_GOLDEN"); named != "" {
		return named
	}
	return "proto/golden"
}

func file(name string) []byte {
	bytes, err := os.ReadFile(filepath.Join(goldenFolder(), name))
	must(err)
	return bytes
}

// payload is the message in a commented hex file, without its length.
func payload(name string) []byte {
	text := regexp.MustCompile(`#.*|\s`).ReplaceAll(file(name+".hex"), nil)
	bytes, err := hex.DecodeString(string(text))
	must(err)
	return bytes[4:]
}

// golden is a golden frame in this run's mode; .line is what a newer broker would write.
func golden(name string) *pb.ServerFrame {
	frame := &pb.ServerFrame{}
	if !line {
		must(proto.Unmarshal(payload(name), frame))
		return frame
	}
	end := ".json"
	if _, err := os.Stat(filepath.Join(goldenFolder(), name+".line")); err == nil {
		end = ".line"
	}
	frame, err := flowbridge.ReadLine(file(name + end))
	must(err)
	return frame
}

// isRead tells whether the bytes and the JSON of a golden frame are the same message.
func isRead(name string) bool {
	var binary, json proto.Message = &pb.ServerFrame{}, &pb.ServerFrame{}
	if strings.HasPrefix(name, "client/") {
		binary, json = &pb.ClientFrame{}, &pb.ClientFrame{}
	}
	options := proto.UnmarshalOptions{DiscardUnknown: true}
	return options.Unmarshal(payload(name), binary) == nil &&
		protojson.Unmarshal(file(name+".json"), json) == nil && proto.Equal(binary, json)
}

func readGoldenFrames() {
	say(19, "%s", eventText(golden("read/unknown-event-kind").GetEvent()))
	fields := golden("read/unknown-fields")
	say(20, "unknown fields id %d ping %s", fields.Id, quoted(string(fields.GetPing().Payload)))
	for _, kind := range []string{"string", "int64", "double", "bool", "string-list", "none"} {
		say(21, "%s", eventText(golden("server/value-"+kind).GetEvent()))
	}
	files, err := filepath.Glob(filepath.Join(goldenFolder(), "*", "*.hex"))
	must(err)
	var wrong []string
	for _, path := range files {
		name, err := filepath.Rel(goldenFolder(), strings.TrimSuffix(path, ".hex"))
		must(err)
		if !isRead(name) {
			wrong = append(wrong, name)
		}
	}
	if len(files) > 0 && len(wrong) == 0 {
		wrong = []string{"all read"}
	}
	say(22, "golden frames %s", strings.Join(wrong, " "))
}

func main() {
	client := connected("conformance")
	greetAndOpen(client)
	drive(client)
	enrichProfile(client)
	giveUpACall(client)
	client = comeBack(client)
	lag(client)
	client.Close()
	breakTheFraming()
	readGoldenFrames()
}
