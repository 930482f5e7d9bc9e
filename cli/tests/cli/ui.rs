//! `spillgate ui`: the URL with the configuration, the served files and the Envoy of the Live screen.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

use crate::{
    canned,
    run::{scratch, spillgate, spillgate_at},
};

/// A running `spillgate ui`, which ends with the test.
struct Ui {
    child: Child,
    url: String,
}

impl Ui {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_spillgate"))
            .arg("ui")
            .args(args)
            .current_dir(folder)
            .env("BROWSER", "./browser.sh")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut url).unwrap();
        let url = url.trim_end().to_owned();
        Self { child, url }
    }

    fn get(&self, target: &str) -> String {
        let (origin, _) = self.url.split_once("/#").unwrap_or((&self.url, ""));
        let address = origin
            .strip_prefix("http://")
            .unwrap()
            .trim_end_matches('/');
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nhost: {address}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Ui {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// A folder with a page, a configuration and the admin interface of an Envoy.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    fs::create_dir(folder.join("www")).unwrap();
    fs::write(folder.join("www/index.html"), "<p>page</p>").unwrap();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/examples/envoy.yaml");
    fs::copy(config, folder.join("envoy.yaml")).unwrap();
    canned::serve_in(&folder);
    folder
}

#[test]
fn the_url_has_the_configuration_with_its_names_and_addresses() {
    let folder = folder("ui-config");
    let ui = Ui::start(
        &folder,
        &["envoy.yaml", "--files", "www", "--cluster", "shop-canary"],
    );
    assert!(ui.url.starts_with("http://127.0.0.1:"), "{}", ui.url);
    let decoded = spillgate(&["link", "decode", &ui.url]);
    assert_eq!(decoded.status, 0, "{}", decoded.stderr);
    for text in ["shop-canary", "10.0.1.1"] {
        decoded.assert_output_has(text);
    }
    let page = ui.get("/");
    assert!(
        page.starts_with("HTTP/1.1 200 ") && page.ends_with("<p>page</p>"),
        "{page}"
    );
    assert!(ui.get("/live/stats").starts_with("HTTP/1.1 404 "));
    let start = Ui::start(&folder, &["--files", "www"]);
    assert!(start.url.ends_with('/'), "{}", start.url);
}

#[test]
fn the_live_screen_reads_two_paths_of_the_envoy() {
    let folder = folder("ui-live");
    let ui = Ui::start(&folder, &["--admin", "unix:admin.sock", "--files", "www"]);
    let (_, fragment) = ui.url.split_once('#').unwrap();
    let view = spillgate_codec::link::read_view(fragment).unwrap();
    assert_eq!(view, [("screen".to_owned(), "live".to_owned())]);
    assert!(
        ui.get("/")
            .contains("\r\nserver-timing: spillgate-live\r\n")
    );
    let clusters = ui.get("/live/clusters?format=json");
    assert!(
        clusters.contains("\r\n\r\n{\"cluster_statuses\""),
        "{clusters}"
    );
    let stats = ui.get("/live/stats");
    assert!(stats.ends_with("server.uptime: 5\n"), "{stats}");
    for other in ["/live/config_dump", "/live/quitquitquit", "/live/clusters"] {
        assert!(ui.get(other).starts_with("HTTP/1.1 403 "), "{other}");
    }
}

#[test]
fn a_browser_is_started_with_the_url_and_none_is_no_error() {
    let folder = folder("ui-browser");
    let script = "#!/bin/sh\nprintf %s \"$1\" > opened.tmp && mv opened.tmp opened\n";
    fs::write(folder.join("browser.sh"), script).unwrap();
    Command::new("chmod")
        .args(["+x", "browser.sh"])
        .current_dir(&folder)
        .status()
        .unwrap();
    let ui = Ui::start(&folder, &["--files", "www", "--open"]);
    let opened = folder.join("opened");
    while !opened.exists() {
        std::thread::yield_now();
    }
    assert_eq!(fs::read_to_string(opened).unwrap(), ui.url);
    fs::remove_file(folder.join("browser.sh")).unwrap();
    let without = Ui::start(&folder, &["--files", "www", "--open"]);
    assert!(without.get("/").starts_with("HTTP/1.1 200 "));
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let folder = folder("ui-errors");
    for (args, expected) in [
        (
            &["--files", "gone"][..],
            "--files: ui/files: the folder is not a built playground; found no index.html in gone",
        ),
        (
            &["--files", "www", "--listen", "0.0.0.0:0"],
            "--listen: ui/listen: cannot listen on 0.0.0.0:0: not an address of this machine alone",
        ),
        (
            &["gone.yaml", "--files", "www"],
            "gone.yaml: input/unreadable",
        ),
        (
            &["envoy.yaml", "--files", "www", "--cluster", "shp"],
            "(did you mean shop?)",
        ),
        (&["--files", "www", "--cluster", "shop"], "CONFIG"),
        (&["--files", "www", "--health", "clusters.txt"], "CONFIG"),
    ] {
        let ran = spillgate_at(&folder, &[&["ui"], args].concat(), b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.assert_error_has(expected);
    }
    if cfg!(not(feature = "ui")) {
        let ran = spillgate_at(&folder, &["ui"], b"");
        assert_eq!(ran.status, 2);
        ran.assert_error_has(
            "this program was built without the playground; expected the folder www of a release",
        );
    }
}
