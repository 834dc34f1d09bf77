//! Where the broker listens, and whose broker it is.

use std::env;
use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::mem::size_of;
use std::os::unix::io::{AsRawFd, FromRawFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;

const PATH_BYTES_MAX: usize = 107; // what a socket's address holds

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn own_uid() -> u32 {
    // SAFETY: geteuid has no conditions and cannot fail.
    unsafe { libc::geteuid() }
}

fn refused(text: String) -> Error {
    Error::new(ErrorKind::PermissionDenied, text)
}

/// FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of this user under the temporary
/// one, which nobody else may be able to enter.
pub fn default_path() -> Result<String> {
    if let Some(path) = variable("FLOWBRIDGE_SOCKET") {
        return Ok(path);
    }
    if let Some(runtime) = variable("XDG_RUNTIME_DIR") {
        return Ok(format!("{runtime}/flowbridge/bridge.sock"));
    }
    let temporary = variable("TMPDIR").unwrap_or_else(|| "/tmp".into());
    let folder = format!("{temporary}/flowbridge-{}", own_uid());
    let found = fs::symlink_metadata(&folder)?;
    if !found.is_dir() || found.uid() != own_uid() || found.mode() & 0o077 != 0 {
        return Err(refused(format!("{folder} must be a folder of uid {} with mode 0700", own_uid())));
    }
    Ok(format!("{folder}/bridge.sock"))
}

/// A connection whose peer was checked; a leading @ means the abstract namespace.
pub fn connect(path: &str) -> Result<UnixStream> {
    if path.len() > PATH_BYTES_MAX {
        let text = format!("{path} has {} bytes; a socket path has at most 107", path.len());
        return Err(Error::new(ErrorKind::InvalidInput, text));
    }
    let stream = match path.strip_prefix('@') {
        Some(name) => connect_abstract(name)?,
        None => UnixStream::connect(path)?,
    };
    match peer_uid(&stream)? {
        uid if uid == own_uid() || uid == 0 => Ok(stream),
        uid => Err(refused(format!("{path} is served by uid {uid}, not by {} or root", own_uid()))),
    }
}

/// A connection in the abstract namespace, whose names begin with a zero byte.
fn connect_abstract(name: &str) -> Result<UnixStream> {
    // SAFETY: the structure is plain data, the name was checked to fit behind the zero byte, and
    // the descriptor belongs to the stream from the moment it is there.
    unsafe {
        let mut address: libc::sockaddr_un = std::mem::zeroed();
        address.sun_family = libc::AF_UNIX as libc::sa_family_t;
        for (place, byte) in address.sun_path[1..].iter_mut().zip(name.bytes()) {
            *place = byte as libc::c_char;
        }
        let fd = libc::socket(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
        if fd < 0 {
            return Err(Error::last_os_error());
        }
        let stream = UnixStream::from_raw_fd(fd);
        let length = size_of::<libc::sa_family_t>() + 1 + name.len();
        let pointer = std::ptr::addr_of!(address).cast();
        match libc::connect(fd, pointer, length as libc::socklen_t) {
            0 => Ok(stream),
            _ => Err(Error::last_os_error()),
        }
    }
}

/// Who serves this connection, as the kernel says.
fn peer_uid(stream: &UnixStream) -> Result<u32> {
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut size = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the pointers are to a ucred and its size, which outlive the call.
    let status = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            std::ptr::addr_of_mut!(peer).cast(),
            &mut size,
        )
    };
    if status == 0 {
        Ok(peer.uid)
    } else {
        Err(Error::last_os_error())
    }
}
