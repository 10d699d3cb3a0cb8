//! The thread that starts processes.
//!
//! The kernel ends a process with its parent (PR_SET_PDEATHSIG) when the *thread* that started it
//! ends. Tests start processes on threads that end soon, so one thread starts them all, and lasts as
//! long as this process.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::Namespace;

struct Request {
    namespace: Namespace,
    command: Command,
    reply: Sender<io::Result<Child>>,
}

/// Starts a command in a namespace.
pub(crate) fn spawn(namespace: Namespace, command: Command) -> io::Result<Child> {
    static SPAWNER: OnceLock<Sender<Request>> = OnceLock::new();
    let (reply, result) = channel();
    let request = Request { namespace, command, reply };
    let gone = || io::Error::other("the thread that starts processes has ended");
    SPAWNER.get_or_init(start).send(request).map_err(|_| gone())?;
    result.recv().map_err(|_| gone())?
}

fn start() -> Sender<Request> {
    let (sender, requests) = channel::<Request>();
    let run = move || {
        for mut request in requests {
            let child = request.namespace.enter(|| request.command.spawn());
            // Whoever asked waits for it.
            let _ = request.reply.send(child);
        }
    };
    // Without the thread, requests fail.
    let _ = thread::Builder::new().name("sluice-spawner".into()).spawn(run);
    sender
}
