//! nginx and curl.

use sluice_units::{Bytes, Span};

use crate::server::start_server;
use crate::{Cgroup, Namespace, Program, Running, TestbedError};

/// The port of [`web_server`].
pub const WEB_PORT: u16 = 8080;

/// Starts nginx in a mount namespace of its own, where a file system in memory hides `/run`, so that whatever it writes is
/// gone with it.
const SCRIPT: &str = r#"
mount -t tmpfs tmpfs /run && mkdir /run/www /run/temp && truncate -s 1T /run/www/zeros || exit 1
cat > /run/nginx.conf <<'END'
daemon off;
master_process off;
user root;
pid /run/nginx.pid;
events { worker_connections 16384; }
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    client_body_temp_path /run/temp/client;
    proxy_temp_path /run/temp/proxy;
    fastcgi_temp_path /run/temp/fastcgi;
    uwsgi_temp_path /run/temp/uwsgi;
    scgi_temp_path /run/temp/scgi;
    server { listen 8080 backlog=4096; root /run/www; }
}
END
# A download takes two descriptors.
ulimit -n "$(ulimit -Hn)"
exec nginx -e stderr -c /run/nginx.conf"#;

/// Starts nginx in a namespace, and in a cgroup if there is one, and waits until it listens on [`WEB_PORT`]. It serves
/// zeros for [`Download`], in one process, and leaves no file.
///
/// # Errors
/// If there is no nginx, or it does not listen within 5 s.
pub fn web_server(namespace: &Namespace, cgroup: Option<&Cgroup>) -> Result<Running, TestbedError> {
    let program = Program::new("unshare").args(["--mount", "sh", "-c", SCRIPT]);
    start_server(&program.cgroup(cgroup), namespace, WEB_PORT)
}

/// curl, which downloads from a [`web_server`] over a connection of its own.
#[derive(Debug)]
pub struct Download {
    curl: Running,
    size: Bytes,
}

impl Download {
    /// Starts to download these bytes, 1 to 10^12, from the server at an address, to which the answer's header adds some
    /// 250.
    ///
    /// # Errors
    /// As of [`Program::start`].
    pub fn start(
        namespace: &Namespace,
        cgroup: Option<&Cgroup>,
        address: &str,
        size: Bytes,
    ) -> Result<Self, TestbedError> {
        let range = format!("0-{}", size.as_u64().max(1) - 1);
        let url = format!("http://{address}:{WEB_PORT}/zeros");
        let curl = Program::new("curl")
            .args(["--silent", "--show-error", "--fail", "--output", "/dev/null"])
            .args(["--write-out", "%{time_namelookup} %{time_total} %{size_download}"])
            .args(["--range", &range, &url])
            .cgroup(cgroup)
            .start(namespace)?;
        Ok(Self { curl, size })
    }

    /// The time from the SYN to the last byte, by curl's clock; `None` while it goes on.
    ///
    /// # Errors
    /// If curl fails (the text has its message), or did not get all bytes.
    pub fn finished(&mut self) -> Result<Option<Span>, TestbedError> {
        let Some(status) = self.curl.status()? else { return Ok(None) };
        if !status.success() {
            let message = self.curl.stderr();
            return Err(TestbedError::new(format!("curl failed, {status}: {}", message.trim())));
        }
        read(&self.curl.stdout(), self.size).map(Some)
    }
}

/// Reads what curl prints: when it began to connect and when it had all, in seconds, and the bytes.
fn read(text: &str, size: Bytes) -> Result<Span, TestbedError> {
    let numbers: Vec<f64> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [began, ended, bytes] if bytes == size.as_f64() => Ok(Span::from_secs_f64(ended - began)),
        _ => Err(TestbedError::new(format!("curl got something else than {size}: `{text}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_takes_from_its_syn_to_its_last_byte() {
        let size = Bytes::new(1_000);
        assert_eq!(read("0.000021 0.125021 1000", size), Ok(Span::from_millis(125)));
        for wrong in ["0.000021 0.125021 999", "", "0.1 x 1000"] {
            assert!(read(wrong, size).is_err(), "{wrong}");
        }
    }
}
