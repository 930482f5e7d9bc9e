//! The responses of the server: files, headers, refused hosts and paths, and `/live/`.

#![allow(clippy::unwrap_used)]

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
};

use spillgate_serve::{EmbeddedFile, LivePath, LiveSource, PageFiles, PageServer};

static FILES: [EmbeddedFile; 4] = [
    ("index.html", b"<p>page</p>"),
    ("app.wasm", b"wasm"),
    ("app.wasm.br", b"br"),
    ("docs/index.html", b"<p>docs</p>"),
];

struct Admin;

impl LiveSource for Admin {
    fn read(&self, path: LivePath) -> Result<String, String> {
        match path {
            LivePath::Clusters => Ok("{}".into()),
            LivePath::Stats => Err("no answer".into()),
        }
    }
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

struct Server(PageServer, SocketAddr);

impl Server {
    fn start(files: PageFiles, live: Option<Box<dyn LiveSource>>) -> Self {
        let server = PageServer::start("127.0.0.1:0".parse().unwrap(), files, live).unwrap();
        let address = server.origin();
        let address = address.strip_prefix("http://").unwrap().strip_suffix('/');
        let address = address.unwrap().parse().unwrap();
        Self(server, address)
    }

    fn send(&self, text: &str) -> String {
        let mut stream = TcpStream::connect(self.1).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn ask(&self, method: &str, target: &str, headers: &str) -> Reply {
        let host = self.1;
        let text = self.send(&format!(
            "{method} {target} HTTP/1.1\r\nhost: {host}\r\n{headers}\r\n"
        ));
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        Reply {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }
}

fn plain() -> Server {
    Server::start(PageFiles::Embedded(&FILES), None)
}

#[test]
fn files_have_their_type_and_the_headers_of_the_demo() {
    let server = plain();
    for (target, content_type, body) in [
        ("/", "text/html; charset=utf-8", "<p>page</p>"),
        ("/?x=1", "text/html; charset=utf-8", "<p>page</p>"),
        ("/app.wasm", "application/wasm", "wasm"),
        ("/docs/", "text/html; charset=utf-8", "<p>docs</p>"),
    ] {
        let reply = server.ask("GET", target, "");
        assert_eq!((reply.status, reply.body.as_str()), (200, body), "{target}");
        assert_eq!(reply.header("content-type"), Some(content_type));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(reply.header("server-timing"), None);
    }
    let packed = server.ask("GET", "/app.wasm", "accept-encoding: gzip, br;q=1\r\n");
    assert_eq!(
        (packed.header("content-encoding"), packed.body.as_str()),
        (Some("br"), "br")
    );
    let head = server.ask("HEAD", "/", "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), Some("11"));
    assert_eq!(server.ask("POST", "/", "").status, 405);
    assert_eq!(server.ask("GET", "/other", "").status, 404);
}

/// The policy is the one of the demo's Envoy.
#[test]
fn the_security_policy_is_that_of_the_demo() {
    let demo = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../envoy-config/demo/envoy.yaml"
    );
    let demo = std::fs::read_to_string(demo).unwrap();
    let reply = plain().ask("GET", "/", "");
    let policy = reply.header("content-security-policy").unwrap();
    assert!(demo.contains(&format!("value: \"{policy}\"")), "{policy}");
}

#[test]
fn nothing_outside_of_the_folder_is_served() {
    let folder = std::env::temp_dir().join(format!("spillgate-serve-{}", std::process::id()));
    let inner = folder.join("www");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(folder.join("secret.txt"), "secret").unwrap();
    std::fs::write(inner.join("index.html"), "page").unwrap();
    let server = Server::start(PageFiles::Folder(inner), None);
    assert_eq!(server.ask("GET", "/", "").body, "page");
    let absolute = format!("/{}", folder.join("secret.txt").display());
    for target in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/./../secret.txt",
        "//../secret.txt",
        "../secret.txt",
        "secret.txt",
        &absolute,
    ] {
        let reply = server.ask("GET", target, "");
        assert_eq!(
            (reply.status, reply.body.contains("secret")),
            (404, false),
            "{target}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let server = Server::start(PageFiles::Embedded(&FILES), Some(Box::new(Admin)));
    let port = server.1.port();
    let live = LivePath::Clusters.text();
    for (host, status) in [
        (format!("host: localhost:{port}\r\n"), 200),
        (format!("host: evil.example:{port}\r\n"), 403),
        ("host: 127.0.0.1\r\n".to_owned(), 403),
        (
            format!("host: localhost:{port}\r\nhost: evil.example\r\n"),
            403,
        ),
        (String::new(), 403),
    ] {
        for target in ["/", live] {
            let text = server.send(&format!("GET {target} HTTP/1.1\r\n{host}\r\n"));
            assert!(
                text.starts_with(&format!("HTTP/1.1 {status} ")),
                "{host}{target}: {text}"
            );
        }
    }
}

#[test]
fn live_has_two_paths_and_no_other_origin_reads_them() {
    let server = Server::start(PageFiles::Embedded(&FILES), Some(Box::new(Admin)));
    assert_eq!(
        server.ask("GET", "/", "").header("server-timing"),
        Some("spillgate-live")
    );
    let clusters = server.ask("GET", "/live/clusters?format=json", "");
    assert_eq!((clusters.status, clusters.body.as_str()), (200, "{}"));
    assert_eq!(clusters.header("content-type"), Some("application/json"));
    assert_eq!(clusters.header("access-control-allow-origin"), None);
    let stats = server.ask("GET", "/live/stats", "");
    assert_eq!((stats.status, stats.body.as_str()), (502, "no answer\n"));
    for (method, target) in [
        ("POST", "/live/clusters?format=json"),
        ("HEAD", "/live/stats"),
        ("GET", "/live/"),
        ("GET", "/live/clusters"),
        ("GET", "/live/clusters?format=text"),
        ("GET", "/live/stats?"),
        ("GET", "/live/stats?filter=."),
        ("GET", "/live/config_dump"),
        ("GET", "/live/stats/../quitquitquit"),
        ("GET", "/liver"),
    ] {
        assert_eq!(
            server.ask(method, target, "").status,
            403,
            "{method} {target}"
        );
    }
    // Without an Envoy, these are files that do not exist.
    assert_eq!(plain().ask("GET", "/live/stats", "").status, 404);
}

#[test]
fn only_this_machine_is_served_and_garbage_gets_no_response() {
    let address = "0.0.0.0:0".parse().unwrap();
    let refused = PageServer::start(address, PageFiles::Embedded(&FILES), None);
    assert!(refused.is_err());
    let server = plain();
    assert_eq!(server.send("garbage\r\n\r\n"), "");
    server.0.go_away();
    let mut stream = TcpStream::connect(server.1).unwrap();
    let mut bytes = Vec::new();
    // The connection can also end with a reset.
    let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
    let _ = stream.read_to_end(&mut bytes);
    assert_eq!(bytes, b"");
}
