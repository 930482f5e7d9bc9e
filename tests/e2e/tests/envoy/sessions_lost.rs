//! Clients whose session is lost, and clients of hosts that do not respond: no token outlives its
//! use, and none is issued for a response that no host sent.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::model::Policy;
use spillgate_e2e::config::{
    Bootstrap, dropping_internal_headers, http_listener, native, our_filters, plain, priority,
    steered, to_chosen_cluster,
};
use spillgate_e2e::sessions::{
    COOKIE, EdsHosts, Gateway, Visitor, addresses, opened, settled, sticky,
};
use spillgate_e2e::{
    Client, Envoy, HttpResponse, Port, Responder, Upstream, Workdir, eventually, fresh_secret,
};

const LIMIT: Duration = Duration::from_secs(30);
const HOSTS: usize = 2;

#[rstest]
fn the_next_visit_after_a_lost_session_works(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_lost", form)?;
    let port = Port::lease()?;
    let all = addresses("127.14.0", &port, HOSTS);
    let _hosts = opened(&all)?;
    let mut eds = EdsHosts::new(&workdir, "shop", &all)?;
    let key = fresh_secret()?;
    let mut affinity = sticky(&[(1, &key)]);
    affinity["on_lost"] = json!({"status": 410, "retry_after": "1s"});
    let filter = json!({"target": "shop", "affinity": affinity});
    let gateway = Gateway::polling(&workdir, &[&eds], filter, Bootstrap::new())?;
    let mut client = gateway.client();

    let mut visitor = Visitor::default();
    let host = visitor.visit(&mut client)?;
    eds.set(std::slice::from_ref(&host), "UNHEALTHY")?;
    settled(&mut client, "leaving the host", HOSTS - 1, |other| {
        other != host
    })?;
    let lost = visitor.visit(&mut client).err().context("410 is missing")?;
    ensure!(lost.to_string().starts_with("410"), "{lost}");
    ensure!(visitor.cookie(COOKIE).is_none(), "the cookie is kept");
    let next = visitor.visit(&mut client)?;
    ensure!(next != host);
    ensure!(visitor.visit(&mut client)? == next, "the new session moved");
    gateway.envoy.check_filter()
}

#[rstest]
fn a_lost_session_in_a_header_ends_with_an_empty_header(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    const NAME: &str = "x-session";
    let workdir = Workdir::in_form("sessions_lost_header", form)?;
    let port = Port::lease()?;
    let all = addresses("127.15.0", &port, HOSTS);
    let _hosts = opened(&all)?;
    let mut eds = EdsHosts::new(&workdir, "shop", &all)?;
    let filter = json!({"target": "shop", "affinity": {
        "header": {"name": NAME},
        "keys": [{"id": 1, "secret": fresh_secret()?}],
        "on_lost": {"status": 410},
    }});
    let gateway = Gateway::polling(&workdir, &[&eds], filter, Bootstrap::new())?;
    let mut client = gateway.client();

    let first = client.get("/", &[])?;
    let token = first.header(NAME).context("no token")?.to_owned();
    eds.set(&all, "UNHEALTHY")?;
    eds.remove(&all[1])?;
    eds.remove(&all[0])?;
    let lost = eventually("a lost session", LIMIT, || {
        let answer = client.get("/", &[(NAME, &token)])?;
        Ok((answer.status == 410).then_some(answer))
    })?;
    ensure!(lost.header(NAME) == Some(""), "{:?}", lost.headers);
    ensure!(lost.header("cache-control") == Some("no-store"));
    eds.set(&all, "HEALTHY")?;
    eventually("a new session", LIMIT, || {
        let answer = client.get("/", &[(NAME, "")])?;
        let issued = answer.header(NAME).is_some_and(|token| token.len() == 120);
        Ok((answer.status == 200 && issued).then_some(()))
    })?;
    gateway.envoy.check_zero(&["spillgate.sessions.refused"])
}

/// A host with other answers than its address.
#[derive(Debug, Default)]
struct Answers(AtomicU16);

/// The host answers nothing, so that Envoy's timeout ends the request.
const NOTHING: u16 = 1;
/// The host answers something that is not HTTP.
const NONSENSE: u16 = 2;

impl Responder for Answers {
    fn answer(&self, _: &str, _: bool) -> Vec<u8> {
        match self.0.load(Ordering::SeqCst) {
            NOTHING => Vec::new(),
            NONSENSE => b"nonsense\r\n\r\n".to_vec(),
            status => format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n").into_bytes(),
        }
    }
}

#[rstest]
fn only_responses_of_hosts_issue_tokens(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("sessions_unreachable", form)?;
    let (service, port) = (Port::lease()?, Port::lease()?);
    let answers: Vec<Arc<Answers>> = (0..HOSTS).map(|_| Arc::default()).collect();
    let give = |answer: u16| {
        for host in &answers {
            host.0.store(answer, Ordering::SeqCst);
        }
    };
    let mut hosts = Vec::new();
    for (address, host) in addresses("127.16.0", &port, HOSTS).iter().zip(&answers) {
        let address: SocketAddr = address.parse()?;
        hosts.push(Upstream::answering(address, host.clone())?);
    }
    let priorities = vec![priority("127.16.0", port.number(), "hh")?];
    let cluster = plain("shop", Policy::RoundRobin, priorities);
    let key = fresh_secret()?;
    let filter = json!({
        "clusters": [native(&cluster)?],
        "target": "shop",
        "affinity": sticky(&[(1, &key)]),
    });
    let mut route = to_chosen_cluster(workdir.form());
    route["route"]["timeout"] = json!("0.3s");
    route["route"]["retry_policy"] = json!({"retry_on": "connect-failure", "num_retries": 1});
    let listener = http_listener(
        "service",
        service.number(),
        &[route],
        our_filters(workdir.form(), &filter)?,
    );
    let bootstrap = Bootstrap::new()
        .listener(dropping_internal_headers(listener))
        .cluster(steered(workdir.form(), &cluster)?);
    let envoy = Envoy::start(&workdir, &bootstrap)?;
    let mut client = Client::new(service.local());
    let sets_cookie = |answer: &HttpResponse| answer.header("set-cookie").is_some();

    // Statuses of the host itself, the same as those of Envoy below, start sessions.
    let mut visitor = Visitor::default();
    for status in [503, 504, 502, 200] {
        give(status);
        let answer = client.get("/", &[])?;
        ensure!(
            answer.status == status && sets_cookie(&answer),
            "{answer:?}"
        );
    }
    visitor.keep(&client.get("/", &[])?);
    let token = visitor.cookie(COOKIE).context("no session")?.to_owned();
    let session = format!("{COOKIE}={token}");

    let mut none = |what: &str, status: u16| -> Result<()> {
        for _ in 0..10 {
            for headers in [&[][..], &[("cookie", &*session)]] {
                let answer = client.get("/", headers)?;
                ensure!(answer.status == status, "{what}: {answer:?}");
                ensure!(!sets_cookie(&answer), "{what}: {answer:?}");
            }
        }
        Ok(())
    };
    give(NOTHING);
    none("no answer in time", 504)?;
    give(NONSENSE);
    none("no HTTP", 502)?;
    for host in &mut hosts {
        host.kill();
    }
    none("every host refuses connections", 503)?;
    for host in &mut hosts {
        host.revive()?;
    }
    give(200);
    let answer = client.get("/", &[("cookie", &*session)])?;
    ensure!(
        answer.status == 200 && !sets_cookie(&answer),
        "the session is kept"
    );
    envoy.check_filter()
}
