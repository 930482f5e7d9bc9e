//! Requests that are active while the configuration changes, with the dynamic module.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use spillgate_config::filter::FilterForm::DynamicModule;
use spillgate_e2e::{
    Client, Discovered, DiscoveredShop, HostsFrom, Responder, Upstream, Workdir, eventually,
};

/// Far more than a response takes.
const LIMIT: Duration = Duration::from_secs(30);
/// Active requests of each kind.
const STREAMS: u64 = 5;
/// Changes of each kind.
const CHANGES: u64 = 10;
/// Far more than Envoy and the kernel buffer.
const LONG: usize = 32 << 20;

#[test]
fn active_requests_outlive_their_configuration_and_cluster() -> Result<()> {
    let workdir = Workdir::in_form("module_streams", DynamicModule)?;
    let host = Arc::new(Waiting::default());
    let answers: Arc<dyn Responder> = host.clone();
    let (mut shop, hosts) =
        DiscoveredShop::open_with_hosts(&workdir, HostsFrom::Cluster, &answers)?;
    let begin = |path: &'static str| (0..STREAMS).map(move |_| path);
    let mut streams = begin("/waits")
        .chain(begin("/long"))
        .map(|path| Ok((path, sent(shop.service(), path)?)))
        .collect::<Result<Vec<_>>>()?;
    eventually("the requests", LIMIT, || {
        let asked: u64 = hosts.iter().map(Upstream::requests).sum();
        Ok((asked == 2 * STREAMS).then_some(()))
    })?;
    let mut client = Client::new(shop.service());
    for number in 1..=CHANGES {
        for of in [Discovered::Filter, Discovered::Clusters, Discovered::Routes] {
            ensure!(shop.changed(of, number)?, "{of:?} {number} is refused");
        }
        let response = client.get("/", &[])?;
        ensure!(response.status == 200, "{}", response.status);
    }
    host.open();
    for (path, stream) in &mut streams {
        let mut response = Vec::new();
        stream.read_to_end(&mut response)?;
        let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let body = response.len() - end.context("no end of the headers")? - 4;
        let length = if *path == "/long" { LONG } else { 0 };
        ensure!(response.starts_with(b"HTTP/1.1 200 "), "{path}: no 200");
        ensure!(body == length, "{path}: {body} bytes of {length}");
    }
    ensure!(shop.envoy.is_alive(), "Envoy has ended");
    shop.envoy.check_filter()
}

/// A connection with a request whose response is not read yet.
fn sent(to: SocketAddr, path: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(to)?;
    stream.set_read_timeout(Some(LIMIT))?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    Ok(stream)
}

/// Hosts that answer `/waits` only after [`Waiting::open`], and `/long` with a long body.
#[derive(Debug, Default)]
struct Waiting {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Waiting {
    fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }
}

impl Responder for Waiting {
    fn answer(&self, path: &str, _: bool) -> Vec<u8> {
        let mut length = 0;
        match path {
            "/waits" => {
                let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
                let opened = self
                    .opened
                    .wait_timeout_while(is_open, LIMIT, |is_open| !*is_open);
                drop(opened);
            }
            "/long" => length = LONG,
            _ => {}
        }
        let mut answer = format!("HTTP/1.1 200 x\r\ncontent-length: {length}\r\n\r\n").into_bytes();
        answer.resize(answer.len() + length, b'x');
        answer
    }
}
