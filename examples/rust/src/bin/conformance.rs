//! Goes through the steps of docs/conformance.md and prints the transcript. Binary mode only:
//! prost knows no JSON.
//!
//!     FLOWBRIDGE_SOCKET=… conformance binary

use flowbridge::flow::*;
use flowbridge::v1::client_frame::Body as Request;
use flowbridge::v1::event::Kind;
use flowbridge::v1::server_frame::Body as Reply;
use flowbridge::v1::value::Kind as Plain;
use flowbridge::v1::*;
use flowbridge::{path, take_frame, Bridge, Error};
use prost::Message;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::time::Duration;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const BIG: u64 = (1 << 53) + 1; // no double holds it
const START_MS: i64 = 1_767_225_600_000; // 1 January 2026
const FIRST_MISSED: u64 = 18;
const LONG_INPUTS: usize = 24;
const LONG_BYTES: usize = 32_000;

fn gestures() -> Vec<Gesture> {
    vec![
        focus("name"),
        enter_text("Zoë 🙂"),
        blur(),
        open_picker("birthday"),
        pick(1960, 6, 15),
        close_picker(),
        tap_button("next"),
        tap_option("experience", "pro"),
        tap_option("interests", "sports"),
        tap_option("interests", "sports"),
        tap_toggle("reminders"),
        tap_button("next"),
        tap_button("done"),
    ]
}

// What a line of the transcript looks like

fn quoted(text: &[u8]) -> String {
    let shown = text.iter().map(|&byte| match byte {
        b'"' | b'%' | b'\\' => format!("%{byte:02X}"),
        0x20..=0x7e => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    format!("\"{}\"", shown.collect::<String>())
}

fn double_text(value: f64) -> String {
    if value.is_nan() {
        return "double=nan".into();
    }
    format!("double={:016x}", value.to_bits())
}

fn value_text(value: &Value) -> String {
    match &value.kind {
        Some(Plain::String(text)) => format!("string={}", quoted(text.as_bytes())),
        Some(Plain::Int64(number)) => format!("int64={number}"),
        Some(Plain::Double(number)) => double_text(*number),
        Some(Plain::Bool(is)) => format!("bool={is}"),
        Some(Plain::StringList(list)) => {
            let texts: Vec<_> = list.values.iter().map(|text| quoted(text.as_bytes())).collect();
            format!("string_list=[{}]", texts.join(","))
        }
        None => "none".into(),
    }
}

fn attribute_text(value: &AttributeValue) -> String {
    match &value.kind {
        Some(attribute_value::Kind::String(text)) => format!("string={}", quoted(text.as_bytes())),
        Some(attribute_value::Kind::Double(number)) => double_text(*number),
        None => "none".into(),
    }
}

/// A map of values; it keeps the bytes of its names in order.
fn members<V>(values: &BTreeMap<String, V>, text: fn(&V) -> String) -> String {
    values.iter().map(|(name, value)| format!(" {name}:{}", text(value))).collect()
}

fn attributes(profile: &Option<Profile>) -> String {
    profile.iter().map(|profile| members(&profile.custom_attributes, attribute_text)).collect()
}

fn event_text(event: &Event) -> String {
    let (kind, details) = match &event.kind {
        Some(Kind::DidReceiveAnalyticEvent(analytic)) => (
            "did_receive_analytic_event",
            format!(" {}{}", analytic.name, members(&analytic.params, value_text)),
        ),
        Some(Kind::DidLoadLatestProfile(loaded)) => {
            ("did_load_latest_profile", attributes(&loaded.profile))
        }
        Some(Kind::DidPerformAction(action)) => {
            let kind = did_perform_action::Kind::from_i32(action.kind).unwrap_or_default();
            ("did_perform_action", format!(" {}", kind.as_str_name()))
        }
        Some(Kind::ViewPresented(view)) => ("view_presented", format!(" {}", view.placement_id)),
        Some(Kind::FlowDidAppear(_)) => ("flow_did_appear", String::new()),
        Some(Kind::FlowDidDisappear(_)) => ("flow_did_disappear", String::new()),
        Some(_) => ("(another kind)", String::new()),
        None => ("(unknown kind)", String::new()),
    };
    format!("event {} {kind}{details}", event.sequence)
}

fn say(step: u32, text: &str) {
    println!("{step:02} {text}");
}

fn show_events(bridge: &mut Bridge) {
    for event in bridge.take_events() {
        println!("   {}", event_text(&event));
    }
}

fn error_text<T>(result: flowbridge::Result<T>) -> String {
    match result {
        Ok(_) => "no error".into(),
        Err(Error::Sdk { code, name, .. }) => format!("sdk {code} {name}"),
        Err(Error::Bridge { code, field, .. }) => {
            format!("bridge {code} {field}").trim_end().into()
        }
        Err(Error::Lost(error)) => error.to_string(),
    }
}

// The requests of the steps

/// The member of the reply that belongs to a request.
macro_rules! reply {
    ($bridge:expr, $method:ident, $request:expr) => {
        match $bridge.call(Request::$method($request))? {
            Reply::$method(reply) => reply,
            _ => unreachable!("an answer is of its request's kind"),
        }
    };
}

fn open(device: &str) -> OpenDeviceRequest {
    OpenDeviceRequest {
        device: device.into(),
        time_zone: "Asia/Kolkata".into(),
        clock: Some(DeviceClock {
            kind: device_clock::Kind::Manual.into(),
            start: Some(device_clock::Start::StartMs(START_MS)),
        }),
        seed: Some(open_device_request::Seed::RandomSeed(BIG)),
        ..Default::default()
    }
}

fn attach() -> OpenDeviceRequest {
    OpenDeviceRequest { device: "conformance".into(), ..Default::default() }
}

fn subscribe(device: &str) -> SubscribeRequest {
    SubscribeRequest { device: device.into(), ..Default::default() }
}

fn activate() -> ActivateRequest {
    ActivateRequest { api_key: "public_live_conformance".into(), ..Default::default() }
}

fn change(key: &str, change: custom_attribute::Change) -> UpdateProfileRequest {
    UpdateProfileRequest { custom_attributes: vec![attribute(key, change)], ..Default::default() }
}

fn attribute(key: &str, change: custom_attribute::Change) -> CustomAttribute {
    CustomAttribute { key: key.into(), change: Some(change) }
}

use custom_attribute::Change;

// The steps

fn greet_and_open(bridge: &mut Bridge) -> Outcome<()> {
    let welcome = &bridge.welcome;
    say(1, &format!("hello major {} max_frame {}", welcome.protocol_major, welcome.max_frame));
    let opened = reply!(bridge, OpenDevice, open("conformance"));
    let info = opened.info.unwrap_or_default();
    say(2, &format!(
        "open_device created {} time_ms {} random_seed {}",
        opened.created, info.time_ms, info.random_seed
    ));
    let subscribed = reply!(bridge, Subscribe, subscribe("conformance"));
    say(3, &format!("subscribe next_sequence {}", subscribed.next_sequence));
    let too_early = bridge.call(Request::GetProfile(GetProfileRequest {}));
    say(4, &format!("get_profile error {}", error_text(too_early)));
    reply!(bridge, Activate, activate());
    say(5, "activate");
    show_events(bridge);
    Ok(())
}

fn drive(bridge: &mut Bridge) -> Outcome<()> {
    let flow = get_flow(bridge, "onboarding")?;
    let locales: Vec<_> = flow.remote_configs.iter().map(|config| config.locale.as_str()).collect();
    say(6, &format!(
        "get_flow {} {} remote configs {}",
        flow.id, quoted(flow.name.as_bytes()), locales.join(" ")
    ));
    let view = show(bridge, "onboarding", |_, _| {})?;
    say(7, "present");
    show_events(bridge);
    for gesture in gestures() {
        perform(bridge, &view, &gesture)?;
        say(8, &format!("perform {}", gesture.name));
        show_events(bridge);
    }
    let missing = perform(bridge, "no-such-view", &blur());
    say(9, &format!("perform error {}", error_text(missing)));
    Ok(())
}

fn update_profile(bridge: &mut Bridge) -> Outcome<()> {
    reply!(bridge, UpdateProfile, UpdateProfileRequest {
        first_name: "Zoë".into(),
        email: "zoe@example.com".into(),
        birthday: "1960-06-15".into(),
        custom_attributes: vec![
            attribute("experience", Change::String("pro".into())),
            attribute("score", Change::Double(3.25)),
        ],
        ..Default::default()
    });
    say(10, "update_profile set");
    show_events(bridge);
    reply!(bridge, UpdateProfile, change("experience", Change::Remove(true)));
    say(11, "update_profile remove");
    show_events(bridge);
    let seen = reply!(bridge, InspectProfile, InspectProfileRequest::default());
    let age = match seen.computed_age {
        Some(inspect_profile_reply::ComputedAge::Age(age)) => age,
        None => 0,
    };
    say(12, &format!(
        "inspect_profile {} {} {} age {age}{}",
        quoted(seen.first_name.as_bytes()), quoted(seen.email.as_bytes()), seen.birthday,
        attributes(&seen.profile)
    ));
    Ok(())
}

/// The clock of the device stands, so only this side can notice that time is up.
fn give_up_a_call(bridge: &mut Bridge) -> Outcome<()> {
    reply!(bridge, SetConditions, SetConditionsRequest {
        calls: vec![CallCondition {
            method: "get_flow".into(),
            latency_ms: 60_000,
            ..Default::default()
        }],
        ..Default::default()
    });
    let request = GetFlowRequest { placement_id: "onboarding".into(), ..Default::default() };
    let waiting = bridge.call_within(Request::GetFlow(request), Duration::from_millis(200));
    say(13, &format!("get_flow error {}", error_text(waiting)));
    let echo = reply!(bridge, Ping, PingRequest { payload: b"still here".to_vec() });
    say(14, &format!("ping {}", quoted(&echo.payload)));
    reply!(bridge, SetConditions, SetConditionsRequest { clear: true, ..Default::default() });
    Ok(())
}

/// Misses three events, and gets them from the record.
fn come_back(bridge: Bridge) -> Outcome<Bridge> {
    drop(bridge);
    let mut other = Bridge::connect("conformance while away", None)?;
    reply!(other, OpenDevice, attach());
    for number in [1.0, 2.0, 3.0] {
        reply!(other, UpdateProfile, change("missed", Change::Double(number)));
    }
    drop(other);
    let mut bridge = Bridge::connect("conformance again", None)?;
    reply!(bridge, OpenDevice, attach());
    reply!(bridge, Subscribe, SubscribeRequest {
        replay: Some(subscribe_request::Replay::FromSequence(FIRST_MISSED)),
        ..subscribe("conformance")
    });
    reply!(bridge, UpdateProfile, change("missed", Change::Remove(true)));
    say(15, "reconnect");
    show_events(&mut bridge);
    Ok(bridge)
}

/// Types so much that a connection that does not read is told that it lags.
fn type_a_lot(reader: &mut Bridge) -> Outcome<u64> {
    let mut writer = Bridge::connect("conformance lag", None)?;
    reply!(writer, OpenDevice, open("lag"));
    reply!(writer, Activate, activate());
    let view = show(&mut writer, "onboarding", |_, _| {})?;
    let begin = reply!(reader, Subscribe, subscribe("lag")).next_sequence;
    for number in 0..LONG_INPUTS {
        let text = ["x", "y"][number % 2].repeat(LONG_BYTES);
        for gesture in [focus("name"), enter_text(&text), blur()] {
            perform(&mut writer, &view, &gesture)?;
        }
    }
    Ok(begin)
}

fn lag(reader: &mut Bridge) -> Outcome<()> {
    let begin = type_a_lot(reader)?;
    let (mut seen, mut missed) = (Vec::new(), Vec::new());
    while seen.len() + missed.len() < LONG_INPUTS {
        match reader.next_event(Duration::from_secs(10))?.ok_or("no more events")? {
            Event { kind: Some(Kind::Lagged(lagged)), .. } => {
                missed.extend(lagged.from_sequence..=lagged.to_sequence)
            }
            event => seen.push(event.sequence),
        }
    }
    say(16, if missed.is_empty() { "lagged nothing" } else { "lagged told" });
    seen.extend(recorded(reader, begin)?.iter().filter(|sequence| missed.contains(sequence)));
    seen.sort_unstable();
    let whole = seen.into_iter().eq(begin..begin + LONG_INPUTS as u64);
    let verdict = if whole { "nothing missing, nothing twice" } else { "not the missing ones" };
    say(17, &format!("get_events {verdict}"));
    Ok(())
}

/// The sequences of the record, page by page.
fn recorded(bridge: &mut Bridge, mut from_sequence: u64) -> Outcome<Vec<u64>> {
    let mut found = Vec::new();
    loop {
        let page = reply!(bridge, GetEvents, GetEventsRequest {
            device: "lag".into(),
            from_sequence,
            page_size: 8,
            ..Default::default()
        });
        found.extend(page.events.iter().map(|event| event.sequence));
        if page.at_end {
            return Ok(found);
        }
        from_sequence = page.next_from_sequence;
    }
}

/// A length of 0: answered, then closed.
fn break_the_framing() -> Outcome<()> {
    let mut stream = path::connect(&path::default_path()?)?;
    stream.write_all(&[0; 4])?;
    let mut received = Vec::new();
    stream.read_to_end(&mut received)?;
    let answer = take_frame(&mut received)?.ok_or("no answer")?;
    let text = match answer.body {
        Some(Reply::Error(error)) => error_text::<()>(Err(error.into())),
        _ => "no error".into(),
    };
    say(18, &format!("broken framing id {} error {text}, then the end", answer.id));
    Ok(())
}

// The golden frames

fn golden_folder() -> String {
    std::env::var("FLOWBRIDGE_GOLDEN").unwrap_or_else(|_| "proto/golden".into())
}

/// The message of a commented hex file, without its length.
fn payload(name: &str) -> Outcome<Vec<u8>> {
    let text = fs::read_to_string(format!("{}/{name}.hex", golden_folder()))?;
    let digits: String = text
        .lines()
        .flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace())
        .collect();
    let bytes: Result<Vec<u8>, _> = (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16))
        .collect();
    Ok(bytes?.split_off(4))
}

fn golden(name: &str) -> Outcome<ServerFrame> {
    Ok(ServerFrame::decode(payload(name)?.as_slice())?)
}

/// Whether a golden frame can be read, and its message gives the same bytes again.
fn is_read(name: &str) -> Outcome<bool> {
    let bytes = payload(name)?;
    let again = if name.starts_with("client/") {
        ClientFrame::decode(bytes.as_slice()).map(|frame| frame.encode_to_vec())
    } else {
        ServerFrame::decode(bytes.as_slice()).map(|frame| frame.encode_to_vec())
    };
    // Of those of read/ the bytes are unusual, and prost leaves out the empty value of a map.
    let is_other = name.starts_with("read/") || name == "server/value-none";
    Ok(again.map_or(false, |again| again == bytes || is_other))
}

fn read_golden_frames() -> Outcome<()> {
    let event = |name: &str| match golden(name)?.body {
        Some(Reply::Event(event)) => Outcome::Ok(event_text(&event)),
        _ => Err("no event".into()),
    };
    say(19, &event("read/unknown-event-kind")?);
    let fields = golden("read/unknown-fields")?;
    let payload = match fields.body {
        Some(Reply::Ping(ping)) => ping.payload,
        _ => return Err("no ping".into()),
    };
    say(20, &format!("unknown fields id {} ping {}", fields.id, quoted(&payload)));
    for kind in ["string", "int64", "double", "bool", "string-list", "none"] {
        say(21, &event(&format!("server/value-{kind}"))?);
    }
    let (mut found, mut wrong) = (0, Vec::new());
    for folder in ["client", "read", "server"] {
        for entry in fs::read_dir(format!("{}/{folder}", golden_folder()))? {
            let file = entry?.file_name().into_string().map_err(|_| "a name that is no text")?;
            if let Some(name) = file.strip_suffix(".hex") {
                found += 1;
                let name = format!("{folder}/{name}");
                if !is_read(&name)? {
                    wrong.push(name);
                }
            }
        }
    }
    wrong.sort();
    let verdict = if found > 0 && wrong.is_empty() { "all read".into() } else { wrong.join(" ") };
    say(22, &format!("golden frames {verdict}"));
    Ok(())
}

fn main() -> Outcome<()> {
    let mut bridge = Bridge::connect("conformance", None)?;
    greet_and_open(&mut bridge)?;
    drive(&mut bridge)?;
    update_profile(&mut bridge)?;
    give_up_a_call(&mut bridge)?;
    bridge = come_back(bridge)?;
    lag(&mut bridge)?;
    drop(bridge);
    break_the_framing()?;
    read_golden_frames()
}
