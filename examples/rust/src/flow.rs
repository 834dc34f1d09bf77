//! From a placement to a view on screen, and the user's finger on it.

use crate::v1::client_frame::Body as Request;
use crate::v1::perform_request::Gesture as Kind;
use crate::v1::server_frame::Body as Reply;
use crate::v1::*;
use crate::{Bridge, Result};

/// One touch: its name in the protocol, what is printed of it, and the gesture.
#[derive(Clone)]
pub struct Gesture {
    pub name: &'static str,
    pub details: String,
    kind: Kind,
}

fn gesture(name: &'static str, details: &str, kind: Kind) -> Gesture {
    Gesture { name, details: details.into(), kind }
}

pub fn focus(element: &str) -> Gesture {
    gesture("focus", element, Kind::Focus(FocusGesture { element_id: element.into() }))
}

pub fn enter_text(text: &str) -> Gesture {
    let message = EnterTextGesture { text: text.into(), ..Default::default() };
    gesture("enter_text", text, Kind::EnterText(message))
}

pub fn blur() -> Gesture {
    gesture("blur", "", Kind::Blur(BlurGesture {}))
}

pub fn open_picker(element: &str) -> Gesture {
    let message = OpenPickerGesture { element_id: element.into() };
    gesture("open_picker", element, Kind::OpenPicker(message))
}

pub fn pick(year: i32, month: i32, day: i32) -> Gesture {
    let date = Some(CivilDate { year, month, day });
    let details = format!("{year}-{month:02}-{day:02}");
    gesture("pick", &details, Kind::Pick(PickGesture { date, time: None }))
}

pub fn close_picker() -> Gesture {
    gesture("close_picker", "", Kind::ClosePicker(ClosePickerGesture {}))
}

pub fn tap_button(element: &str) -> Gesture {
    gesture("tap_button", element, Kind::TapButton(TapButtonGesture { element_id: element.into() }))
}

pub fn tap_option(element: &str, option: &str) -> Gesture {
    let message = TapOptionGesture { element_id: element.into(), option_id: option.into() };
    gesture("tap_option", &format!("{element} {option}"), Kind::TapOption(message))
}

pub fn tap_toggle(element: &str) -> Gesture {
    gesture("tap_toggle", element, Kind::TapToggle(TapToggleGesture { element_id: element.into() }))
}

/// Makes the gesture on a view.
pub fn perform(bridge: &mut Bridge, view: &str, gesture: &Gesture) -> Result<()> {
    let request = PerformRequest { view_id: view.into(), gesture: Some(gesture.kind.clone()) };
    bridge.call(Request::Perform(request)).map(drop)
}

/// Fetches the flow of the placement and presents it; gives the id of its view. Tells each call
/// before it makes it.
pub fn show(bridge: &mut Bridge, placement: &str, tell: impl Fn(&str, &str)) -> Result<String> {
    tell("get_flow", placement);
    let flow = get_flow(bridge, placement)?;
    tell("get_flow_configuration", &format!("{}, locale en", flow.name));
    let request = GetFlowConfigurationRequest {
        variation_id: flow.variation_id,
        locale: "en".into(),
        ..Default::default()
    };
    let configuration_id = match bridge.call(Request::GetFlowConfiguration(request))? {
        Reply::GetFlowConfiguration(reply) => reply.configuration_id,
        _ => unreachable!("an answer is of its request's kind"),
    };
    tell("create_flow_controller", "");
    let request = CreateFlowControllerRequest { configuration_id, ..Default::default() };
    let view_id = match bridge.call(Request::CreateFlowController(request))? {
        Reply::CreateFlowController(reply) => reply.view_id,
        _ => unreachable!("an answer is of its request's kind"),
    };
    tell("present", "");
    bridge.call(Request::Present(PresentRequest { view_id: view_id.clone() }))?;
    Ok(view_id)
}

/// The flow of a placement.
pub fn get_flow(bridge: &mut Bridge, placement: &str) -> Result<Flow> {
    let request = GetFlowRequest { placement_id: placement.into(), ..Default::default() };
    match bridge.call(Request::GetFlow(request))? {
        Reply::GetFlow(reply) => Ok(reply.flow.unwrap_or_default()),
        _ => unreachable!("an answer is of its request's kind"),
    }
}
