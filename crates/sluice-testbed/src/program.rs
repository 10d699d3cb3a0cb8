//! Unmodified programs in a namespace.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, Signal, kill_process};
use sluice_units::Span;

use crate::error::Attempt as _;
use crate::spawner::spawn;
use crate::{Cgroup, Namespace, TestbedError};

/// Ends at once if the parent of the first argument has ended before `setpriv` could ask for a signal of
/// that, joins the cgroup of the second argument, and becomes the program of the others.
const BEGIN: &str = r#"
test "$PPID" = "$0" || exit 1
test -z "$1" || echo $$ > "$1/cgroup.procs" || exit 1
shift
exec "$@""#;
/// How often the end of a process is looked for.
const POLL: Duration = Duration::from_millis(2);

/// A program to run in a [`Namespace`], with its arguments. It gets no input, and ends with this
/// process, even if that is killed. Processes that it starts itself end so only in a [`Cgroup`], when
/// that is dropped.
#[derive(Clone, Debug)]
pub struct Program {
    words: Vec<OsString>,
    cgroup: Option<OsString>,
}

/// A process, which is killed when this is dropped.
#[derive(Debug)]
pub struct Running {
    name: String,
    child: Child,
    /// Memory that takes the output, so that a process never waits for a reader.
    stdout: File,
    stderr: File,
}

impl Program {
    /// A program by its path or, looked up in `PATH`, by its name.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self { words: vec![program.as_ref().into()], cgroup: None }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(self, argument: impl AsRef<OsStr>) -> Self {
        self.args([argument])
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.words.extend(arguments.into_iter().map(|argument| argument.as_ref().into()));
        self
    }

    /// Runs it in this cgroup, if there is one, from its first instruction on.
    #[must_use]
    pub fn cgroup(mut self, cgroup: Option<&Cgroup>) -> Self {
        self.cgroup = cgroup.map(|cgroup| cgroup.path().into());
        self
    }

    /// Starts it.
    ///
    /// # Errors
    /// If there is no `setpriv` (util-linux). That the program itself is missing shows in its exit status.
    pub fn start(&self, namespace: &Namespace) -> Result<Running, TestbedError> {
        let name = self.words[0].to_string_lossy().into_owned();
        let what = || format!("cannot start `{name}` by setpriv");
        let memory = |name: &str| memfd_create(name, MemfdFlags::CLOEXEC).map(File::from);
        let stdout = memory("stdout").attempt(what)?;
        let stderr = memory("stderr").attempt(what)?;
        let mut command = self.command();
        command.stdin(Stdio::null());
        // Ctrl-C is for this process, which ends its programs in order.
        command.process_group(0);
        command.stdout(stdout.try_clone().attempt(what)?);
        command.stderr(stderr.try_clone().attempt(what)?);
        let child = spawn(namespace.duplicate()?, command).attempt(what)?;
        Ok(Running { name, child, stdout, stderr })
    }

    /// Runs it to its end and returns what it prints.
    ///
    /// # Errors
    /// If it cannot be started, takes longer than five minutes or fails; the text has its messages.
    pub fn output(&self, namespace: &Namespace) -> Result<String, TestbedError> {
        let mut running = self.start(namespace)?;
        let status = running.wait(Span::from_secs(300))?;
        if status.success() {
            return Ok(running.stdout());
        }
        let message = running.stderr();
        Err(TestbedError::new(format!("`{}` failed, {status}: {}", running.name, message.trim())))
    }

    fn command(&self) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--"]);
        command.args(["sh", "-c", BEGIN, &std::process::id().to_string()]);
        command.arg(self.cgroup.as_deref().unwrap_or_default());
        command.args(&self.words);
        command
    }
}

impl Running {
    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has printed so far.
    pub fn stdout(&self) -> String {
        text(&self.stdout)
    }

    /// The messages that it has printed so far.
    pub fn stderr(&self) -> String {
        text(&self.stderr)
    }

    /// Its exit status, if it has ended.
    ///
    /// # Errors
    /// If the kernel does not say.
    pub fn status(&mut self) -> Result<Option<ExitStatus>, TestbedError> {
        self.child.try_wait().attempt(|| format!("cannot wait for `{}`", self.name))
    }

    /// Sends it SIGINT, as Ctrl-C does.
    ///
    /// # Errors
    /// If it has ended.
    pub fn interrupt(&mut self) -> Result<(), TestbedError> {
        if let Some(status) = self.status()? {
            // Its number may be another process's.
            return Err(TestbedError::new(format!("cannot interrupt `{}`: {status}", self.name)));
        }
        let what = || format!("cannot interrupt `{}`", self.name);
        let id = Pid::from_child(&self.child);
        kill_process(id, Signal::INT).attempt(what)
    }

    /// Waits until it ends.
    ///
    /// # Errors
    /// If it has not ended within the limit; it then runs on.
    pub fn wait(&mut self, limit: Span) -> Result<ExitStatus, TestbedError> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.status()? {
                return Ok(status);
            }
            if start.elapsed() >= Duration::from_nanos(limit.as_nanos()) {
                let what = format!("`{}` has not ended within {limit}", self.name);
                return Err(TestbedError::new(what));
            }
            sleep(POLL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if it has been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The content of a file that a process writes. Reading at a place leaves that of the writer.
fn text(file: &File) -> String {
    let mut bytes = vec![0; file.metadata().map_or(0, |about| about.len() as usize)];
    let length = file.read_at(&mut bytes, 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}
