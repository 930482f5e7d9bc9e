//! `--to json`: the priority groups and percentages, with the keys of the test vectors.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use spillgate_config::mesh::{
    MeshKind, MeshOutbound, MeshZone, OutboundCluster, OutboundDestination, OutboundForm,
    assignment_line, drop_reason,
};
use spillgate_mesh::{LocalityGroup, MeshAssignment, kuma::KumaDifference};

use super::scenarios::{Scenario, scenarios};
use crate::mesh::{MeshInput, add_istio_version};

/// Everything, by zone.
pub(super) fn value(input: &MeshInput, views: &[MeshZone], form: OutboundForm) -> Value {
    let views = views.iter().map(|view| of_view(view, form));
    let mut value = json!({"mesh": input.mesh.name(), "views": views.collect::<Value>()});
    add_istio_version(&mut value, input.istio_version());
    value
}

fn of_view(view: &MeshZone, form: OutboundForm) -> Value {
    let outbound = &view.outbound;
    let clusters = outbound.clusters.iter().filter(|of| of.exists);
    json!({
        "zone": view.name,
        "destinations": outbound.destinations.iter()
            .map(|of| destination(of, outbound)).collect::<Value>(),
        "clusters": clusters.map(|of| cluster(of, outbound, form)).collect::<Value>(),
    })
}

fn destination(of: &OutboundDestination, outbound: &MeshOutbound) -> Value {
    let rules = of.rules.iter().map(|rule| {
        let splits = rule.shares().map(|(at, share)| {
            let cluster = outbound.clusters.get(at);
            let name = cluster.map(|cluster| &cluster.name);
            let mut value = json!({"cluster": name, "percent": share});
            let status = cluster.and_then(|cluster| rule.status_of(cluster));
            if let (Some(status), Value::Object(fields)) = (status, &mut value) {
                fields.insert("status".into(), json!(status));
            }
            value
        });
        let mut value = json!({"matches": rule.matches, "splits": splits.collect::<Value>()});
        if let (Some(status), Value::Object(fields)) = (rule.responds, &mut value) {
            fields.insert("status".into(), json!(status));
        }
        value
    });
    json!({"name": of.name, "domains": of.domains, "rules": rules.collect::<Value>()})
}

fn cluster(of: &OutboundCluster, outbound: &MeshOutbound, form: OutboundForm) -> Value {
    let assignment = match form {
        OutboundForm::Envoy => of.assignment.clone(),
        OutboundForm::Portable => of.written(form).0,
    };
    let groups = assignment.groups.iter();
    let dropped = assignment.dropped.iter();
    let is_chosen = of.settings.chosen.is_some();
    let scenarios = if is_chosen {
        Vec::new()
    } else {
        scenarios(of, &outbound.zone)
    };
    json!({
            "cluster": of.name,
            "policies": of.policies,
            "lb_policy": if is_chosen {
    "CLUSTER_PROVIDED"
    } else {
    of.settings.policy.name()
    },
            "overprovisioning_factor": assignment.overprovisioning_factor,
            "locality_weighted_lb": assignment.locality_weighted,
            "healthy_panic_threshold": assignment.panic_threshold.unwrap_or(50),
            "groups": groups.map(|group| self::group(group, of, outbound.mesh)).collect::<Value>(),
            "dropped": dropped.clone().map(|drop| of.address(drop.endpoint)).collect::<Vec<_>>(),
            "dropped_reasons": dropped.map(|drop| drop_reason(&drop.reason)).collect::<Vec<_>>(),
            "scenarios": scenarios.iter()
                .map(|scenario| self::scenario(scenario, of, &assignment, outbound.mesh))
                .collect::<Value>(),
            "differences": of.differences.iter().map(difference).collect::<Value>(),
        })
}

/// Zone and sub-zone of a group. For Istio, the zone is the whole locality.
fn place(group: &LocalityGroup, mesh: MeshKind) -> (String, String) {
    let locality = &group.locality;
    match mesh {
        MeshKind::Kuma => (locality.zone.clone(), locality.sub_zone.clone()),
        MeshKind::Istio => {
            let parts = [&locality.region, &locality.zone, &locality.sub_zone];
            let text = parts.map(String::as_str).join("/");
            (text.trim_end_matches('/').into(), String::new())
        }
    }
}

fn group(group: &LocalityGroup, of: &OutboundCluster, mesh: MeshKind) -> Value {
    let (zone, sub_zone) = place(group, mesh);
    let endpoints = group.endpoints.iter().map(|&at| of.address(at));
    json!({
        "priority": group.priority,
        "zone": zone,
        "sub_zone": sub_zone,
        "weight": group.weight,
        "endpoints": endpoints.collect::<Vec<_>>(),
    })
}

fn scenario(
    scenario: &Scenario,
    of: &OutboundCluster,
    assignment: &MeshAssignment,
    mesh: MeshKind,
) -> Value {
    let shares = of.shares_of(assignment, &scenario.hosts);
    let pairs = of.hosts.iter().zip(&scenario.hosts);
    let unhealthy = pairs
        .filter(|(before, after)| before.health != after.health)
        .map(|(host, _)| host.address.as_str());
    let loads = shares
        .loads
        .iter()
        .enumerate()
        .filter(|(_, load)| **load > 0);
    let loads: BTreeMap<String, u32> = loads.map(|(at, load)| (at.to_string(), *load)).collect();
    let share = |at: &usize| shares.endpoints.get(*at).copied().unwrap_or_default();
    let groups = assignment.groups.iter().map(|group| {
        let (zone, sub_zone) = place(group, mesh);
        let sum: f64 = group.endpoints.iter().map(share).fold(0.0, |a, b| a + b);
        (format!("P{}|{zone}|{sub_zone}", group.priority), sum)
    });
    let endpoints = of
        .hosts
        .iter()
        .zip(&shares.endpoints)
        .filter(|(_, share)| **share > 0.0);
    json!({
        "name": scenario.name,
        "unhealthy": unhealthy.collect::<Vec<_>>(),
        "priority_load": loads,
        "group_percent": groups.collect::<BTreeMap<String, f64>>(),
        "endpoint_percent": endpoints
            .map(|(host, share)| (host.address.as_str(), *share))
            .collect::<BTreeMap<&str, f64>>(),
        "panic_priorities": shares.panics,
        "no_host_percent": shares.no_host,
    })
}

fn difference(of: &KumaDifference) -> Value {
    json!({
        "row": of.row.number(),
        "kuma": assignment_line(&of.kuma),
        "madr": assignment_line(&of.madr),
    })
}
