//! `spillgate exporter`: metrics of running Envoys, failed readings, files of targets, and the end.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use spillgate_testkit::{CannedServer, canned_response, eventually, repository};

use crate::{
    canned::{PREDICTED, answers, clusters, round_robin_answers, serve_in},
    run::{assert_golden, scratch, spillgate_at},
};

/// Far longer than a few readings take.
const LIMIT: Duration = Duration::from_secs(60);

/// A running `spillgate exporter`, which ends with the test.
struct Exporter {
    child: Child,
    address: String,
}

impl Exporter {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_spillgate"))
            .args(["exporter", "--listen", "127.0.0.1:0", "--interval", "1s"])
            .args(args)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut url).unwrap();
        let address = url.trim_end().strip_prefix("http://").unwrap();
        let address = address.strip_suffix("/metrics").unwrap().to_owned();
        Self { child, address }
    }

    fn respond(&self, method: &str, target: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{method} {target} HTTP/1.1\r\nhost: {host}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    fn metrics(&self) -> String {
        let response = self.respond("GET", "/metrics", &self.address);
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(
            head.contains("content-type: text/plain; version=0.0.4"),
            "{head}"
        );
        body.to_owned()
    }

    /// The metrics, once they have a line that fits.
    fn metrics_with(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let look = || {
            let text = self.metrics();
            Ok(text.lines().any(&fits).then_some(text))
        };
        eventually(what, LIMIT, look).unwrap()
    }

    /// Ends it as a service manager does: its status, and its messages.
    fn stop(mut self) -> (i32, String) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        assert!(sent.success());
        let status = self.child.wait().unwrap();
        let mut messages = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut messages).unwrap();
        (status.code().unwrap(), messages)
    }
}

impl Drop for Exporter {
    fn drop(&mut self) {
        // It has ended already after `stop`.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The value of a line with this start.
fn value(text: &str, series: &str) -> Option<f64> {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '))?;
    line.parse().ok()
}

#[test]
fn the_metrics_of_an_envoy_are_those_of_the_other_commands() {
    let folder = scratch("exporter-metrics");
    serve_in(&folder);
    let exporter = Exporter::start(&folder, &["--admin", "edge=unix:admin.sock"]);
    let text = exporter.metrics_with("a reading", |line| line.starts_with("spillgate_envoy_"));
    let (status, messages) = exporter.stop();
    assert_eq!((status, messages.as_str()), (0, "Press Ctrl-C to stop.\n"));
    let lines = text.lines().map(|line| match line.split_once(' ') {
        Some((series, _)) if series.contains("seconds{") || series.contains("readings_total{") => {
            format!("{series} ...\n")
        }
        _ => format!("{line}\n"),
    });
    assert_golden("exporter.txt", &lines.collect::<String>());
}

#[test]
fn counted_shares_are_compared_over_the_last_readings() {
    let agreeing =
        CannedServer::tcp(round_robin_answers(|read| clusters(read, &PREDICTED))).unwrap();
    let differing = PREDICTED.map(|(address, requests)| match requests {
        3_500 => (address, 2_500),
        1_500 => (address, 2_500),
        other => (address, other),
    });
    let differing =
        CannedServer::tcp(round_robin_answers(move |read| clusters(read, &differing))).unwrap();
    let hashing = CannedServer::tcp(answers(|read| clusters(read, &PREDICTED))).unwrap();
    let targets = [
        ("agreeing", agreeing),
        ("differing", differing),
        ("hashing", hashing),
    ];
    let args = targets
        .iter()
        .map(|(name, server)| format!("--admin={name}={}", server.url));
    let args: Vec<String> = args.collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let exporter = Exporter::start(&scratch("exporter-counted"), &args);
    let of = |metric: &str, target: &str| {
        format!("spillgate_{metric}{{target=\"{target}\",cluster=\"shop\"")
    };
    let seen = |target: &'static str| {
        let start = of("cluster_agrees", target);
        move |line: &str| line.starts_with(&start)
    };
    exporter.metrics_with("a comparison", seen("agreeing"));
    let text = exporter.metrics_with("a comparison", seen("differing"));
    let cluster = |metric: &str, target: &str| value(&text, &(of(metric, target) + "}"));
    assert_eq!(cluster("cluster_agrees", "agreeing"), Some(1.0));
    assert_eq!(cluster("cluster_agrees", "differing"), Some(0.0));
    let first =
        |metric: &str| value(&text, &(of(metric, "differing") + ",priority=\"0\"}")).unwrap();
    let difference = first("priority_difference_ratio");
    assert!((difference - 0.2).abs() < 1e-9, "{difference}");
    assert!(first("priority_difference_low_ratio") > 0.15);
    assert!(first("priority_difference_high_ratio") < 0.25);
    exporter.metrics_with("readings", |line| {
        value(
            line,
            "spillgate_exporter_readings_total{target=\"hashing\"}",
        ) >= Some(3.0)
    });
    let hashing = exporter.metrics();
    assert!(
        !hashing.lines().any(seen("hashing")),
        "the number of keys is not known"
    );
    assert_eq!(
        value(&hashing, &(of("cluster_counted_requests", "hashing") + "}")),
        None
    );
}

#[test]
fn after_a_failed_reading_the_last_figures_stay_and_their_age_grows() {
    let folder = scratch("exporter-failed");
    let is_down = Arc::new(AtomicBool::new(false));
    let (down, answer) = (is_down.clone(), answers(|_| clusters(0, &[])));
    let server = CannedServer::tcp(move |path| {
        if down.load(Ordering::SeqCst) {
            canned_response("503 Service Unavailable", "", "secret of Envoy")
        } else {
            answer(path)
        }
    })
    .unwrap();
    let exporter = Exporter::start(&folder, &["--admin", &server.url]);
    let address = server.url.strip_prefix("http://").unwrap();
    let series = |name: &str| format!("spillgate_exporter_{name}{{target=\"{address}\"}}");
    let before = exporter.metrics_with("a reading", |line| {
        line.starts_with("spillgate_priority_load_ratio")
    });
    assert_eq!(value(&before, &series("reading_success")), Some(1.0));
    is_down.store(true, Ordering::SeqCst);
    let failed = series("reading_errors_total");
    let after = exporter.metrics_with("two errors", |line| value(line, &failed) >= Some(2.0));
    assert_eq!(value(&after, &series("reading_success")), Some(0.0));
    assert!(value(&after, &series("age_seconds")) > value(&before, &series("age_seconds")));
    let figures = |text: &str| {
        let lines = text
            .lines()
            .filter(|line| line.starts_with("spillgate_priority_"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(!figures(&before).is_empty());
    assert_eq!(figures(&before), figures(&after));
    is_down.store(false, Ordering::SeqCst);
    let succeeds = series("reading_success") + " 1.0";
    exporter.metrics_with("a reading", |line| line == succeeds);
    let (status, messages) = exporter.stop();
    assert_eq!(status, 0);
    let lines: Vec<&str> = messages.lines().collect();
    let failure = "--admin 1: reading failed: admin/status (spillgate explain-code admin/status)";
    assert_eq!(lines[1..], [failure, "--admin 1: reading succeeds again"]);
    assert!(
        !messages.contains(address) && !messages.contains("secret"),
        "{messages}"
    );
}

/// Replaces the file of targets at once: the exporter never reads a part of it.
fn replace(folder: &Path, targets: &str) {
    let new = folder.join("targets.new");
    fs::write(&new, targets).unwrap();
    fs::rename(new, folder.join("targets.txt")).unwrap();
}

#[test]
fn an_envoy_that_is_silent_or_gone_has_no_figures_and_delays_no_other() {
    let folder = scratch("exporter-silent");
    serve_in(&folder);
    fs::write(
        folder.join("targets.txt"),
        "# all kinds\nsilent=unix:silent.sock\ngone=unix:gone.sock\nedge=unix:admin.sock\n",
    )
    .unwrap();
    let args = [
        "--targets",
        "targets.txt",
        "--admin-timeout",
        "10m",
        "--cluster",
        "shop-*",
    ];
    let exporter = Exporter::start(&folder, &args);
    let text = exporter.metrics_with("an error", |line| {
        value(
            line,
            "spillgate_exporter_reading_errors_total{target=\"gone\"}",
        ) >= Some(1.0)
    });
    assert_eq!(value(&text, "spillgate_exporter_targets"), Some(3.0));
    exporter.metrics_with("three readings", |line| {
        value(line, "spillgate_exporter_readings_total{target=\"edge\"}") >= Some(3.0)
    });
    let text = exporter.metrics();
    let readings = |target: &str| {
        value(
            &text,
            &format!("spillgate_exporter_readings_total{{target=\"{target}\"}}"),
        )
    };
    assert_eq!(readings("silent"), Some(0.0));
    let with_figures = text.lines().filter(|line| line.contains("cluster=\""));
    let with_figures: Vec<&str> = with_figures.collect();
    assert!(!with_figures.is_empty());
    let chosen = |line: &&str| line.contains("{target=\"edge\",cluster=\"shop-canary\"");
    assert!(with_figures.iter().all(chosen), "{with_figures:?}");
    // The file is read again: another target.
    replace(&folder, "other=unix:admin.sock\n");
    let text = exporter.metrics_with("the other target", |line| {
        line.starts_with("spillgate_envoy_clusters{target=\"other\"}")
    });
    assert!(!text.contains("\"edge\""), "{text}");
    replace(&folder, "https://10.0.0.1:9901\n");
    exporter.metrics_with("an error of the file", |line| {
        value(line, "spillgate_exporter_discovery_errors_total") >= Some(1.0)
    });
    assert!(
        exporter.metrics().contains("\"other\""),
        "the last targets stay"
    );
    let (status, messages) = exporter.stop();
    assert_eq!(status, 0);
    assert!(
        messages.contains("targets.txt:3: reading failed: admin/unreachable ("),
        "{messages}"
    );
    assert!(
        messages.contains("targets.txt: reading failed: admin/url ("),
        "{messages}"
    );
    assert!(
        !messages.contains("10.0.0.1") && !messages.contains(".sock"),
        "{messages}"
    );
}

#[test]
fn clusters_beyond_the_bound_are_counted() {
    let folder = scratch("exporter-bound");
    serve_in(&folder);
    let exporter = Exporter::start(
        &folder,
        &["--admin", "e=unix:admin.sock", "--most-clusters", "1"],
    );
    let left_out = "spillgate_envoy_clusters_left_out{target=\"e\"} 1.0";
    let text = exporter.metrics_with("a reading", |line| line == left_out);
    assert_eq!(
        value(&text, "spillgate_envoy_clusters{target=\"e\"}"),
        Some(1.0)
    );
}

#[test]
fn only_the_metrics_are_served_and_only_to_this_machine() {
    let exporter = Exporter::start(&scratch("exporter-served"), &["--admin", "unix:gone.sock"]);
    let status = |method, target, host: &str| {
        let response = exporter.respond(method, target, host);
        response.split(' ').nth(1).unwrap().to_owned()
    };
    let host = exporter.address.clone();
    assert_eq!(status("GET", "/metrics?x", &host), "200");
    assert_eq!(status("HEAD", "/metrics", &host), "200");
    assert_eq!(status("POST", "/metrics", &host), "405");
    assert_eq!(status("GET", "/", &host), "404");
    assert_eq!(status("GET", "/metrics", "foreign.example"), "403");
}

#[test]
fn wrong_arguments_are_errors() {
    let folder = scratch("exporter-arguments");
    fs::write(
        folder.join("targets.txt"),
        "a=10.0.0.1:1\na=10.0.0.2:1\nhttps://b:1\n",
    )
    .unwrap();
    for (args, error) in [
        (
            &["--targets", "targets.txt"][..],
            "targets.txt:2:1: exporter/repeated-target: ",
        ),
        (
            &["--targets", "targets.txt"],
            "targets.txt:3:1: admin/url: ",
        ),
        (&["--targets", "gone.txt"], "gone.txt: input/unreadable: "),
        (
            &["--admin", "a=1.2.3.4:1", "--admin", "a=1.2.3.5:1"],
            "--admin: exporter/repeated-target: ",
        ),
        (&["--admin", "dns:x"], "--admin: exporter/target: "),
        (
            &["--admin", "x:1", "--interval", "1m"],
            "--interval: exporter/interval: ",
        ),
        (
            &["--admin", "x:1", "--listen", "192.0.2.1:1"],
            "--listen: exporter/listen: ",
        ),
        (&[], "the following required arguments were not provided"),
    ] {
        let ran = spillgate_at(&folder, &[&["exporter"], args].concat(), b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.assert_error_has(error);
    }
}

#[test]
fn the_manual_has_every_metric_and_no_other() {
    let page = fs::read_to_string(repository().join("docs/how-to/alert-before-panic.md")).unwrap();
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `spillgate_"));
    let documented: Vec<String> = rows
        .filter_map(|row| Some(format!("spillgate_{}", row.split_once('`')?.0)))
        .collect();
    let metrics = spillgate_exporter::metrics().map(|metric| metric.name);
    let metrics: Vec<&str> = metrics.collect();
    let name = |written: &String| written.trim_end_matches("_total").to_owned();
    let names: Vec<String> = documented.iter().map(name).collect();
    assert_eq!(names, metrics);
}
