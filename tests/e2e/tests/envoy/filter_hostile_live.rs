//! Hostile requests while the filter keeps sessions, Envoy retries, and the health of hosts changes:
//! none reaches a host that it should not, and a session stays where it is.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_e2e::config::{
    Bootstrap, HOST_HEADER, SERVED_HEADER, admin_cluster, aggregate, hash_policy, http_listener,
    native, our_filters, taking_large_headers, to_chosen_cluster,
};
use spillgate_e2e::hostile::{
    Hostile, HttpClient, KINDS, Targets, Version, forged, hostile, reveals_nothing,
};
use spillgate_e2e::sessions::{COOKIE, EdsHosts, addresses, opened, sticky};
use spillgate_e2e::{
    Client, Envoy, HttpResponse, Port, Upstream, Workdir, amount, eventually, figure, fresh_secret,
};

/// Requests in all, in short and in full form.
const REQUESTS: [usize; 2] = [3_000, 100_000];
/// Clients of each version of HTTP.
const CLIENTS: usize = 2;
/// Far more than a poll and a tick take.
const LIMIT: Duration = Duration::from_secs(30);
/// Envoy's count of wasm VMs made so far.
const CREATED: &str = "wasm.envoy.wasm.runtime.v8.created";
const RETRIED: &str = "cluster.primary.upstream_rq_retry_success";

#[rstest]
fn hostile_requests_with_sessions_retries_and_live_health(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_hostile_live", form)?;
    let mut site = Site::open(&workdir)?;
    let [short, full] = REQUESTS;
    let requests = amount(short, full);
    let vms = site.envoy.stat(CREATED)?;
    let each = requests / (2 * CLIENTS);
    let over = AtomicBool::new(false);
    let Site {
        eds,
        changing,
        attacked,
        ..
    } = &mut site;
    let (outcomes, changes) = thread::scope(|scope| {
        let clients = [Version::Http1, Version::Http2]
            .into_iter()
            .flat_map(|version| (1..=CLIENTS).map(move |seed| (version, seed)))
            .map(|(version, seed)| {
                let attacked = &*attacked;
                scope.spawn(move || attacked.attack(version, seed as u64, each))
            })
            .collect::<Vec<_>>();
        let changes = scope.spawn(|| change_health(eds, changing, &over));
        let outcomes = clients
            .into_iter()
            .map(|client| client.join().map_err(|_| anyhow!("a client panicked"))?)
            .collect::<Result<Vec<Outcome>>>();
        over.store(true, Ordering::SeqCst);
        let changes = changes.join().map_err(|_| anyhow!("the changes panicked"));
        Ok::<_, anyhow::Error>((outcomes?, changes??))
    })?;

    let of = |kind: &str| -> u64 {
        let counts = outcomes
            .iter()
            .filter_map(|outcome| outcome.served.get(kind));
        counts.sum()
    };
    let total: u64 = KINDS.into_iter().map(of).sum();
    for kind in KINDS {
        ensure!(of(kind) > 0, "{kind}: nothing was sent");
    }
    ensure!(total == requests as u64, "{total} of {requests}");
    let kept: u64 = outcomes.iter().map(|outcome| outcome.kept).sum();
    ensure!(kept > total / 10, "only {kept} requests had a session");
    for upstream in &site.forbidden {
        let requests = upstream.requests();
        ensure!(
            requests == 0,
            "{} got {requests} requests",
            upstream.address()
        );
    }
    let decided = site.envoy.total("spillgate.decisions.")?;
    ensure!(decided >= total, "{decided} decisions of {total} requests");
    let retried = site.envoy.stat(RETRIED)?;
    ensure!(retried > 0, "nothing was retried");
    let updates = site.envoy.stat("spillgate.health.updates")?;
    ensure!(
        changes > 1 && updates > 1,
        "{changes} changes, {updates} updates"
    );
    let now = site.envoy.stat(CREATED)?;
    ensure!(
        now == vms,
        "a VM was created again: {vms} before, {now} after"
    );
    site.envoy.check_filter()?;
    figure(format_args!(
        "{total} requests over HTTP/1 and HTTP/2, {kept} of them with a session, {retried} retried, \
         {changes} changes of health: 0 at a forbidden host, 0 failed, 0 sessions moved"
    ));
    Ok(())
}

/// Two members of an aggregate at 127.23.0.x and 127.23.1.x, and a cluster at 127.23.9.x that no
/// request may reach.
struct Site<'w> {
    envoy: Envoy,
    eds: EdsHosts<'w>,
    _secondary: EdsHosts<'w>,
    /// A host that becomes unhealthy and healthy again.
    changing: String,
    attacked: Attacked,
    forbidden: Vec<Upstream>,
    _serving: Vec<Upstream>,
    _hosts: Port,
}

/// The knowledge of a client of the attack, for its requests and its checks.
struct Attacked {
    service: Port,
    targets: Targets,
    /// Hosts that may serve.
    allowed: Vec<String>,
    /// Those that always may.
    stable: Vec<String>,
}

/// The result of an attack.
#[derive(Default)]
struct Outcome {
    served: BTreeMap<&'static str, u64>,
    /// Requests with a genuine token that its host served.
    kept: u64,
}

impl<'w> Site<'w> {
    fn open(workdir: &'w Workdir) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let primary = addresses("127.23.0", &hosts, 6);
        let secondary = addresses("127.23.1", &hosts, 3);
        let private = addresses("127.23.9", &hosts, 2);
        // The last one of the primary cluster refuses connections, the one before is unhealthy.
        let serving = opened(primary[..4].iter().chain([&secondary[0], &secondary[2]]))?;
        let forbidden = opened([&primary[4], &secondary[1]].into_iter().chain(&private))?;
        let mut eds = EdsHosts::new(workdir, "primary", &primary)?;
        eds.set(&primary[4..5], "UNHEALTHY")?;
        let mut second = EdsHosts::new(workdir, "secondary", &secondary)?;
        second.set(&secondary[1..2], "UNHEALTHY")?;
        let third = EdsHosts::new(workdir, "private", &private)?;

        let filters = our_filters(workdir.form(), &configuration()?)?;
        let mut route = to_chosen_cluster(workdir.form());
        route["route"]["retry_policy"] =
            json!({"retry_on": "connect-failure,5xx", "num_retries": 2});
        let listener = http_listener("service", service.number(), &[route], filters);
        let poll = json!({"poll": [
            {"cluster": "admin", "targets": ["primary", "secondary"], "interval": "0.1s"},
        ]});
        let mut bootstrap = Bootstrap::new()
            .listener(taking_large_headers(listener))
            .observing(workdir.form(), &poll)?;
        for hosts in [&eds, &second, &third] {
            let mut cluster = hosts.steered(workdir.form());
            // By default three requests at a time may be retried.
            cluster["circuit_breakers"] = json!({"thresholds": [{"max_retries": 1024}]});
            bootstrap = bootstrap.cluster(cluster);
        }
        let envoy = Envoy::start_with(workdir, |node, admin| {
            bootstrap.cluster(admin_cluster(admin)).to_json(node, admin)
        })?;
        let serves = |host: &String| {
            let open = serving
                .iter()
                .map(|upstream| upstream.address().to_string());
            open.into_iter().any(|open| open == *host)
        };
        let all = primary.iter().chain(&secondary);
        let allowed: Vec<String> = all.filter(|host| serves(host)).cloned().collect();
        let changing = primary[3].clone();
        let attacked = Attacked {
            stable: allowed
                .iter()
                .filter(|host| **host != changing)
                .cloned()
                .collect(),
            allowed,
            targets: Targets {
                hosts: [&primary[4], &secondary[1], &private[0], &private[1]]
                    .map(String::clone)
                    .into(),
                clusters: ["private", "shop", "unknown", ""].map(str::to_owned).into(),
            },
            service,
        };
        eventually("steering by live health", LIMIT, || {
            let answer = Client::new(attacked.service.local()).get("/", &[])?;
            let decided = envoy.total("spillgate.decisions.")?;
            let steered = attacked.allows(&answer) && decided > 0;
            Ok(steered.then_some(()))
        })?;
        // Requests before the first poll may have gone anywhere.
        let forbidden = forbidden.into_iter().map(|mut upstream| {
            upstream.kill();
            upstream.revive()?;
            Ok(upstream)
        });
        Ok(Self {
            envoy,
            eds,
            _secondary: second,
            changing,
            attacked,
            forbidden: forbidden.collect::<Result<_>>()?,
            _serving: serving,
            _hosts: hosts,
        })
    }
}

/// Lets a host be unhealthy and healthy in turn until it is over: how often.
fn change_health(eds: &mut EdsHosts<'_>, host: &String, over: &AtomicBool) -> Result<u64> {
    let host = std::slice::from_ref(host);
    let mut changes = 0;
    while !over.load(Ordering::SeqCst) {
        eds.set(host, ["UNHEALTHY", "HEALTHY"][changes as usize % 2])?;
        changes += 1;
        // The time between changes, which is part of the scenario.
        thread::sleep(Duration::from_millis(300));
    }
    eds.set(host, "HEALTHY")?;
    Ok(changes)
}

impl Attacked {
    fn allows(&self, answer: &HttpResponse) -> bool {
        let host = answer.header(SERVED_HEADER).unwrap_or_default();
        answer.status == 200 && self.allowed.iter().any(|allowed| allowed == host)
    }

    /// Sends that many requests, and fails on the first that goes wrong.
    fn attack(&self, version: Version, seed: u64, requests: usize) -> Result<Outcome> {
        let mut client = HttpClient::new(self.service.local(), version)?;
        let mut draw = SplitMix64::new(seed);
        let mut outcome = Outcome::default();
        // Genuine tokens and their hosts.
        let mut sessions: Vec<(String, String)> = Vec::new();
        for number in 0..requests {
            let mut request = hostile(&mut draw, &self.targets, version);
            let session = self.cookie(&mut draw, &sessions, &mut request)?;
            let answer = client.send(&request);
            let checked = self.judge(answer, session.as_deref());
            let token = checked.with_context(|| {
                let kind = request.kind;
                format!("{version:?}, seed {seed}, request {number}, {kind}, session {session:?}")
            })?;
            outcome.kept += u64::from(session.is_some());
            if let Some(token) = token {
                match sessions.len() {
                    0..100 => sessions.push(token),
                    _ => sessions[number % 100] = token,
                }
            }
            *outcome.served.entry(request.kind).or_default() += 1;
        }
        Ok(outcome)
    }

    /// Adds a genuine or a forged token to some requests: the host of a genuine one that must be
    /// kept.
    fn cookie(
        &self,
        draw: &mut SplitMix64,
        sessions: &[(String, String)],
        request: &mut Hostile,
    ) -> Result<Option<String>> {
        let other_cookies = request.headers.iter().any(|(name, _)| name == "cookie");
        if sessions.len() < 2 || other_cookies {
            return Ok(None);
        }
        let place = draw.draw() as usize % sessions.len();
        let (token, host) = &sessions[place];
        let (text, kept) = match draw.draw() % 3 {
            0 => (
                token.clone(),
                self.stable.contains(host).then(|| host.clone()),
            ),
            1 => {
                let good: Vec<String> = sessions.iter().map(|(token, _)| token.clone()).collect();
                (forged(draw, &good)?.1, None)
            }
            _ => return Ok(None),
        };
        let cookie = format!("{COOKIE}={text}").into_bytes();
        request.headers.push(("cookie".to_owned(), cookie));
        Ok(kept)
    }

    /// Checks the host and the headers of an answer: the new token with its host, if it has one.
    fn judge(
        &self,
        answer: Result<HttpResponse>,
        session: Option<&str>,
    ) -> Result<Option<(String, String)>> {
        let answer = answer?;
        ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
        reveals_nothing(&answer)?;
        let host = answer.header(SERVED_HEADER).unwrap_or_default();
        ensure!(self.allows(&answer), "served by {host}");
        if let Some(session) = session {
            ensure!(
                host == session,
                "a session at {session} was served by {host}"
            );
        }
        let set = answer.header("set-cookie").and_then(|set| {
            let pair = set.split(';').next()?;
            pair.strip_prefix(COOKIE)?.strip_prefix('=')
        });
        Ok(set.map(|token| (token.to_owned(), host.to_owned())))
    }
}

/// The filter with an aggregate of both members, live health and sessions.
fn configuration() -> Result<Value> {
    let member = |name: &str| json!({"name": name, "lb_policy": "ROUND_ROBIN"});
    let key = fresh_secret()?;
    Ok(json!({
        "clusters": [
            member("primary"), member("secondary"),
            native(&aggregate("shop", &["primary", "secondary"]))?,
        ],
        "target": "shop",
        "hash_policy": hash_policy(),
        "affinity": sticky(&[(1, &key)]),
        "health": {"source": "admin", "cluster": "admin"},
        "output": {"host_header": HOST_HEADER, "candidates": 3},
        "tick": "0.05s",
        "reserved_headers": ["x-gateway-destination-endpoint", "x-envoy-original-dst-host"],
        "trace": {
            "header": "x-spillgate-trace",
            "when": {"header": "x-spillgate-debug", "value": "open sesame, open sesame"},
        },
    }))
}
