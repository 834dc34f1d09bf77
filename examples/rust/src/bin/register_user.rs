//! Registers a user through the sample flow, as an app would.
//!
//! One program plays both parts: the app, which calls the SDK and listens to its callbacks, and
//! the user's finger, which types and taps. The app keeps the last value of every input; when the
//! flow has disappeared it has all that its own backend needs, and enriches the profile with it.

use flowbridge::flow::*;
use flowbridge::v1::client_frame::Body;
use flowbridge::v1::event::Kind;
use flowbridge::v1::value::Kind as Plain;
use flowbridge::v1::*;
use flowbridge::Bridge;
use std::collections::BTreeMap;

const TIME_ZONE: &str = "Asia/Kolkata";

fn gestures() -> Vec<Gesture> {
    vec![
        focus("name"),
        enter_text("Jane"),
        blur(),
        focus("email"),
        enter_text("jane@example.com"),
        blur(),
        open_picker("birthday"),
        pick(1990, 6, 15),
        close_picker(),
        tap_button("next"),
        tap_option("experience", "pro"),
        tap_option("interests", "sports"),
        tap_option("interests", "music"),
        tap_toggle("reminders"),
        tap_button("next"),
        tap_button("done"),
    ]
}

/// What the app collects: the last value of every input, each as JSON.
#[derive(Default)]
struct Registration {
    answers: BTreeMap<String, String>,
    finished: bool,
}

impl Registration {
    fn hear(&mut self, event: &Event) {
        match &event.kind {
            Some(Kind::FlowDidDisappear(_)) => self.finished = true,
            Some(Kind::DidReceiveAnalyticEvent(analytic)) if analytic.name == "flow_user_input" => {
                let answer = answer(&analytic.params, &event.time_zone);
                self.answers.insert(text(&analytic.params, "element_id"), answer);
            }
            _ => {}
        }
    }

    /// An answer without the quotes of JSON.
    fn text(&self, element: &str) -> String {
        self.answers[element].trim_matches('"').into()
    }
}

fn answer(params: &BTreeMap<String, Value>, zone: &str) -> String {
    match text(params, "element_type").as_str() {
        "single_choice" => match &params["item_ids"].kind {
            Some(Plain::StringList(list)) => quoted(&list.values[0]),
            _ => unreachable!("item_ids are a list"),
        },
        "multi_choice" => json(&params["item_ids"], ","),
        "date_picker" => match params["value"].kind {
            Some(Plain::Int64(milliseconds)) => quoted(&local_day(milliseconds, zone)),
            _ => unreachable!("a date is an instant"),
        },
        _ => json(&params["value"], ","),
    }
}

/// The event has the instant at which the picked day begins where the user is. It is turned into
/// a day now and in that zone: read later or elsewhere, the instant is another day.
fn local_day(milliseconds: i64, zone: &str) -> String {
    std::env::set_var("TZ", zone);
    let seconds = milliseconds / 1000; // a day begins at a whole second
    // SAFETY: both pointers are to values that outlive the call; this program has one thread.
    let local = unsafe {
        let mut local = std::mem::zeroed();
        libc::localtime_r(&seconds, &mut local);
        local
    };
    format!("{}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday)
}

fn text(params: &BTreeMap<String, Value>, name: &str) -> String {
    match &params[name].kind {
        Some(Plain::String(text)) => text.clone(),
        _ => unreachable!("{name} is a text"),
    }
}

/// The texts of the sample need no escapes; an app would take a JSON library.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn json(value: &Value, separator: &str) -> String {
    match &value.kind {
        Some(Plain::String(text)) => quoted(text),
        Some(Plain::Int64(number)) => number.to_string(),
        Some(Plain::Double(number)) => number.to_string(),
        Some(Plain::Bool(is)) => is.to_string(),
        Some(Plain::StringList(list)) => {
            let texts: Vec<String> = list.values.iter().map(|text| quoted(text)).collect();
            format!("[{}]", texts.join(separator))
        }
        None => "null".into(),
    }
}

/// What is printed of a callback: its name and what it carries.
fn story(event: &Event) -> (String, String) {
    match &event.kind {
        Some(Kind::DidReceiveAnalyticEvent(analytic)) => {
            let params = &analytic.params;
            let details = if analytic.name == "flow_user_input" {
                let value = params.get("value").unwrap_or_else(|| &params["item_titles"]);
                format!("{} = {}", text(params, "element_id"), json(value, ", "))
            } else {
                text(params, "instanceId")
            };
            (analytic.name.clone(), details)
        }
        Some(Kind::DidPerformAction(action)) => {
            let name = did_perform_action::Kind::from_i32(action.kind).unwrap_or_default();
            ("did_perform_action".into(), name.as_str_name().into())
        }
        Some(Kind::ViewPresented(view)) => ("view_presented".into(), view.placement_id.clone()),
        Some(Kind::DidLoadLatestProfile(loaded)) => {
            let attributes = loaded.profile.iter().flat_map(|profile| &profile.custom_attributes);
            let shown = attributes.filter_map(|(key, value)| match &value.kind {
                Some(attribute_value::Kind::String(text)) => Some(format!("{key} = \"{text}\"")),
                _ => None,
            });
            ("did_load_latest_profile".into(), shown.collect::<Vec<_>>().join(", "))
        }
        Some(Kind::FlowDidAppear(_)) => ("flow_did_appear".into(), String::new()),
        Some(Kind::FlowDidDisappear(_)) => ("flow_did_disappear".into(), String::new()),
        _ => ("another callback".into(), String::new()),
    }
}

fn say(who: &str, what: &str, details: &str) {
    println!("{}", format!("{who:<11} {what:<28} {details}").trim_end());
}

fn say_app(call: &str, details: &str) {
    say("app", call, details);
}

fn title(text: &str) {
    println!("\n{text}\n{}", "-".repeat(text.len()));
}

/// Takes the callbacks that have come. Those of a call are there before its reply.
fn listen(bridge: &mut Bridge, registration: &mut Registration) {
    for event in bridge.take_events() {
        let (what, details) = story(&event);
        say("  callback", &what, &details);
        registration.hear(&event);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bridge = Bridge::connect("register_user.rs", None)?;
    let mut registration = Registration::default();
    title("A user registers");
    let device = format!("phone-{}", std::process::id());
    say_app("open_device", TIME_ZONE);
    bridge.call(Body::OpenDevice(OpenDeviceRequest {
        device: device.clone(),
        time_zone: TIME_ZONE.into(),
        ..Default::default()
    }))?;
    bridge.call(Body::Subscribe(SubscribeRequest { device, ..Default::default() }))?;
    say_app("activate", "");
    bridge.call(Body::Activate(ActivateRequest {
        api_key: "public_live_sample".into(),
        ..Default::default()
    }))?;
    listen(&mut bridge, &mut registration);

    let view = show(&mut bridge, "onboarding", say_app)?;
    listen(&mut bridge, &mut registration);
    for gesture in gestures() {
        say("finger", gesture.name, &gesture.details);
        perform(&mut bridge, &view, &gesture)?;
        listen(&mut bridge, &mut registration);
    }
    if !registration.finished {
        return Err("the flow is still on screen: nothing is sent".into());
    }

    title("One request to the app's own backend");
    let members: Vec<String> =
        registration.answers.iter().map(|(name, answer)| format!("\"{name}\":{answer}")).collect();
    println!("POST /users\n{{{}}}", members.join(","));

    title("The profile, enriched");
    say_app("update_profile", "first name, email, birthday, experience");
    let experience = custom_attribute::Change::String(registration.text("experience"));
    bridge.call(Body::UpdateProfile(UpdateProfileRequest {
        first_name: registration.text("name"),
        email: registration.text("email"),
        birthday: registration.text("birthday"),
        custom_attributes: vec![CustomAttribute {
            key: "experience".into(),
            change: Some(experience),
        }],
        ..Default::default()
    }))?;
    listen(&mut bridge, &mut registration);
    Ok(())
}
