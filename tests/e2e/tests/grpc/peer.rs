//! gRPC's own client compared with the engine's model of it: a session over a move between priorities, on a
//! draining host, and over the failover of an aggregate.
//!
//! Both get the same clusters. What the client does is measured; what `spillgate_grpc` says
//! is worked out by [`Site::expected`], host and cookie alike.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use spillgate_core::model::HealthStatus;
use spillgate_e2e::{Called, GrpcPeer, Workdir, eventually};
use spillgate_grpc::aggregate::{MAX_DEPTH, Resource, Root, resolve};
use spillgate_grpc::priority::PriorityPolicy;
use spillgate_grpc::{
    ChildPick, Connectivity, DEFAULT_STATUSES, GrpcEndpoint, GrpcSessionCookie, OverrideHostPick,
    OverrideHosts, Wait,
};

use HealthStatus::{Draining, Healthy};

/// What gRPC does within a second when it has the machine to itself.
const LIMIT: Duration = Duration::from_secs(30);
/// Requests of each kind, once the client has settled.
const REQUESTS: usize = 8;
const COOKIE: &str = "sess";
const TYPES: &str = "type.googleapis.com/envoy";

/// The priorities of a cluster, each with its hosts by their address.
type Priorities = Vec<Vec<(String, HealthStatus)>>;

/// The configuration of both client and engine.
struct Site {
    root: &'static str,
    clusters: BTreeMap<&'static str, Cluster>,
    /// `override_host_status`, where it is set.
    statuses: Option<Vec<HealthStatus>>,
    down: BTreeSet<String>,
}

enum Cluster {
    Leaf(Priorities),
    Aggregate(Vec<&'static str>),
}

#[test]
fn a_session_stays_when_its_host_moves_to_another_priority() -> Result<()> {
    let workdir = Workdir::new("grpc_move")?;
    let mut peer = GrpcPeer::start(&workdir)?;
    let hosts = peer.hosts(3)?;
    let mut site = Site::of("shop", [("shop", leaf(&[&[(&hosts[0], Healthy)]]))]);
    let session = site.begin(&mut peer)?;

    let next: &[&[_]] = &[
        &[(&hosts[2], Healthy)],
        &[(&hosts[0], Healthy), (&hosts[1], Healthy)],
    ];
    site.clusters.insert("shop", leaf(next));
    site.settle(&mut peer)?;
    ensure!(site.expected(None)?.host == hosts[2]);
    ensure!(site.expected(Some(&session))? == unmoved(&hosts[0]));
    site.agrees(&mut peer, &[None, Some(&session)])
}

#[test]
fn a_draining_host_keeps_its_sessions_where_it_may() -> Result<()> {
    let workdir = Workdir::new("grpc_drain")?;
    let mut peer = GrpcPeer::start(&workdir)?;
    let hosts = peer.hosts(2)?;
    let mut site = Site::of("shop", [("shop", leaf(&[&[(&hosts[0], Healthy)]]))]);
    let session = site.begin(&mut peer)?;

    let draining: &[&[_]] = &[&[(&hosts[0], Draining), (&hosts[1], Healthy)]];
    site.clusters.insert("shop", leaf(draining));
    site.statuses = Some(vec![Healthy, Draining]);
    site.settle(&mut peer)?;
    ensure!(site.expected(None)?.host == hosts[1]);
    ensure!(site.expected(Some(&session))? == unmoved(&hosts[0]));
    site.agrees(&mut peer, &[None, Some(&session)])?;

    // By default the session moves, and the client learns it.
    site.statuses = None;
    site.serve(&mut peer)?;
    site.agrees_soon(&mut peer, Some(&session))?;
    let moved = site.expected(Some(&session))?;
    ensure!(
        moved.host == hosts[1] && moved.set_cookie.is_some(),
        "{moved:?}"
    );
    site.agrees(&mut peer, &[None, Some(&session)])
}

#[test]
fn sessions_of_the_second_leaf_end_when_the_first_is_back() -> Result<()> {
    let workdir = Workdir::new("grpc_aggregate")?;
    let mut peer = GrpcPeer::start(&workdir)?;
    let hosts = peer.hosts(2)?;
    let clusters = [
        ("top", Cluster::Aggregate(vec!["inner", "second"])),
        ("inner", Cluster::Aggregate(vec!["first"])),
        ("first", leaf(&[&[(&hosts[0], Healthy)]])),
        ("second", leaf(&[&[(&hosts[1], Healthy)]])),
    ];
    let mut site = Site::of("top", clusters);
    let early = site.begin(&mut peer)?;

    site.down.insert(hosts[0].clone());
    peer.stop(0)?;
    site.agrees_soon(&mut peer, None)?;
    ensure!(site.expected(Some(&early))?.host == hosts[1]);
    site.agrees(&mut peer, &[None, Some(&early)])?;
    let late = cookie_of(&site.expected(None)?)?;
    ensure!(site.expected(Some(&late))? == unmoved(&hosts[1]));
    site.agrees(&mut peer, &[Some(&late)])?;

    site.down.clear();
    peer.restart(0)?;
    site.agrees_soon(&mut peer, None)?;
    let moved = site.expected(Some(&late))?;
    ensure!(
        moved.host == hosts[0] && moved.set_cookie.is_some(),
        "{moved:?}"
    );
    site.agrees(&mut peer, &[None, Some(&early), Some(&late)])
}

fn leaf(priorities: &[&[(&String, HealthStatus)]]) -> Cluster {
    let priority = |hosts: &&[(&String, HealthStatus)]| {
        let hosts = hosts.iter();
        hosts
            .map(|(address, health)| ((*address).clone(), *health))
            .collect()
    };
    Cluster::Leaf(priorities.iter().map(priority).collect())
}

fn unmoved(host: &str) -> Called {
    Called {
        host: host.into(),
        set_cookie: None,
    }
}

/// The cookie that a client sends after this answer.
fn cookie_of(called: &Called) -> Result<String> {
    let header = called.set_cookie.as_ref().context("no cookie was set")?;
    let pair = header.split(';').next().context("an empty cookie")?;
    Ok(pair.into())
}

impl Site {
    fn of<const N: usize>(root: &'static str, clusters: [(&'static str, Cluster); N]) -> Self {
        Self {
            root,
            clusters: clusters.into(),
            statuses: None,
            down: BTreeSet::new(),
        }
    }

    /// The first session.
    fn begin(&self, peer: &mut GrpcPeer) -> Result<String> {
        self.settle(peer)?;
        cookie_of(&self.expected(None)?)
    }

    fn serve(&self, peer: &mut GrpcPeer) -> Result<()> {
        peer.serve(&self.resources())
    }

    /// Updates the client, and waits until it sends plain requests where the engine does.
    fn settle(&self, peer: &mut GrpcPeer) -> Result<()> {
        self.serve(peer)?;
        self.agrees_soon(peer, None)
    }

    fn agrees_soon(&self, peer: &mut GrpcPeer, cookie: Option<&str>) -> Result<()> {
        let expected = self.expected(cookie)?;
        let mut last = None;
        let seen = eventually("the client to follow", LIMIT, || {
            let called = peer.call(cookie)?;
            let same = called.as_ref() == Ok(&expected);
            last = Some(called);
            Ok(same.then_some(()))
        });
        seen.with_context(|| format!("expected {expected:?}, last seen {last:?}"))
    }

    /// Every request of each kind, in turn.
    fn agrees(&self, peer: &mut GrpcPeer, cookies: &[Option<&str>]) -> Result<()> {
        for cookie in cookies.iter().cycle().take(REQUESTS * cookies.len()) {
            let called = peer.call(*cookie)?.map_err(|error| anyhow!(error))?;
            let expected = self.expected(*cookie)?;
            ensure!(
                called == expected,
                "{cookie:?}: {called:?}, the engine: {expected:?}"
            );
        }
        Ok(())
    }

    /// The host of a request and its cookie, by the engine.
    fn expected(&self, cookie: Option<&str>) -> Result<Called> {
        let session =
            GrpcSessionCookie::new(COOKIE, "", None).map_err(|faults| anyhow!("{faults:?}"))?;
        let asked = session.parse(cookie, 0);
        let (cluster, changed) = asked.cluster_to_use(&[self.root], self.root);
        let (_, priorities) = first_ready(self.leaves()?, |priorities| {
            priorities
                .iter()
                .any(|priority| self.first_up(priority).is_some())
        })?;
        let (_, priority) = first_ready(numbered(priorities), |priority| {
            self.first_up(priority).is_some()
        })?;
        let child = self.first_up(priority).context("no host is up")?;
        let (host, list) = self.pick(priorities, &asked.address_list, child)?;
        let set_cookie = session.emit(&asked.address_list, &list, cluster, changed);
        Ok(Called { host, set_cookie })
    }

    /// The leaves of the route's cluster, the preferred one first.
    fn leaves(&self) -> Result<Vec<(String, &Priorities)>> {
        let clusters = self.clusters.iter().map(|(name, cluster)| {
            let resource = match cluster {
                Cluster::Leaf(_) => Resource::Eds,
                Cluster::Aggregate(members) => {
                    Resource::Aggregate(members.iter().map(|name| (*name).into()).collect())
                }
            };
            ((*name).into(), resource)
        });
        let found = resolve(&clusters.collect(), [self.root], MAX_DEPTH);
        let Some(Root::Leaves(leaves)) = found.roots.get(self.root) else {
            bail!("{found:?}");
        };
        let priorities = leaves.iter().map(|leaf| {
            let priorities = match self.clusters.get(leaf.cluster.as_str()) {
                Some(Cluster::Leaf(priorities)) => priorities,
                _ => bail!("{} is no leaf", leaf.cluster),
            };
            Ok((leaf.cluster.clone(), priorities))
        });
        priorities.collect()
    }

    /// The one host of a priority that new requests go to; no priority here has two.
    fn first_up<'a>(&self, priority: &'a [(String, HealthStatus)]) -> Option<&'a str> {
        let (address, _) = priority
            .iter()
            .find(|(address, health)| *health == Healthy && !self.down.contains(address))?;
        Some(address)
    }

    /// The host of a leaf, and the content of the cookie.
    fn pick(&self, priorities: &Priorities, asked: &str, child: &str) -> Result<(String, String)> {
        let statuses = match &self.statuses {
            Some(statuses) => statuses.iter().copied().collect(),
            None => DEFAULT_STATUSES,
        };
        let mut hosts = OverrideHosts::new(statuses, 3_600_000);
        let endpoint = |(address, health): &(String, HealthStatus)| GrpcEndpoint {
            addresses: vec![address.clone()],
            health: *health,
        };
        let endpoints: Vec<GrpcEndpoint> = priorities.iter().flatten().map(endpoint).collect();
        hosts.update(0, &endpoints);
        hosts.child_created(child);
        hosts.set_state(child, Connectivity::Ready);
        loop {
            match hosts.pick(1, Some(asked), || ChildPick::Complete(child.into())) {
                OverrideHostPick::Override {
                    address,
                    address_list,
                } => return Ok((address, address_list)),
                OverrideHostPick::Delegate {
                    pick: ChildPick::Complete(address),
                    address_list,
                } => {
                    return Ok((address, address_list.context("no such host")?));
                }
                OverrideHostPick::Queue(Wait::Create(address)) => {
                    ensure!(hosts.create(1, &address));
                }
                OverrideHostPick::Queue(Wait::Connect(address)) => {
                    let state = if self.down.contains(&address) {
                        Connectivity::TransientFailure
                    } else {
                        Connectivity::Ready
                    };
                    hosts.set_state(&address, state);
                }
                other => bail!("{other:?}"),
            }
        }
    }
}

fn numbered<T>(list: &[T]) -> Vec<(String, &T)> {
    let numbered = list.iter().enumerate();
    numbered.map(|(at, one)| (at.to_string(), one)).collect()
}

/// What a priority policy uses of these children: each connects at once, or fails at once.
fn first_ready<T>(children: Vec<(String, &T)>, works: impl Fn(&T) -> bool) -> Result<(String, &T)> {
    let mut policy = PriorityPolicy::default();
    policy.configure(0, children.iter().map(|(name, _)| name.clone()).collect());
    loop {
        let current = policy.current().context("no children")?.to_owned();
        let found = children.iter().find(|(name, _)| *name == current);
        let (_, child) = found.context("an unknown child")?;
        if works(child) {
            policy.report(0, &current, Connectivity::Ready);
            return Ok((current, child));
        }
        ensure!(
            policy.state(&current) == Some(Connectivity::Connecting),
            "all have failed"
        );
        policy.report(0, &current, Connectivity::TransientFailure);
    }
}

impl Site {
    /// The same for the client.
    fn resources(&self) -> Vec<Value> {
        let mut resources = vec![self.listener()];
        for (name, cluster) in &self.clusters {
            match cluster {
                Cluster::Leaf(priorities) => {
                    resources.push(self.leaf(name));
                    resources.push(assignment(name, priorities));
                }
                Cluster::Aggregate(members) => resources.push(json!({
                    "@type": format!("{TYPES}.config.cluster.v3.Cluster"),
                    "name": name,
                    "lb_policy": "ROUND_ROBIN",
                    "cluster_type": {
                        "name": "envoy.clusters.aggregate",
                        "typed_config": {
                            "@type": format!("{TYPES}.extensions.clusters.aggregate.v3.ClusterConfig"),
                            "clusters": members,
                        },
                    },
                })),
            }
        }
        resources
    }

    fn listener(&self) -> Value {
        let session = json!({
            "@type": format!("{TYPES}.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState"),
            "cookie": {"name": COOKIE},
        });
        let session = json!({
            "@type": format!("{TYPES}.extensions.filters.http.stateful_session.v3.StatefulSession"),
            "session_state": {"name": "envoy.http.stateful_session.cookie", "typed_config": session},
        });
        let router = json!({"@type": format!("{TYPES}.extensions.filters.http.router.v3.Router")});
        let route = json!({"match": {"prefix": ""}, "route": {"cluster": self.root}});
        json!({
            "@type": format!("{TYPES}.config.listener.v3.Listener"),
            "name": "shop",
            "api_listener": {"api_listener": {
                "@type": format!("{TYPES}.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"),
                "route_config": {
                    "name": "routes",
                    "virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}],
                },
                "http_filters": [
                    {"name": "session", "typed_config": session},
                    {"name": "router", "typed_config": router},
                ],
            }},
        })
    }

    fn leaf(&self, name: &str) -> Value {
        let mut cluster = json!({
            "@type": format!("{TYPES}.config.cluster.v3.Cluster"),
            "name": name,
            "type": "EDS",
            "eds_cluster_config": {"eds_config": {"ads": {}}},
            "lb_policy": "ROUND_ROBIN",
        });
        if let Some(statuses) = &self.statuses {
            let statuses: Vec<&str> = statuses.iter().map(|status| status.name()).collect();
            cluster["common_lb_config"] = json!({"override_host_status": {"statuses": statuses}});
        }
        cluster
    }
}

fn assignment(name: &str, priorities: &Priorities) -> Value {
    let host = |(address, health): &(String, HealthStatus)| {
        let (ip, port) = address.rsplit_once(':').unwrap_or((address, ""));
        let port: u16 = port.parse().unwrap_or(0);
        let address = json!({"socket_address": {"address": ip, "port_value": port}});
        json!({"health_status": health.name(), "endpoint": {"address": address}})
    };
    let priority = |(number, hosts): (usize, &Vec<(String, HealthStatus)>)| {
        json!({
            "locality": {"sub_zone": format!("priority-{number}")},
            "load_balancing_weight": 1,
            "priority": number,
            "lb_endpoints": hosts.iter().map(host).collect::<Vec<_>>(),
        })
    };
    json!({
        "@type": format!("{TYPES}.config.endpoint.v3.ClusterLoadAssignment"),
        "cluster_name": name,
        "endpoints": priorities.iter().enumerate().map(priority).collect::<Vec<_>>(),
    })
}
