//! A small client of the Flowbridge broker: binary frames over its Unix socket.
//!
//! ```ignore
//! let mut bridge = Bridge::connect("my program", None)?;
//! bridge.call(Body::Subscribe(SubscribeRequest::default()))?;
//! for event in bridge.take_events() { … }
//! ```

use prost::Message;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

pub mod flow;
pub mod path;

/// The messages of proto/flowbridge/v1.
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/flowbridge.v1.rs"));
}

use v1::{client_frame, server_frame, ClientFrame, Event, HelloRequest, ServerFrame, WelcomeReply};

pub const FRAME_BYTES_MAX: usize = 1 << 20;
const GRACE: Duration = Duration::from_millis(100); // past the deadline, whatever the broker does

/// Why a call failed.
#[derive(Debug)]
pub enum Error {
    /// A fault of the bridge; `code` is a name such as WRONG_STATE.
    Bridge { code: String, message: String, field: String, retryable: bool },
    /// What the SDK itself would have thrown; `code` is its number such as 2002.
    Sdk { code: i32, name: String, message: String },
    /// The connection is over.
    Lost(io::Error),
}

pub type Result<T> = std::result::Result<T, Error>;

impl From<v1::Error> for Error {
    fn from(error: v1::Error) -> Error {
        if let Some(sdk) = error.sdk {
            return Error::Sdk { code: sdk.code, name: sdk.name, message: error.message };
        }
        // A number that this client does not know counts as INTERNAL.
        let bridge = v1::error::Bridge::from_i32(error.bridge).unwrap_or(v1::error::Bridge::Internal);
        Error::Bridge {
            code: bridge.as_str_name().into(),
            message: error.message,
            field: error.field,
            retryable: error.retryable,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Lost(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Bridge { code, message, .. } => write!(out, "{code}: {message}"),
            Error::Sdk { code, name, message } => write!(out, "{code} {name}: {message}"),
            Error::Lost(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for Error {}

/// One connection, for one thread at a time.
pub struct Bridge {
    /// What the broker said to the greeting.
    pub welcome: WelcomeReply,
    stream: UnixStream,
    buffer: Vec<u8>,
    events: VecDeque<Event>,
    last_id: u64,
}

impl Bridge {
    /// Connects and greets. Without a path it is found by the rules of docs/protocol.md. The
    /// broker must run under this user's uid or root's.
    pub fn connect(client_name: &str, path: Option<&str>) -> Result<Bridge> {
        let path = path.map_or_else(path::default_path, |path| Ok(path.into()))?;
        let mut bridge = Bridge {
            welcome: WelcomeReply::default(),
            stream: path::connect(&path)?,
            buffer: Vec::new(),
            events: VecDeque::new(),
            last_id: 0,
        };
        let hello = HelloRequest {
            protocol_major: 1,
            protocol_minor: 1,
            client_name: client_name.into(),
            max_frame: FRAME_BYTES_MAX as u32,
        };
        if let server_frame::Body::Welcome(welcome) = bridge.call(client_frame::Body::Hello(hello))? {
            bridge.welcome = welcome;
        }
        Ok(bridge)
    }

    /// Sends a request and waits ten seconds at most for its answer.
    pub fn call(&mut self, body: client_frame::Body) -> Result<server_frame::Body> {
        self.call_within(body, Duration::from_secs(10))
    }

    /// Sends a request and waits for its answer, until the time-out and 0.1 s at most.
    pub fn call_within(
        &mut self,
        body: client_frame::Body,
        timeout: Duration,
    ) -> Result<server_frame::Body> {
        self.last_id += 1;
        let id = self.last_id;
        let until = Instant::now() + timeout + GRACE;
        let deadline_ms = (timeout.as_millis() as u32).max(1);
        self.send(ClientFrame { id, deadline_ms, body: Some(body) })?;
        loop {
            // Past the time-out nothing is read any more, also while events keep coming.
            match self.receive(until)? {
                None => return Err(self.give_up(id)),
                Some(ServerFrame { id: answered, body: Some(body) }) if answered == id => {
                    return match body {
                        server_frame::Body::Error(error) => Err(error.into()),
                        reply => Ok(reply),
                    }
                }
                Some(frame) => self.sort(frame)?,
            }
        }
    }

    /// The events that are here, in order. Those that a call has caused are here when it returns.
    pub fn take_events(&mut self) -> VecDeque<Event> {
        std::mem::take(&mut self.events)
    }

    /// The next event, or None when none came in time.
    pub fn next_event(&mut self, timeout: Duration) -> Result<Option<Event>> {
        let until = Instant::now() + timeout;
        while self.events.is_empty() {
            match self.receive(until)? {
                Some(frame) => self.sort(frame)?,
                None => return Ok(None),
            }
        }
        Ok(self.events.pop_front())
    }

    /// A frame is its length in four bytes, the highest first, and the message.
    fn send(&mut self, frame: ClientFrame) -> Result<()> {
        let length = frame.encoded_len();
        let mut bytes = Vec::with_capacity(4 + length);
        bytes.extend((length as u32).to_be_bytes());
        frame.encode(&mut bytes).expect("a vector grows");
        Ok(self.stream.write_all(&bytes)?)
    }

    fn receive(&mut self, until: Instant) -> Result<Option<ServerFrame>> {
        let mut chunk = [0; 65_536];
        loop {
            if let Some(frame) = take_frame(&mut self.buffer)? {
                return Ok(Some(frame));
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(io::Error::from(ErrorKind::UnexpectedEof).into()),
                Ok(count) => self.buffer.extend(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Keeps an event; drops the late answer of a call that was given up.
    fn sort(&mut self, frame: ServerFrame) -> Result<()> {
        match frame.body {
            Some(server_frame::Body::Event(event)) => self.events.push_back(event),
            Some(server_frame::Body::Error(error)) if frame.id == 0 => return Err(error.into()),
            _ => {}
        }
        Ok(())
    }

    fn give_up(&mut self, id: u64) -> Error {
        let cancel = client_frame::Body::Cancel(v1::CancelRequest { id });
        // Id 0: no answer is wanted.
        match self.send(ClientFrame { id: 0, deadline_ms: 0, body: Some(cancel) }) {
            Err(lost) => lost,
            Ok(()) => Error::Bridge {
                code: "DEADLINE_EXCEEDED".into(),
                message: "no answer in time".into(),
                field: String::new(),
                retryable: true,
            },
        }
    }
}

/// The next whole frame at the head of the buffer, which it leaves.
pub fn take_frame(buffer: &mut Vec<u8>) -> io::Result<Option<ServerFrame>> {
    let length = match buffer.get(..4) {
        Some(header) => u32::from_be_bytes(header.try_into().expect("four bytes")) as usize,
        None => return Ok(None),
    };
    if !(1..=FRAME_BYTES_MAX).contains(&length) {
        let text = format!("a frame of {length} bytes; 1 to {FRAME_BYTES_MAX} are allowed");
        return Err(io::Error::new(ErrorKind::InvalidData, text));
    }
    match buffer.get(4..4 + length) {
        None => Ok(None),
        Some(payload) => {
            let frame = ServerFrame::decode(payload)?;
            buffer.drain(..4 + length);
            Ok(Some(frame))
        }
    }
}
