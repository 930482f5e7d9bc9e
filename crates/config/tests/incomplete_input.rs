//! What an input lacks, or Envoy reads otherwise, is a limit of the answers that it concerns.

use spillgate_config::{
    Affects,
    envoy::{EnvoyConfig, Format, ListenerProtocol, ReadOptions, read_with},
};

const HOST: &str =
    r#"{"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}"#;

fn read(text: &str) -> EnvoyConfig {
    // Quoted names are those of JSON.
    let format = if text.starts_with("{\"") {
        Format::Json
    } else {
        Format::Yaml
    };
    read_with(text, format, &ReadOptions::default()).unwrap()
}

/// The codes of the limits, and what they concern.
fn limits(text: &str) -> Vec<(&'static str, Affects)> {
    let config = read(text);
    let limits = config.limits();
    limits
        .map(|limit| (limit.code, limit.affects.clone()))
        .collect()
}

fn cluster(name: &str) -> Affects {
    Affects::Cluster(name.into())
}

/// A cluster with two zones.
fn zones(settings: &str) -> String {
    let zone = |name: &str| format!("{{locality: {{zone: {name}}}, lb_endpoints: [{HOST}]}}");
    format!(
        "{{name: c, {settings}load_assignment: {{cluster_name: c, endpoints: [{}, {}]}}}}",
        zone("a"),
        zone("b")
    )
}

#[test]
fn hosts_without_their_cluster_have_unknown_settings() {
    let assignment = format!("{{cluster_name: c, endpoints: [{{lb_endpoints: [{HOST}]}}]}}");
    let expected = [("config/cluster-settings-unknown", cluster("c"))];
    assert_eq!(limits(&assignment), expected);
    let statuses = "c::10.0.0.1:80::health_flags::healthy\nc::10.0.0.1:80::weight::1\n";
    assert_eq!(limits(statuses), expected);
    let whole = format!("{{name: c, load_assignment: {assignment}}}");
    assert_eq!(limits(&whole), []);
}

#[test]
fn zone_aware_clusters_without_a_bootstrap_have_an_unknown_zone() {
    let aware = "common_lb_config: {zone_aware_lb_config: {min_cluster_size: 1}}, ";
    let expected = [("config/local-zone-unknown", cluster("c"))];
    assert_eq!(limits(&zones(aware)), expected);
    // Two hosts are fewer than the default minimum, and hash tables ignore zones.
    assert_eq!(limits(&zones("")), []);
    assert_eq!(limits(&zones(&format!("{aware}lb_policy: MAGLEV, "))), []);
    let bootstrap = format!("{{static_resources: {{clusters: [{}]}}}}", zones(aware));
    assert_eq!(limits(&bootstrap), []);
}

#[test]
fn a_bootstrap_is_the_only_document_of_its_file() {
    let bootstrap = format!("static_resources: {{clusters: [{}]}}\n", zones(""));
    let other = zones("").replace("name: c", "name: d");
    let expected = [("config/several-documents", Affects::Everything)];
    assert_eq!(limits(&format!("{bootstrap}---\n{other}\n")), expected);
    // Files of clusters are no input of Envoy as they are, whatever their form.
    assert_eq!(limits(&format!("{}\n---\n{other}\n", zones(""))), []);
}

#[test]
fn envoy_combines_duplicate_lists_and_objects_of_json() {
    let of = |values: &str| {
        format!(
            r#"{{"name": "c", {values}, "load_assignment": {{"cluster_name": "c", "endpoints": [{{"lb_endpoints": [{HOST}]}}]}}}}"#
        )
    };
    let lists = r#""health_checks": [], "health_checks": []"#;
    assert_eq!(
        limits(&of(lists)),
        [("config/repeated-key", Affects::Everything)]
    );
    let config = read(&of(r#""type": "STATIC", "type": "STATIC""#));
    assert_eq!(config.limits().count(), 0);
    assert_eq!(config.warnings[0].code, "config/repeated-key");
    // In YAML, Envoy takes the last one.
    assert_eq!(limits(&zones("health_checks: [], health_checks: [], ")), []);
}

#[test]
fn filters_of_udp_listeners_concern_their_own_answers() {
    let udp = "{name: u, address: {socket_address: {protocol: UDP, address: 127.0.0.1, port_value: 1}}, \
               udp_listener_config: {}, listener_filters: [{name: f, typed_config: {'@type': t/x.Unknown}}]}";
    let tcp = "{name: t, filter_chains: [{filters: [{name: p, typed_config: {'@type': \
               type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: p, \
               cluster: c}}]}]}";
    let text = format!(
        "{{static_resources: {{listeners: [{udp}, {tcp}], clusters: [{}]}}}}",
        zones("")
    );
    let config = read(&text);
    let protocols: Vec<_> = config.listeners.iter().map(|one| &one.protocol).collect();
    assert_eq!(
        protocols,
        [&ListenerProtocol::Unknown, &ListenerProtocol::Tcp]
    );
    assert_eq!(
        limits(&text),
        [("config/filter-not-modeled", Affects::Listener(0))]
    );
}

#[test]
fn hosts_of_eds_can_expire() {
    let text = "{name: c, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}\n---\n{cluster_name: c, policy: \
                {endpoint_stale_after: 60s}, endpoints: [{lb_endpoints: [HOST]}]}".replace("HOST", HOST);
    assert_eq!(limits(&text), [("config/not-modeled", cluster("c"))]);
    // A cluster with hosts of its own gets no updates.
    let of_static = zones("").replace(
        "cluster_name: c,",
        "cluster_name: c, policy: {endpoint_stale_after: 60s},",
    );
    assert_eq!(limits(&of_static), []);
}

#[test]
fn hosts_without_a_name_share_an_empty_hash_key() {
    let named = |policy: &str, names: [&str; 2]| {
        let hosts = names.iter().zip(1..).map(|(name, at)| {
            format!(
                "{{endpoint: {{hostname: '{name}', address: {{socket_address: {{address: 10.0.0.{at}, port_value: 80}}}}}}}}"
            )
        });
        let hosts: Vec<String> = hosts.collect();
        format!(
            "{{name: c, load_balancing_policy: {{policies: [{{typed_extension_config: {{name: p, typed_config: {{'@type': \
             type.googleapis.com/envoy.extensions.load_balancing_policies.{policy}, consistent_hashing_lb_config: \
             {{use_hostname_for_hashing: true}}}}}}}}]}}, load_assignment: {{cluster_name: c, endpoints: \
             [{{lb_endpoints: [{}]}}]}}}}",
            hosts.join(", ")
        )
    };
    let keys = |text: &str| {
        let config = read(text);
        let hosts = config.model.clusters()[0].priorities()[0].endpoints.iter();
        hosts
            .map(|host| host.hash_key().to_owned())
            .collect::<Vec<_>>()
    };
    let ring = "ring_hash.v3.RingHash";
    assert_eq!(keys(&named(ring, ["a", ""])), ["a", ""]);
    assert_eq!(limits(&named(ring, ["a", ""])), []);
    // Envoy does not define the order of equal entries of a ring; a Maglev table has none.
    let equal = [("config/not-modeled", cluster("c"))];
    assert_eq!(limits(&named(ring, ["", ""])), equal);
    assert_eq!(limits(&named("maglev.v3.Maglev", ["", ""])), []);
}

#[test]
fn a_cluster_that_discovery_on_demand_can_add_is_named() {
    let of = |cluster: &str| {
        format!(
            "{{static_resources: {{clusters: [{}], listeners: [{{name: l, filter_chains: [{{filters: [{{name: t, \
             typed_config: {{'@type': type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, \
             stat_prefix: p, cluster: {cluster}, on_demand: {{odcds_config: {{ads: {{}}}}}}}}}}]}}]}}]}}}}",
            zones("")
        )
    };
    let named = [(
        "config/not-modeled",
        Affects::Route {
            listener: 0,
            route: 0,
        },
    )];
    assert_eq!(limits(&of("d")), named);
    assert_eq!(limits(&of("c")), []);
}

#[test]
fn what_is_not_modeled_of_a_udp_proxy_is_named() {
    const UDP: &str = "type.googleapis.com/envoy.extensions.filters.udp.udp_proxy";
    let named = |settings: &str| {
        let text = format!(
            "{{static_resources: {{clusters: [{}], listeners: [{{name: u, address: {{socket_address: {{protocol: UDP, \
             address: 127.0.0.1, port_value: 1}}}}, listener_filters: [{{name: f, typed_config: {{'@type': \
             {UDP}.v3.UdpProxyConfig, stat_prefix: p, {settings}}}}}]}}]}}}}",
            zones("")
        );
        (
            read(&text).listeners[0].protocol.clone(),
            limits(&text).len(),
        )
    };
    let action =
        format!("action: {{name: a, typed_config: {{'@type': {UDP}.v3.Route, cluster: c}}}}");
    let filter = |kind: &str| {
        format!(
            "cluster: c, session_filters: [{{name: s, typed_config: {{'@type': {UDP}.session.{kind}.v3.FilterConfig}}}}]"
        )
    };
    for (settings, protocol, count) in [
        (
            format!("matcher: {{on_no_match: {{{action}}}}}"),
            ListenerProtocol::Udp,
            0,
        ),
        ("matcher: {}".into(), ListenerProtocol::Unknown, 1),
        // Envoy 1.40 crashes at a session that reaches it.
        (
            format!("matcher: {{on_no_match: {{{action}, keep_matching: true}}}}"),
            ListenerProtocol::Unknown,
            1,
        ),
        (
            format!("matcher: {{matcher_list: {{matchers: []}}, on_no_match: {{{action}}}}}"),
            ListenerProtocol::Unknown,
            1,
        ),
        (filter("http_capsule"), ListenerProtocol::Udp, 0),
        (filter("ext_authz"), ListenerProtocol::Udp, 1),
    ] {
        assert_eq!(named(&settings), (protocol, count), "{settings}");
    }
}
