//! The server of metrics: its responses, its bound of connections, and its end.

#![allow(clippy::unwrap_used)]

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::{Arc, Barrier},
    thread,
};

use spillgate_serve::{MetricsServer, MetricsSource};

/// A text that is there when both sides have come to a barrier.
struct Text(Option<Arc<Barrier>>);

impl MetricsSource for Text {
    const CONTENT_TYPE: &'static str = "text/plain; version=0.0.4";

    fn text(&self) -> Option<String> {
        if let Some(barrier) = &self.0 {
            barrier.wait();
            barrier.wait();
        }
        Some("a 1\n".into())
    }
}

fn start(text: Text) -> (MetricsServer, String) {
    let server = MetricsServer::start("127.0.0.1:0".parse().unwrap(), text).unwrap();
    let url = server.url();
    let address = url
        .strip_prefix("http://")
        .unwrap()
        .strip_suffix("/metrics");
    (server, address.unwrap().to_owned())
}

fn send(address: &str, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

fn response(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_text_has_its_type_and_other_requests_get_no_text() {
    let (_server, address) = start(Text(None));
    let ask = |line: &str, host: &str| {
        let request = format!("{line} HTTP/1.1\r\nhost: {host}\r\n\r\n");
        response(send(&address, &request))
    };
    let answer = ask("GET /metrics", &address);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.contains("\r\ncontent-type: text/plain; version=0.0.4\r\n"));
    assert!(!answer.contains("access-control-allow-origin"), "{answer}");
    assert!(answer.ends_with("\r\n\r\na 1\n"));
    for (line, host, status) in [
        ("HEAD /metrics", &*address, "200"),
        ("GET /metrics", "foreign.example", "403"),
        ("POST /metrics", &address, "405"),
        ("GET /live/stats", &address, "404"),
    ] {
        let answer = ask(line, host);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(!answer.contains("a 1"), "{answer}");
    }
}

#[test]
fn connections_beyond_the_bound_are_closed() {
    let (_server, address) = start(Text(None));
    let request = format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\n\r\n");
    // The request is not complete, so these stay open.
    let (begin, rest) = request.split_at("GET /metr".len());
    let mut open: Vec<_> = (0..64).map(|_| send(&address, begin)).collect();
    let mut closed = TcpStream::connect(&address).unwrap();
    assert_eq!(closed.read(&mut [0]).unwrap(), 0);
    let mut last = open.pop().unwrap();
    last.write_all(rest.as_bytes()).unwrap();
    assert!(response(last).starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_server_that_stops_completes_its_responses() {
    let barrier = Arc::new(Barrier::new(2));
    let (server, address) = start(Text(Some(Arc::clone(&barrier))));
    let open = send(
        &address,
        &format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\n\r\n"),
    );
    barrier.wait();
    let stopped = thread::spawn(move || server.stop());
    barrier.wait();
    assert!(response(open).ends_with("a 1\n"));
    stopped.join().unwrap();
    assert!(TcpStream::connect(&address).is_err());
}
