//! What differs between the versions of Istio, from documents to clusters.

use std::{fmt::Write as _, time::Duration};

use spillgate_config::{
    envoy::Format,
    mesh::{MeshKind, MeshOutbound, OutboundCluster, PointOfView, read},
};
use spillgate_core::model::{HealthStatus, SlowStart};
use spillgate_mesh::{Compat, istio::IstioVersion};

const ALL: [IstioVersion; 4] = [
    IstioVersion::V1_28,
    IstioVersion::V1_29,
    IstioVersion::V1_30,
    IstioVersion::V1_31,
];

fn outbound(text: &str, version: IstioVersion, view: PointOfView) -> MeshOutbound {
    let mut documents = match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    };
    documents.istio_version = version;
    MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap()
}

fn zone(zone: &str) -> PointOfView {
    PointOfView::Zone(zone.into())
}

fn proxy(name: &str) -> PointOfView {
    PointOfView::Name(name.into())
}

/// The share of each endpoint, rounded, by address.
fn shares(cluster: &OutboundCluster) -> Vec<(&str, i64)> {
    let found = cluster.shares();
    let hosts = cluster.hosts.iter().zip(&found.endpoints);
    hosts
        .map(|(host, share)| (host.address.as_str(), share.round() as i64))
        .collect()
}

fn codes(outbound: &MeshOutbound) -> Vec<&'static str> {
    let warnings = outbound.warnings.iter();
    warnings.map(|warning| warning.code).collect()
}

const SHOP: &str = "
{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: ns}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s1, namespace: ns, labels: {app: shop, istio-locality: eu.a}}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s2, namespace: ns, labels: {app: shop, istio-locality: eu.b}}, status: {podIP: 10.0.0.2, conditions: [{type: Ready, status: 'False'}]}}
";

#[test]
fn since_1_31_pods_that_are_not_ready_are_unhealthy_hosts() {
    let of = |more: &str, version| {
        let found = outbound(&format!("{SHOP}{more}"), version, zone("eu/a"));
        let cluster = &found.clusters[0];
        let health: Vec<HealthStatus> = cluster.hosts.iter().map(|host| host.health).collect();
        (health, cluster.assignment.panic_threshold)
    };
    let ready = vec![HealthStatus::Unknown];
    let both = vec![HealthStatus::Unknown, HealthStatus::Unhealthy];
    for version in &ALL[..3] {
        assert_eq!(of("", *version), (ready.clone(), None), "{version:?}");
    }
    assert_eq!(of("", IstioVersion::V1_31), (both.clone(), Some(0)));
    let rule = |percent| {
        format!(
            "---\n{{host: shop.ns.svc.cluster.local, trafficPolicy: {{outlierDetection: \
             {{minHealthPercent: {percent}}}}}}}"
        )
    };
    let zero = |version| of(&rule(0), version);
    assert_eq!(zero(IstioVersion::V1_30), (ready.clone(), Some(0)));
    assert_eq!(zero(IstioVersion::V1_31), (both, Some(0)));
    // A positive percentage switches it off.
    assert_eq!(of(&rule(10), IstioVersion::V1_31), (ready, Some(10)));
}

#[test]
fn since_1_30_namespaces_have_a_traffic_distribution() {
    let namespace = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ns, annotations: \
        {networking.istio.io/traffic-distribution: PreferClose}}}";
    let priorities = |text: &str, version| {
        let found = outbound(text, version, zone("eu/a"));
        let groups = found.clusters[0].assignment.groups.iter();
        groups.map(|group| group.priority).collect::<Vec<u32>>()
    };
    let text = format!("{SHOP}{namespace}");
    let found = ALL.map(|version| priorities(&text, version));
    assert_eq!(found, [vec![0], vec![0], vec![0, 1], vec![0, 1]]);
    // The annotation of the Service replaces it, with any value.
    let own = text.replace(
        "{name: shop, namespace: ns}",
        "{name: shop, namespace: ns, annotations: {networking.istio.io/traffic-distribution: Any}}",
    );
    assert_eq!(priorities(&own, IstioVersion::V1_31), [0, 0]);
}

#[test]
fn pods_of_a_service_entry_must_be_ready_in_each_version() {
    let entry = "---\n{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: e, \
        namespace: ns}, spec: {hosts: [e.example], resolution: STATIC, ports: [{number: 80, name: \
        http}], workloadSelector: {labels: {app: shop}}}}";
    for version in ALL {
        let found = outbound(&format!("{SHOP}{entry}"), version, zone("eu/a"));
        let cluster = found.cluster("outbound|80||e.example").unwrap();
        assert_eq!(cluster.hosts.len(), 1, "{version:?}");
    }
}

#[test]
fn failover_priority_of_dns_endpoints_in_several_localities_is_not_known_since_1_30() {
    let text = "
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: e}, spec: {hosts: [e.example], resolution: DNS, ports: [{number: 80, name: http}], endpoints: [{address: a.example, locality: eu/a}, {address: b.example, locality: eu/b}]}}
---
{host: e.example, trafficPolicy: {outlierDetection: {}, loadBalancer: {localityLbSetting: {failoverPriority: [v]}}}}
";
    let limited = |text: &str, version| {
        codes(&outbound(text, version, zone("eu/a"))).contains(&"mesh/dns-localities")
    };
    let since_1_30 = [false, false, true, true];
    assert_eq!(ALL.map(|version| limited(text, version)), since_1_30);
    let one = text.replace("eu/b", "eu/a");
    assert_eq!(ALL.map(|version| limited(&one, version)), [false; 4]);
}

/// Two clients in two zones, and six hosts of a service: two in the first, four in the second zone.
fn zones_of_clients(rule: &str, mesh: &str) -> String {
    let mut text = String::from(
        "{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: ns}, spec: {selector: \
         {app: shop}, ports: [{name: http, port: 80}]}}\n---\n{apiVersion: v1, kind: Service, \
         metadata: {name: web, namespace: ns}, spec: {selector: {app: web}, ports: [{name: http, \
         port: 80}]}}\n",
    );
    let mut pod = |name: &str, app: &str, zone: &str, address: &str, owner: &str| {
        let labels = format!("app: {app}, istio-locality: eu.{zone}, pod-template-hash: {owner}");
        writeln!(
            text,
            "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, namespace: ns, labels: \
             {{{labels}}}, ownerReferences: [{{name: {owner}}}]}}, status: {{podIP: {address}}}}}"
        )
        .unwrap();
    };
    for (at, zone) in ["a", "a", "b", "b", "b", "b"].iter().enumerate() {
        pod(
            &format!("s{at}"),
            "shop",
            zone,
            &format!("10.0.0.{at}"),
            "s",
        );
    }
    pod("c1", "web", "a", "10.1.0.1", "w1");
    pod("c2", "web", "b", "10.1.0.2", "w1");
    // Of another ReplicaSet.
    pod("c3", "web", "b", "10.1.0.3", "w2");
    writeln!(
        text,
        "---\n{{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {{name: shop, \
         namespace: ns}}, spec: {{host: shop, trafficPolicy: {{loadBalancer: {{{rule}}}}}}}}}\n\
         ---\n{{kind: ConfigMap, metadata: {{name: istio}}, data: {{mesh: '{{{mesh}}}'}}}}"
    )
    .unwrap();
    text
}

const SHOP_CLUSTER: &str = "outbound|80||shop.ns.svc.cluster.local";
const LEARNS: &str = "defaultConfig: {proxyMetadata: {ISTIO_META_ENABLE_SELF_DISCOVERY: \"true\"}}";

#[test]
fn zone_aware_routing_compares_the_hosts_with_those_of_the_own_workload() {
    let of = |rule: &str, mesh: &str, version, view| {
        let found = outbound(&zones_of_clients(rule, mesh), version, view);
        let shares = shares(found.cluster(SHOP_CLUSTER).unwrap());
        (
            shares.iter().map(|(_, share)| *share).collect(),
            codes(&found),
        )
    };
    let (rule, new) = ("zoneAwareLbSetting: {}", IstioVersion::V1_31);
    // Half of the clients and a third of the hosts are in the zone: two thirds of the requests stay.
    let prefers: Vec<i64> = vec![33, 33, 8, 8, 8, 8];
    let equal: Vec<i64> = vec![17; 6];
    assert_eq!(
        of(rule, LEARNS, new, proxy("c1")),
        (prefers.clone(), vec![])
    );
    // It is Envoy's default as soon as the proxy knows its own workload.
    assert_eq!(
        of("simple: ROUND_ROBIN", LEARNS, new, proxy("c1")),
        (prefers, vec![])
    );
    let off = "zoneAwareLbSetting: {enabled: false}";
    assert_eq!(of(off, LEARNS, new, proxy("c1")), (equal.clone(), vec![]));
    let few = "zoneAwareLbSetting: {minClusterSize: 7}";
    assert_eq!(of(few, LEARNS, new, proxy("c1")), (equal.clone(), vec![]));
    let unknown = vec!["mesh/own-workload"];
    assert_eq!(
        of(rule, LEARNS, new, zone("eu/a")),
        (equal.clone(), unknown)
    );
    let not_learned = vec!["mesh/no-self-discovery"];
    assert_eq!(of(rule, "", new, proxy("c1")), (equal.clone(), not_learned));
    assert_eq!(
        of(rule, LEARNS, IstioVersion::V1_30, proxy("c1")),
        (equal, vec![])
    );
}

#[test]
fn the_local_cluster_has_the_replica_set_of_the_proxy() {
    let text = zones_of_clients("zoneAwareLbSetting: {}", LEARNS);
    let found = outbound(&text, IstioVersion::V1_31, proxy("c1"));
    let local = found.cluster("local_cluster").unwrap();
    let addresses: Vec<&str> = local.hosts.iter().map(|host| &*host.address).collect();
    assert_eq!(addresses, ["10.1.0.1:80", "10.1.0.2:80"]);
    let model = found.model().unwrap();
    assert_eq!(model.local().cluster.as_deref(), Some("local_cluster"));
}

#[test]
fn a_pod_states_itself_whether_it_knows_its_own_workload() {
    let text = zones_of_clients("zoneAwareLbSetting: {}", LEARNS);
    let with = |value: &str| {
        let container = format!(
            "spec: {{initContainers: [{{name: istio-proxy, env: [{{name: \
             ISTIO_META_ENABLE_SELF_DISCOVERY, value: \"{value}\"}}]}}]}}, status: {{podIP: 10.1.0.1}}"
        );
        let text = text.replace("status: {podIP: 10.1.0.1}", &container);
        let found = outbound(&text, IstioVersion::V1_31, proxy("c1"));
        found.cluster("local_cluster").is_some()
    };
    assert_eq!((with("true"), with("false")), (true, false));
}

#[test]
fn warm_up_is_slow_start() {
    for (rule, expected) in [
        (
            "warmup: {duration: 30s, minimumPercent: 20, aggression: 2}",
            (30, 2.0, 20.0),
        ),
        ("warmupDurationSecs: 45s", (45, 1.0, 10.0)),
    ] {
        let text = zones_of_clients(rule, "");
        let found = outbound(&text, IstioVersion::default(), zone("eu/a"));
        let slow_start = found
            .cluster(SHOP_CLUSTER)
            .unwrap()
            .settings
            .slow_start
            .unwrap();
        let (window, aggression, percent) = expected;
        let window = Duration::from_secs(window);
        assert_eq!(
            Some(slow_start),
            SlowStart::new(window, aggression, percent),
            "{rule}"
        );
    }
}
