//! What systemd wants to know of a service (sd_notify(3)).

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use crate::error::LiveError;

/// Tells the service manager, if there is one, that the service is ready.
pub fn ready() -> Result<(), LiveError> {
    match env::var_os("NOTIFY_SOCKET") {
        Some(socket) => send(&socket).map_err(LiveError::file("NOTIFY_SOCKET")),
        None => Ok(()),
    }
}

fn send(socket: &OsString) -> io::Result<()> {
    let address = match socket.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(b"READY=1", &address).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_paths_or_abstract_names() {
        let name = format!("sluice-notify-{}", std::process::id());
        let path = env::temp_dir().join(&name);
        let by_path = UnixDatagram::bind(&path).unwrap();
        let abstract_name = SocketAddr::from_abstract_name(&name).unwrap();
        let by_name = UnixDatagram::bind_addr(&abstract_name).unwrap();
        send(&path.clone().into()).unwrap();
        send(&format!("@{name}").into()).unwrap();
        for socket in [by_path, by_name] {
            let mut text = [0; 20];
            let length = socket.recv(&mut text).unwrap();
            assert_eq!(&text[..length], b"READY=1");
        }
        std::fs::remove_file(path).unwrap();
    }
}
