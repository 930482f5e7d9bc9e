//! Every worker of an Envoy decides the same about a token.

use anyhow::{Context as _, Result, ensure};
use rstest::rstest;
use serde_json::json;
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::draw::SplitMix64;
use spillgate_core::model::{Cluster, Policy};
use spillgate_e2e::config::{
    Bootstrap, SERVED_HEADER, native, our_filters, plain, priority, steered,
};
use spillgate_e2e::hostile::forged;
use spillgate_e2e::sessions::{COOKIE, begun, session_listener, sticky};
use spillgate_e2e::{Client, Envoy, Port, Workdir, amount, figure, fresh_secret};

/// Envoys with that many workers.
const WORKERS: [u32; 4] = [1, 2, 4, 8];
/// Requests to each Envoy, in short and in full form.
const REQUESTS: [usize; 2] = [1_200, 250_000];
/// Issued tokens, and forged ones.
const TOKENS: usize = 30;

#[rstest]
fn all_workers_agree_about_every_token(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let [short, full] = REQUESTS;
    let requests = amount(short, full);
    let mut total = 0;
    for workers in WORKERS {
        let workdir = Workdir::in_form(&format!("sessions_workers_{workers}"), form)?;
        let site = Site::open(&workdir, workers)?;
        let mut clients = site.clients()?;
        let tokens = tokens(&site)?;
        // Each worker that saw a token, with what it said.
        let mut sent = 0;
        'all: loop {
            for (kind, token) in &tokens {
                for client in &mut clients {
                    let said = said(client, token)?;
                    ensure!(said == *kind, "{workers} workers: {said:?}, not {kind:?}");
                    sent += 1;
                    if sent == requests {
                        break 'all;
                    }
                }
            }
        }
        let kept = site.envoy.stat("spillgate.sessions.kept")?;
        let refused = site.envoy.total("spillgate.sessions.refused.")?;
        ensure!(
            kept + refused == requests as u64,
            "{kept} kept, {refused} refused"
        );
        site.envoy.check_filter()?;
        println!(
            "{workers} workers, {} connections: {kept} tokens kept, {refused} refused",
            clients.len()
        );
        total += requests;
    }
    figure(format_args!(
        "{total} requests to Envoys with 1, 2, 4 and 8 workers, 0 disagreements"
    ));
    Ok(())
}

/// The filter's answer to a token.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    /// The session stays at this host.
    Kept(String),
    /// A new session begins.
    Refused,
}

fn said(client: &mut Client, token: &str) -> Result<Said> {
    let cookie = format!("{COOKIE}={token}");
    let answer = client.once("GET", "/", &[("cookie", &cookie)])?;
    ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
    let host = answer.header(SERVED_HEADER).context("no host")?;
    Ok(match answer.header("set-cookie") {
        None => Said::Kept(host.to_owned()),
        Some(_) => Said::Refused,
    })
}

/// Issued tokens with their hosts, and forged ones.
fn tokens(site: &Site) -> Result<Vec<(Said, String)>> {
    let mut client = Client::new(site.service.local());
    let (visitors, hosts) = begun(&mut client, TOKENS)?;
    let issued = visitors
        .iter()
        .map(|visitor| visitor.cookie(COOKIE).map(str::to_owned));
    let issued: Vec<String> = issued.collect::<Option<_>>().context("no session began")?;
    let mut draw = SplitMix64::new(11);
    let mut tokens: Vec<(Said, String)> = Vec::new();
    for (token, host) in issued.iter().zip(hosts) {
        tokens.push((Said::Kept(host), token.clone()));
        tokens.push((Said::Refused, forged(&mut draw, &issued)?.1));
    }
    Ok(tokens)
}

/// An Envoy with that many workers before five hosts at 127.25.0.x.
struct Site {
    envoy: Envoy,
    service: Port,
    workers: u32,
    _hosts: Port,
}

impl Site {
    fn open(workdir: &Workdir, workers: u32) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let priorities = vec![priority("127.25.0", hosts.number(), "hhhhh")?];
        let cluster: Cluster = plain("shop", Policy::RoundRobin, priorities);
        let key = fresh_secret()?;
        let filter = json!({
            "clusters": [native(&cluster)?],
            "target": "shop",
            "affinity": sticky(&[(1, &key)]),
        });
        let filters = our_filters(workdir.form(), &filter)?;
        let mut listener = session_listener(workdir.form(), &service, filters);
        // The kernel deals connections to workers by a hash of their ports, so a worker can stay without one.
        listener["connection_balance_config"] = json!({"exact_balance": {}});
        let bootstrap = Bootstrap::new()
            .hosts_of(&cluster)
            .cluster(steered(workdir.form(), &cluster)?)
            .listener(listener);
        let envoy = Envoy::with_workers(workdir, workers, |node, admin| {
            bootstrap.to_json(node, admin)
        })?;
        Ok(Self {
            envoy,
            service,
            workers,
            _hosts: hosts,
        })
    }

    /// Open connections, one for each worker.
    fn clients(&self) -> Result<Vec<Client>> {
        let connect = |_| {
            let mut client = Client::new(self.service.local());
            client.get("/", &[])?;
            Ok(client)
        };
        let clients = (0..self.workers).map(connect).collect::<Result<_>>()?;
        let prefix = format!("listener.127.0.0.1_{}.worker_", self.service.number());
        let stats = self.envoy.stats(&prefix)?.into_iter();
        let active: Vec<(String, u64)> = stats
            .filter(|(name, _)| name.ends_with("downstream_cx_active"))
            .collect();
        let of_workers = active.len() == self.workers as usize;
        ensure!(
            of_workers && active.iter().all(|(_, connections)| *connections == 1),
            "not one connection for each of {} workers: {active:?}",
            self.workers
        );
        Ok(clients)
    }
}
