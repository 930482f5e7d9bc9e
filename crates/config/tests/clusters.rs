//! Responses of `/clusters`, read and applied to a configuration.

use serde_json::{Value, json};
use spillgate_config::{
    Diagnostic,
    clusters::{self, ClusterStatus, HostStatus, ReportedParts},
    envoy::{EnvoyConfig, Format, read},
};
use spillgate_core::model::{
    ClusterKind, CoarseHealth, HealthStatus, PlainCluster, Value as Metadatum,
};

const TEXT: &str = include_str!("fixtures/running/clusters.txt");
const JSON: &str = include_str!("fixtures/running/clusters.json");
const DUMP: &str = include_str!("fixtures/running/config_dump.json");

fn laid_over(config: &str, statuses: &str) -> (EnvoyConfig, Vec<Diagnostic>) {
    let mut config = read(config, Format::Json).unwrap();
    let statuses = clusters::read(statuses).unwrap();
    let found = clusters::lay_over(&statuses, &mut config);
    (config, found)
}

fn plain<'c>(config: &'c EnvoyConfig, name: &str) -> &'c PlainCluster {
    match &config.model.cluster(name).unwrap().kind {
        ClusterKind::Plain(plain) => plain,
        other => panic!("{name}: {other:?}"),
    }
}

fn addresses(plain: &PlainCluster) -> Vec<Vec<&str>> {
    let priorities = plain.priorities.iter();
    priorities
        .map(|priority| {
            priority
                .endpoints
                .iter()
                .map(|e| e.address.as_str())
                .collect()
        })
        .collect()
}

/// A cluster with endpoints; each is its fields in addition to the address.
fn cluster(kind: &str, endpoints: Vec<(&str, u16, Value)>) -> String {
    let endpoints = endpoints.into_iter().map(|(address, port, mut more)| {
        more["endpoint"] =
            json!({"address": {"socket_address": {"address": address, "port_value": port}}});
        more
    });
    let endpoints: Vec<Value> = endpoints.collect();
    json!({"name": "c", "type": kind, "load_assignment": {"cluster_name": "c", "endpoints": [
        {"locality": {"zone": "a"}, "load_balancing_weight": 7, "lb_endpoints": endpoints}]}})
    .to_string()
}

/// A line of health for a host of the cluster `c`.
fn healthy(address: &str) -> String {
    format!("c::{address}::health_flags::healthy\n")
}

#[test]
fn text_and_json_of_one_envoy_are_equivalent() {
    let sorted = |text: &'static str| -> Vec<ClusterStatus<'static>> {
        let mut statuses = clusters::read(text).unwrap();
        statuses.sort_by(|a, b| a.name.cmp(&b.name));
        for status in &mut statuses {
            status.position = spillgate_config::Position::START;
            for host in &mut status.hosts {
                host.position = spillgate_config::Position::START;
                // JSON does not have it, and counters change between two responses.
                (host.canary, host.active_requests) = (None, None);
            }
        }
        statuses
    };
    let (text, json) = (sorted(TEXT), sorted(JSON));
    assert_eq!(text, json);
    let names: Vec<&str> = text.iter().map(|status| &*status.name).collect();
    assert_eq!(
        names,
        [
            "agg::x",
            "dns",
            "dyn-eds",
            "dyn-static",
            "hc",
            "ldns",
            "odst",
            "v6",
            "xds"
        ]
    );
    let hosts: usize = text.iter().map(|status| status.hosts.len()).sum();
    assert_eq!(hosts, 13);
}

#[test]
fn figures_of_a_host_are_read() {
    let text = "a::b::observability_name::a::b\n\
        a::b::default_priority::max_requests::1024\n\
        a::b::[2001:db8::1]:443::rq_active::3\n\
        a::b::[2001:db8::1]:443::hostname::x::y\n\
        a::b::[2001:db8::1]:443::health_flags::/failed_active_hc/active_hc_timeout\n\
        a::b::[2001:db8::1]:443::weight::5\n\
        a::b::[2001:db8::1]:443::region::r\n\
        a::b::[2001:db8::1]:443::zone::z\n\
        a::b::[2001:db8::1]:443::sub_zone::\n\
        a::b::[2001:db8::1]:443::canary::true\n\
        a::b::[2001:db8::1]:443::priority::2\n";
    let statuses = clusters::read(text).unwrap();
    assert_eq!(statuses.len(), 1);
    assert_eq!(statuses[0].name, "a::b");
    let host = &statuses[0].hosts[0];
    assert_eq!(host.address, "[2001:db8::1]:443");
    assert_eq!(host.active_requests, Some(3));
    assert_eq!(host.hostname.as_deref(), Some("x::y"));
    assert!(host.health.unwrap().flags.failed_active_hc);
    assert_eq!(host.weight.unwrap().get(), 5);
    assert_eq!(host.locality.zone.as_deref(), Some("z"));
    assert_eq!(host.locality.sub_zone.as_deref(), Some(""));
    assert_eq!((host.canary, host.priority), (Some(true), Some(2)));
}

#[test]
fn an_abridged_response_is_accepted() {
    let flags: String = TEXT
        .lines()
        .filter(|line| line.contains("health_flags"))
        .map(|line| format!("{line}\n"))
        .collect();
    let config = include_str!("fixtures/running/config_dump_include_eds.json");
    let (whole, _) = laid_over(config, TEXT);
    let (abridged, _) = laid_over(config, &flags);
    assert_eq!(whole.model, abridged.model);
}

#[test]
fn every_fault_is_reported_with_its_place() {
    let text = "c::10.0.0.1:80::weight::0\n\
        nonsense\n\
        c::10.0.0.1:80::health_flags::/failed_active_hc/broken\n\
        c::10.0.0.1:80::priority::129\n\
        c::10.0.0.1:80::canary::perhaps\n\
        d::10.0.0.1:80::health_flags::healthy\n\
        c::10.0.0.2:80::rq_active::-1\n";
    let faults = clusters::read(text).unwrap_err();
    let lines: Vec<String> = faults.iter().map(|fault| fault.render("h")).collect();
    assert_eq!(
        lines,
        [
            "h:1:25: clusters/value: invalid value; found \"0\", expected an integer from 1 to 4294967295",
            "h:2:1: clusters/line: not a line of /clusters; found \"nonsense\", expected /clusters lines: cluster::address::name::value",
            "h:3:31: clusters/health-flag: unknown health flag (Envoy 1.40); found \"broken\", expected healthy, or flags such as /failed_active_hc",
            "h:4:27: clusters/value: invalid value; found \"129\", expected an integer from 0 to 128",
            "h:5:25: clusters/value: invalid value; found \"perhaps\", expected true or false",
            "h:7:1: clusters/repeated: cluster appears twice; pass one response only; found \"c\"",
            "h:7:28: clusters/value: invalid value; found \"-1\", expected an integer",
        ]
    );

    let cut = "c::10.0.0.1:80::rq_active::0\nc::10.0.0.2:80::rq_active::0\n";
    let faults = clusters::read(cut).unwrap_err();
    let places: Vec<u32> = faults.iter().map(|f| f.position.unwrap().line).collect();
    assert_eq!((faults[0].code, places), ("clusters/no-health", vec![1, 2]));

    let mixed = "c::10.0.0.1:80::health_flags::healthy\nd::added_via_api::true\n\
        c::10.0.0.1:80::weight::1\n";
    let faults = clusters::read(mixed).unwrap_err();
    assert_eq!(faults[0].code, "clusters/repeated");
    assert_eq!(faults[0].position.unwrap().line, 3);

    for empty in ["", "\n\n", "{}"] {
        let faults = clusters::read(empty).unwrap_err();
        assert_eq!(faults[0].code, "clusters/empty", "{empty:?}");
    }
    let json = r#"{"cluster_statuses": [{"name": "c", "host_statuses": [
        {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}, "priority": 200},
        {"address": {"socket_address": {"address": "10.0.0.2", "port_value": 80}},
         "health_status": {"eds_health_status": "BROKEN"}}]}]}"#;
    let codes: Vec<&str> = clusters::read(json)
        .unwrap_err()
        .iter()
        .map(|fault| fault.code)
        .collect();
    assert_eq!(
        codes,
        [
            "clusters/no-health",
            "clusters/value",
            "config/unknown-value"
        ]
    );
}

#[test]
fn a_running_envoy_completes_its_dump() {
    let (config, found) = laid_over(DUMP, TEXT);
    assert!(found.is_empty(), "{found:#?}");
    let settled = ["config/dns-name", "config/eds-endpoints"];
    let open: Vec<_> = config
        .warnings
        .iter()
        .filter(|w| settled.contains(&w.code))
        .collect();
    assert!(open.is_empty(), "{open:#?}");
    let eds = plain(&config, "dyn-eds");
    assert_eq!(
        addresses(eds),
        [
            ["127.0.0.1:1", "127.0.0.2:1"],
            ["127.0.0.3:1", "127.0.0.4:1"]
        ]
    );
    // The dump shows it as UNHEALTHY.
    let draining = &eds.priorities[0].endpoints[1];
    assert_eq!(draining.health.status, HealthStatus::Draining);
    assert!(draining.health.excluded());
    assert_eq!(draining.weight.get(), 4);
    assert_eq!(
        addresses(plain(&config, "dns")),
        [["[::1]:80"], ["127.0.0.9:80"]]
    );
    let checked = plain(&config, "hc");
    assert!(
        checked.priorities[0]
            .endpoints
            .iter()
            .all(|e| e.health.flags.failed_active_hc)
    );
    // Values without a position in the input get their cluster's position.
    let marks = config.marks.cluster("dyn-eds").unwrap();
    assert_eq!(marks.priorities[0][0].endpoint, marks.cluster);
}

#[test]
fn hosts_join_and_leave_and_keep_configured_settings() {
    let canary = json!({"metadata": {"filter_metadata": {"envoy.lb": {"stage": "canary"}}}, "load_balancing_weight": 9});
    let config = cluster(
        "EDS",
        vec![
            ("10.0.0.1", 80, json!({})),
            ("10.0.0.2", 80, canary),
            ("10.0.0.3", 80, json!({"health_status": "TIMEOUT"})),
        ],
    );
    let text = format!(
        "c::10.0.0.9:80::health_flags::/pending_active_hc\nc::10.0.0.9:80::priority::1\nc::10.0.0.9:80::zone::b\n{}c::10.0.0.3:80::health_flags::/failed_eds_health\n",
        healthy("10.0.0.2:80")
    );
    let (config, found) = laid_over(&config, &text);
    let plain = plain(&config, "c");
    assert_eq!(
        addresses(plain),
        [vec!["10.0.0.2:80", "10.0.0.3:80"], vec!["10.0.0.9:80"]]
    );
    let [canary, timeout] = plain.priorities[0].endpoints.as_slice() else {
        panic!("{plain:?}");
    };
    assert_eq!(canary.weight.get(), 9);
    assert_eq!(
        canary.metadata.get("stage"),
        Some(&Metadatum::Text("canary".into()))
    );
    assert_eq!(timeout.health.status, HealthStatus::Timeout);
    assert_eq!(plain.priorities[0].localities[0].weight, Some(7));
    let new = &plain.priorities[1];
    assert_eq!(new.localities[0].locality.zone, "b");
    assert!(new.endpoints[0].health.excluded());
    // The positions moved with the hosts.
    let marks = config.marks.cluster("c").unwrap();
    assert!(marks.priorities[0][1].health_status.is_some());
    assert_eq!(marks.priorities[1][0].endpoint, marks.cluster);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, "clusters/membership");
    assert!(
        found[0].message.contains("1 joined, 1 left"),
        "{}",
        found[0]
    );
}

#[test]
fn dns_names_become_their_hosts() {
    let metadata = json!({"metadata": {"filter_metadata": {"envoy.lb": {"a": "b"}}}});
    let config = cluster(
        "STRICT_DNS",
        vec![
            ("x.example", 80, metadata),
            ("y.example", 80, json!({})),
            ("10.0.0.3", 80, json!({})),
        ],
    );
    let host =
        |address: &str, name: &str| format!("{}c::{address}::hostname::{name}\n", healthy(address));
    let text = [
        host("10.0.0.1:80", "x.example"),
        host("10.0.0.2:80", "x.example"),
        host("[2001:db8::1]:80", "y.example"),
        host("10.0.0.3:80", "10.0.0.3"),
    ]
    .concat();
    let (config, found) = laid_over(&config, &text);
    assert!(found.is_empty(), "{found:#?}");
    let plain = plain(&config, "c");
    assert_eq!(
        addresses(plain),
        [[
            "10.0.0.1:80",
            "10.0.0.2:80",
            "[2001:db8::1]:80",
            "10.0.0.3:80"
        ]]
    );
    let has_metadata: Vec<bool> = plain.priorities[0]
        .endpoints
        .iter()
        .map(|e| !e.metadata.is_empty())
        .collect();
    assert_eq!(has_metadata, [true, true, false, false]);
    assert!(config.warnings.is_empty(), "{:#?}", config.warnings);
}

#[test]
fn duplicate_addresses_are_kept() {
    let config = cluster(
        "STATIC",
        vec![
            ("10.0.0.1", 80, json!({"load_balancing_weight": 2})),
            ("10.0.0.1", 80, json!({"load_balancing_weight": 3})),
        ],
    );
    let text = format!(
        "{}c::10.0.0.1:80::health_flags::/failed_outlier_check\n",
        healthy("10.0.0.1:80")
    );
    let (config, found) = laid_over(&config, &text);
    assert!(found.is_empty(), "{found:#?}");
    let hosts = &plain(&config, "c").priorities[0].endpoints;
    let of: Vec<(u32, CoarseHealth)> = hosts
        .iter()
        .map(|e| (e.weight.get(), e.health.coarse()))
        .collect();
    assert_eq!(
        of,
        [(2, CoarseHealth::Healthy), (3, CoarseHealth::Unhealthy)]
    );
}

#[test]
fn clusters_of_one_side_only_get_a_warning() {
    let config = cluster("STATIC", vec![("10.0.0.1", 80, json!({}))]);
    let others: String = (0..7)
        .map(|n| format!("other-{n}::10.0.0.1:80::health_flags::healthy\n"))
        .collect();
    let (config, found) = laid_over(&config, &others);
    assert_eq!(addresses(plain(&config, "c")), [["10.0.0.1:80"]]);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|w| (w.code, w.found.as_deref().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("clusters/missing-cluster", "\"c\""),
            (
                "clusters/unknown-cluster",
                "\"other-0\", \"other-1\", \"other-2\", \"other-3\", \"other-4\" and 2 more"
            ),
        ]
    );
}

#[test]
fn a_response_in_parts_has_the_same_hosts() {
    let text = "a::added_via_api::false\n\
        a::10.0.0.1:80::health_flags::healthy\n\
        \n\
        a::10.0.0.1:80::weight::7\n\
        a::10.0.0.1:80::rq_active::1\n\
        a::10.0.0.1:80::rq_active::2\n\
        a::10.0.0.1:80::health_flags::/failed_active_hc\n\
        a::10.0.0.2:80::health_flags::healthy\n\
        a::unknown::line\n\
        a::10.0.0.2:80::zone::ö\n\
        b::added_via_api::false\n\
        c::default_priority::max_connections::1\n\
        c::10.0.0.1:80::health_flags::healthy\n\
        \n";
    let whole = clusters::read_reported(text).unwrap().clusters;
    let hosts: Vec<usize> = whole.iter().map(|cluster| cluster.hosts.len()).collect();
    assert_eq!(hosts, [3, 0, 1]);
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    for first in breaks.clone() {
        for second in breaks.clone().filter(|second| *second >= first) {
            let cut = [0, first, second, text.len()];
            let mut reader = ReportedParts::default();
            let mut found: Vec<(String, Vec<HostStatus<'static>>)> = Vec::new();
            for (at, pair) in cut.windows(2).enumerate() {
                let part = text.get(pair[0]..pair[1]).unwrap();
                for cluster in reader.read(part, at == 2).unwrap().clusters {
                    if found.last().is_none_or(|(name, _)| *name != cluster.name) {
                        found.push((cluster.name.to_string(), Vec::new()));
                    }
                    let hosts = cluster.hosts.into_iter();
                    found.last_mut().unwrap().1.extend(hosts);
                }
            }
            let expected = whole
                .iter()
                .map(|cluster| (cluster.name.to_string(), cluster.hosts.clone()));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{cut:?}");
        }
    }
}

#[test]
fn a_fault_in_a_later_part_has_its_line() {
    let mut reader = ReportedParts::default();
    let first = "a::10.0.0.1:80::health_flags::healthy\n\n";
    reader.read(first, false).unwrap();
    let [fault] = &*reader
        .read("a::10.0.0.1:80::weight::0\n", true)
        .unwrap_err()
    else {
        panic!("one fault");
    };
    assert_eq!(
        (fault.code, fault.position.unwrap().line),
        ("clusters/value", 3)
    );
    let mut empty = ReportedParts::default();
    empty.read("\n\n", false).unwrap();
    let faults = empty.read("", true).unwrap_err();
    assert_eq!(faults[0].code, "clusters/empty");
    let mut incomplete = ReportedParts::default();
    incomplete
        .read("a::10.0.0.1:80::weight::1\n", false)
        .unwrap();
    let faults = incomplete.read("", true).unwrap_err();
    assert_eq!(faults[0].code, "clusters/no-health");
}
