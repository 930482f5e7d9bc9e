//! Hostile requests through the real Envoy: none reaches a host that it should not, none breaks
//! the filter.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::thread;

use anyhow::{Context as _, Result, anyhow, ensure};
use rstest::rstest;
use serde_json::{Value, json};
use spillgate_config::filter::FilterForm::{self, DynamicModule, Wasm};
use spillgate_core::draw::SplitMix64;
use spillgate_core::model::{Cluster, MaglevConfig, Model, Policy};
use spillgate_e2e::config::{
    Bootstrap, HOST_HEADER, KEY_HEADER, SERVED_HEADER, aggregate, http_listener, native,
    our_filters, plain, priority, steered, taking_large_headers, to_chosen_cluster,
};
use spillgate_e2e::hostile::{
    Hostile, HttpClient, KINDS, Targets, Version, hostile, reveals_nothing,
};
use spillgate_e2e::{
    Client, Envoy, HttpResponse, Port, ReferenceEngine, Upstream, Workdir, amount, figure,
};

/// Requests in all, in short and in full form.
const REQUESTS: [usize; 2] = [3_000, 1_000_000];
/// Clients of each version of HTTP.
const CLIENTS: usize = 2;

#[rstest]
fn hostile_requests_reach_only_the_host_that_is_decided(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_hostile", form)?;
    let site = Site::open(&workdir)?;
    let [short, full] = REQUESTS;
    let requests = amount(short, full);
    let vms = site.envoy.stat(CREATED)?;
    let each = requests / (2 * CLIENTS);
    let outcomes = thread::scope(|scope| {
        let clients = [Version::Http1, Version::Http2]
            .into_iter()
            .flat_map(|version| (1..=CLIENTS).map(move |seed| (version, seed)))
            .map(|(version, seed)| {
                let site = &site;
                scope.spawn(move || site.attack(version, seed as u64, each))
            })
            .collect::<Vec<_>>();
        clients
            .into_iter()
            .map(|client| client.join().map_err(|_| anyhow!("a client panicked"))?)
            .collect::<Result<Vec<Served>>>()
    })?;

    let of = |kind: &str| -> u64 { outcomes.iter().filter_map(|served| served.get(kind)).sum() };
    let total: u64 = KINDS.into_iter().map(of).sum();
    println!("{total} requests served:");
    for kind in KINDS {
        let served = of(kind);
        println!("{served:>8} {kind}");
        ensure!(served > 0, "{kind}: nothing was sent");
    }
    ensure!(total == requests as u64, "{total} of {requests}");
    site.no_other_host_was_reached()?;
    // Each was decided, none more than once.
    let decisions = site.envoy.stats("spillgate.decisions.")?;
    let decided: u64 = decisions.iter().map(|(_, count)| count).sum();
    ensure!(decided == total, "{decided} decisions");
    let now = site.envoy.stat(CREATED)?;
    ensure!(
        now == vms,
        "a VM was created again: {vms} before, {now} after"
    );
    site.envoy.check_filter()?;
    figure(format_args!(
        "{total} requests over HTTP/1 and HTTP/2, 0 at another host than the decided one"
    ));
    Ok(())
}

#[rstest]
fn folded_and_broken_headers_steer_nothing(
    #[values(Wasm, DynamicModule)] form: FilterForm,
) -> Result<()> {
    let workdir = Workdir::in_form("filter_malformed", form)?;
    let site = Site::open(&workdir)?;
    let victim = site.targets.hosts.first().context("no target host")?;
    let malformed = [
        format!("{HOST_HEADER}:\r\n {victim}"),
        format!("x-key: a\r\n\t{HOST_HEADER}: {victim}"),
        format!("{HOST_HEADER} : {victim}"),
        format!(" {HOST_HEADER}: {victim}"),
        format!("{HOST_HEADER}\0: {victim}"),
        format!("{HOST_HEADER}: {victim}\0"),
        format!("x-key: a\r{HOST_HEADER}: {victim}"),
        format!("x spillgate host: {victim}"),
    ];
    for header in malformed {
        let mut client = Client::new(site.service.local());
        let text = format!("GET / HTTP/1.1\r\nhost: shop\r\n{header}\r\n\r\n");
        let answer = client.raw(text.as_bytes())?;
        // Envoy unfolds what is folded and refuses the rest.
        let host = answer.header(SERVED_HEADER).map(str::to_owned);
        let right = match host {
            Some(host) => site.healthy.contains(&host),
            None => answer.status == 400,
        };
        ensure!(right, "{header:?}: {} {:?}", answer.status, answer.headers);
    }
    site.no_other_host_was_reached()
}

/// Envoy's count of wasm VMs made so far.
const CREATED: &str = "wasm.envoy.wasm.runtime.v8.created";

/// How many requests were served, by kind.
type Served = BTreeMap<&'static str, u64>;

/// Two members of an aggregate at 127.6.0.x and 127.6.1.x. Envoy has more hosts than the Wasm filter:
/// the last one of each member, and those of a cluster of its own.
struct Site {
    envoy: Envoy,
    engine: ReferenceEngine,
    targets: Targets,
    healthy: Vec<String>,
    forbidden: Vec<(String, Upstream)>,
    _serving: Vec<Upstream>,
    service: Port,
    _hosts: Port,
}

const PRIMARY: &str = "hhuhhuhhh";
const SECONDARY: &str = "huhh";

impl Site {
    fn open(workdir: &Workdir) -> Result<Self> {
        let (service, hosts) = (Port::lease()?, Port::lease()?);
        let port = hosts.number();
        let member = |name, network, health: &str| -> Result<Cluster> {
            let policy = Policy::Maglev(MaglevConfig::default());
            Ok(plain(name, policy, vec![priority(network, port, health)?]))
        };
        let known = [
            member("primary", "127.6.0", PRIMARY)?,
            member("secondary", "127.6.1", SECONDARY)?,
            aggregate("shop", &["primary", "secondary"]),
        ];
        // The dynamic module knows all hosts of Envoy.
        let more = match workdir.form() {
            Wasm => "h",
            DynamicModule => "",
        };
        let in_envoy = [
            member("primary", "127.6.0", &format!("{PRIMARY}{more}"))?,
            member("secondary", "127.6.1", &format!("{SECONDARY}{more}"))?,
            member("private", "127.6.9", "hh")?,
        ];
        let filters = our_filters(workdir.form(), &configuration(&known)?)?;
        let routes = [to_chosen_cluster(workdir.form())];
        let listener = http_listener("service", service.number(), &routes, filters);
        let mut bootstrap = Bootstrap::new().listener(taking_large_headers(listener));
        for cluster in &in_envoy {
            bootstrap = bootstrap.cluster(steered(workdir.form(), cluster)?);
        }
        let named = |network: &str, health: &str, wanted: char| -> Vec<String> {
            let hosts = (1..)
                .zip(health.chars())
                .filter(|(_, letter)| *letter == wanted);
            hosts
                .map(|(host, _)| format!("{network}.{host}:{port}"))
                .collect()
        };
        let healthy = [
            named("127.6.0", PRIMARY, 'h'),
            named("127.6.1", SECONDARY, 'h'),
        ]
        .concat();
        let forbidden = [
            named("127.6.0", PRIMARY, 'u'),
            named("127.6.1", SECONDARY, 'u'),
            vec![format!("127.6.0.{}:{port}", PRIMARY.len() + 1)],
            vec![format!("127.6.1.{}:{port}", SECONDARY.len() + 1)],
            named("127.6.9", "hh", 'h'),
        ]
        .concat();
        let open = |host: &String| Ok((host.clone(), Upstream::open(host)?));
        let model = Model::new(known.into()).map_err(|errors| anyhow!("{errors:?}"))?;
        let mut hosts_to_reach = forbidden.clone();
        // Addresses of no host, and texts that look like one.
        hosts_to_reach.extend(
            [
                "169.254.169.254:80",
                "127.0.0.1:9901",
                "localhost:80",
                "[::1]:80",
                "0x7f000001:80",
                "garbage",
            ]
            .map(str::to_owned),
        );
        Ok(Self {
            engine: ReferenceEngine::new(&model),
            targets: Targets {
                hosts: hosts_to_reach,
                clusters: ["private", "shop", "unknown", ""].map(str::to_owned).into(),
            },
            _serving: healthy
                .iter()
                .map(|host| Upstream::open(host))
                .collect::<Result<_>>()?,
            healthy,
            forbidden: forbidden.iter().map(open).collect::<Result<_>>()?,
            envoy: Envoy::start(workdir, &bootstrap)?,
            service,
            _hosts: hosts,
        })
    }

    fn no_other_host_was_reached(&self) -> Result<()> {
        for (host, upstream) in &self.forbidden {
            let requests = upstream.requests();
            ensure!(requests == 0, "{host} got {requests} requests");
        }
        Ok(())
    }

    /// Sends that many requests, and fails on the first that goes wrong.
    fn attack(&self, version: Version, seed: u64, requests: usize) -> Result<Served> {
        let to: SocketAddr = self.service.local();
        let mut client = HttpClient::new(to, version)?;
        let mut draw = SplitMix64::new(seed);
        let mut served = Served::new();
        for number in 0..requests {
            let request = hostile(&mut draw, &self.targets, version);
            let answer = client.send(&request);
            self.judge(&request, answer).with_context(|| {
                let kind = request.kind;
                let beginning = beginning(&request);
                format!("{version:?}, seed {seed}, request {number}, {kind}: {beginning}")
            })?;
            *served.entry(request.kind).or_default() += 1;
        }
        Ok(served)
    }

    /// Checks that the host of the decision served it and that the answer reveals nothing.
    fn judge(&self, request: &Hostile, answer: Result<HttpResponse>) -> Result<()> {
        let answer = answer?;
        ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
        reveals_nothing(&answer)?;
        let host = answer.header(SERVED_HEADER).unwrap_or_default();
        let right = if request.has_hashed_cookie {
            self.healthy.iter().any(|healthy| healthy == host)
        } else {
            let decided = [
                self.engine.pick("primary", &request.key)?,
                self.engine.pick("secondary", &request.key)?,
            ];
            decided.contains(&Some(host))
        };
        ensure!(right, "{} was served by {host}", request.key);
        Ok(())
    }
}

/// The first headers, shortened.
fn beginning(request: &Hostile) -> String {
    let header = |(name, value): &(String, Vec<u8>)| {
        let shown = &value[..value.len().min(60)];
        format!("{name}: {} ({} bytes)", shown.escape_ascii(), value.len())
    };
    let headers: Vec<String> = request.headers.iter().take(12).map(header).collect();
    format!(
        "{} of {} headers {headers:#?}",
        headers.len(),
        request.headers.len()
    )
}

fn configuration(clusters: &[Cluster]) -> Result<Value> {
    let clusters = clusters.iter().map(native).collect::<Result<Vec<_>>>()?;
    Ok(json!({
        "clusters": clusters,
        "target": "shop",
        "hash_policy": [{"header": {"header_name": KEY_HEADER}}, {"cookie": {"name": "uid"}}],
        "reserved_headers": ["x-gateway-destination-endpoint", "x-envoy-original-dst-host"],
        "trace": {
            "header": "x-spillgate-trace",
            "when": {"header": "x-spillgate-debug", "value": "open sesame, open sesame"},
        },
    }))
}
