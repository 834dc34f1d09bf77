//! Where the broker listens, and whose broker it is.

use std::env;
use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::mem::size_of;
use std::os::fd::AsRawFd;
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
        Some(name) => {
            use std::os::linux::net::SocketAddrExt;
            use std::os::unix::net::SocketAddr;
            UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)?
        }
        None => UnixStream::connect(path)?,
    };
    match peer_uid(&stream)? {
        uid if uid == own_uid() || uid == 0 => Ok(stream),
        uid => Err(refused(format!("{path} is served by uid {uid}, not by {} or root", own_uid()))),
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
