//! `/clusters` of several Envoy versions: `vectors/clusters`.

use std::fs;

use spillgate_config::clusters::{HostStatus, read, read_reported};
use spillgate_core::model::CoarseHealth::{self, Degraded, Healthy, Unhealthy};
use spillgate_testkit::repository;

const VERSIONS: [&str; 5] = ["1.36.4", "1.37.0", "1.38.3", "1.39.3", "1.40.0"];

type ExpectedHost = (&'static str, CoarseHealth, bool);

/// By cluster: each host, its health, and whether it is excluded from the count of hosts.
const CLUSTERS: [(&str, &[ExpectedHost]); 4] = [
    (
        "checked",
        &[
            ("127.0.0.1:19891", Healthy, false),
            ("127.0.0.1:19899", Unhealthy, false),
            ("127.0.0.1:19892", Degraded, false),
            ("127.0.0.1:19893", Unhealthy, true),
            ("127.0.0.1:19894", Unhealthy, false),
            ("127.0.0.3:19891", Unhealthy, false),
        ],
    ),
    ("ejected", &[("127.0.0.1:19895", Unhealthy, false)]),
    (
        "moving",
        &[
            ("127.0.0.1:19891", Healthy, false),
            ("127.0.0.1:19894", Unhealthy, true),
        ],
    ),
    (
        "statuses",
        &[
            ("127.0.0.1:19891", Healthy, false),
            ("127.0.0.2:19891", Healthy, false),
            ("127.0.0.3:19891", Unhealthy, false),
            ("127.0.0.4:19891", Unhealthy, true),
            ("127.0.0.5:19891", Unhealthy, false),
            ("[::1]:19891", Degraded, false),
            ("./none.sock", Healthy, false),
        ],
    ),
];

fn recorded(version: &str) -> String {
    let folder = repository().join("vectors/clusters");
    fs::read_to_string(folder.join(format!("{version}.txt"))).unwrap()
}

fn fact<'a>(host: &'a HostStatus<'_>) -> (&'a str, CoarseHealth, bool) {
    let health = host.health.unwrap();
    (&host.address, health.coarse(), health.excluded())
}

#[test]
fn every_version_reads_alike_and_without_unknown_values() {
    for version in VERSIONS {
        let text = recorded(version);
        let reported = read_reported(&text).unwrap();
        assert_eq!(reported.unknown, None, "{version}");
        assert_eq!(read(&text).unwrap(), reported.clusters, "{version}");
        assert_eq!(reported.clusters.len(), CLUSTERS.len(), "{version}");
        for (name, hosts) in CLUSTERS {
            let mut clusters = reported.clusters.iter();
            let cluster = clusters.find(|cluster| cluster.name == name).unwrap();
            let mut facts: Vec<_> = cluster.hosts.iter().map(fact).collect();
            if name == "moving" {
                // The hosts of a cluster that changes have no fixed order.
                facts.sort_by_key(|(address, ..)| *address);
            }
            assert_eq!(facts, hosts, "{version}: {name}");
        }
        let statuses = reported.clusters.iter().find(|c| c.name == "statuses");
        let hosts = &statuses.unwrap().hosts;
        assert_eq!(hosts[1].weight.unwrap().get(), 7, "{version}");
        assert_eq!(hosts[5].canary, Some(true), "{version}");
        assert_eq!(hosts[4].priority, Some(1), "{version}");
        assert_eq!(hosts[0].locality.sub_zone.as_deref(), Some("s"));
    }
}

#[test]
fn flags_and_lines_of_a_newer_version_change_only_their_host() {
    for version in VERSIONS {
        let text = recorded(version)
            .replace(
                "health_flags::/failed_outlier_check",
                "health_flags::/failed_by_something_new",
            )
            .replace(
                "checked::default_priority",
                "checked::new_line::1\nchecked::default_priority",
            );
        let newer = format!("checked::first_new_line::1\n{text}");
        assert!(read(&newer).is_err(), "{version}: strict");
        let reported = read_reported(&newer).unwrap();
        assert!(reported.unknown.is_some(), "{version}");
        let known = recorded(version);
        let known = read(&known).unwrap();
        assert_eq!(reported.clusters.len(), known.len());
        for (newer, known) in reported.clusters.iter().zip(&known) {
            let facts = |hosts: &[HostStatus<'_>]| -> Vec<_> {
                hosts
                    .iter()
                    .map(|host| (host.address.to_string(), fact(host).1))
                    .collect()
            };
            assert_eq!(facts(&newer.hosts), facts(&known.hosts), "{version}");
        }
    }
}

#[test]
fn a_response_that_ends_within_a_line_is_rejected() {
    let text = recorded("1.40.0");
    for end in (1..text.len())
        .step_by(97)
        .filter(|end| !text[..*end].ends_with('\n'))
    {
        let faults = read_reported(&text[..end]).unwrap_err();
        assert_eq!(faults[0].code, "clusters/line", "{end}");
    }
}
