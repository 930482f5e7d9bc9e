//! `--to report`: the priority groups of each destination, before and after, dropped endpoints, and
//! what the readings of a Kuma policy differ in.

use std::collections::BTreeMap;

use comfy_table::Table;
use spillgate_config::mesh::{
    MeshKind, MeshOutbound, MeshZone, OutboundChoice, OutboundCluster, OutboundDestination,
    assignment_line, drop_reason, row_sentence,
};
use spillgate_mesh::DropReason;

use super::scenarios::scenarios;
use crate::{
    mesh::{CompatArg, MeshInput},
    split::{Style, bar, lines, number, percent, table, text},
};

/// The whole report.
pub(super) fn write(
    input: &MeshInput,
    views: &[MeshZone],
    compat: CompatArg,
    style: Style,
) -> String {
    let parts = views.iter().map(|view| of_view(input, view, compat, style));
    parts.collect::<Vec<_>>().join("\n")
}

fn of_view(input: &MeshInput, view: &MeshZone, compat: CompatArg, style: Style) -> String {
    let outbound = &view.outbound;
    let reading = match (input.mesh, compat) {
        (MeshKind::Istio, _) => format!("Istio {}", input.documents.istio_version.name()),
        (MeshKind::Kuma, CompatArg::Kuma) => "Kuma".to_owned(),
        (MeshKind::Kuma, CompatArg::Madr) => "Kuma's decision record".to_owned(),
    };
    let zone = match view.name.as_str() {
        "" => "a proxy without a zone",
        zone => zone,
    };
    let mut parts = vec![format!("As seen from {zone} ({reading})\n")];
    for destination in &outbound.destinations {
        parts.extend(split_table(destination, outbound, style));
    }
    for cluster in outbound.clusters.iter().filter(|cluster| cluster.exists) {
        parts.push(of_cluster(cluster, outbound, style));
    }
    parts.join("\n")
}

/// The clusters of a destination with several clusters or rules.
fn split_table(
    destination: &OutboundDestination,
    outbound: &MeshOutbound,
    style: Style,
) -> Option<String> {
    let exists = |at: usize| outbound.clusters.get(at).is_none_or(|of| of.exists);
    if let [only] = destination.rules.as_slice()
        && only.splits.len() < 2
        && only.splits.iter().all(|split| exists(split.cluster))
        && only.responds.is_none()
    {
        return None;
    }
    let mut table = table(style, &["requests", "cluster", "share %", ""]);
    for rule in &destination.rules {
        let matches = match rule.matches.as_str() {
            "" => "all others",
            matches => matches,
        };
        if let Some(status) = rule.responds {
            let answer = format!("answered with {status}");
            table.add_row([
                text(matches),
                text(&answer),
                percent(100.0),
                bar(100.0, style),
            ]);
        }
        for (at, share) in rule.shares() {
            let Some(cluster) = outbound.clusters.get(at) else {
                continue;
            };
            let name = match rule.status_of(cluster) {
                Some(status) => format!("{}: answered with {status}", cluster.name),
                None => cluster.name.clone(),
            };
            table.add_row([
                text(matches),
                text(&name),
                percent(share),
                bar(share, style),
            ]);
        }
    }
    Some(format!("{}: routes\n{}", destination.name, lines(&table)))
}

fn of_cluster(cluster: &OutboundCluster, outbound: &MeshOutbound, style: Style) -> String {
    if let Some(chosen) = &cluster.settings.chosen {
        let goes = match chosen {
            OutboundChoice::OriginalDst(_) => {
                "requests go to the original destination of their connection"
            }
            OutboundChoice::HostName => "requests go to an address of the host that they name",
        };
        return format!("{}: {goes}\n", cluster.name);
    }
    let mut parts = vec![format!(
        "{}{}",
        heading(cluster),
        lines(&groups(cluster, style))
    )];
    parts.push(lines(&health(cluster, outbound, style)));
    parts.push(lines(&before_and_after(cluster, style)));
    parts.extend(dropped(cluster));
    parts.extend(differences(cluster));
    parts.join("\n")
}

fn heading(cluster: &OutboundCluster) -> String {
    let assignment = &cluster.assignment;
    let policies = match cluster.policies.as_slice() {
        [] => "no policy".to_owned(),
        [only] => format!("policy {only}"),
        several => format!("policies {}", several.join(", ")),
    };
    let factor = match assignment.overprovisioning_factor {
        Some(factor) => format!("overprovisioning factor {factor}"),
        None => "overprovisioning factor unset (140)".to_owned(),
    };
    let weighted = if assignment.locality_weighted {
        "locality weights"
    } else {
        "no locality weights"
    };
    let panic = assignment.panic_threshold.unwrap_or(50);
    format!(
        "{}: {policies}, {}, {factor}, {weighted}, panic threshold {panic} %\n",
        cluster.name,
        cluster.settings.policy.name()
    )
}

fn groups(cluster: &OutboundCluster, style: Style) -> Table {
    let head = [
        "priority", "region", "zone", "sub-zone", "weight", "hosts", "share %", "",
    ];
    let mut table = table(style, &head);
    let shares = cluster.shares();
    let mut groups: Vec<_> = cluster.assignment.groups.iter().collect();
    groups.sort_by_key(|group| group.priority);
    for group in groups {
        let of = |at: &usize| shares.endpoints.get(*at).copied().unwrap_or_default();
        let share = group.endpoints.iter().map(of).fold(0.0, |a, b| a + b);
        table.add_row([
            number(group.priority),
            text(&group.locality.region),
            text(&group.locality.zone),
            text(&group.locality.sub_zone),
            number(group.weight.map_or(String::new(), |w| w.to_string())),
            number(group.endpoints.len()),
            percent(share),
            bar(share, style),
        ]);
    }
    if shares.no_host > 0.0 {
        table.add_row([
            text(""),
            text(""),
            text("no host"),
            text(""),
            text(""),
            text(""),
            percent(shares.no_host),
            bar(shares.no_host, style),
        ]);
    }
    table
}

/// The load of each zone while the local zone loses hosts.
fn health(cluster: &OutboundCluster, outbound: &MeshOutbound, style: Style) -> Table {
    let scenarios = scenarios(cluster, &outbound.zone);
    let head: Vec<&str> = ["zone"]
        .into_iter()
        .chain(scenarios.iter().map(|scenario| scenario.name))
        .collect();
    let mut table = table(style, &head);
    let columns: Vec<_> = scenarios
        .iter()
        .map(|scenario| cluster.shares_of(&cluster.assignment, &scenario.hosts))
        .map(|shares| (by_zone(cluster, &shares.endpoints), shares.no_host))
        .collect();
    for zone in zones(cluster) {
        let cells = columns
            .iter()
            .map(|(zones, _)| percent(zones.get(zone).copied().unwrap_or_default()));
        table.add_row([text(zone)].into_iter().chain(cells));
    }
    let cells = columns.iter().map(|(_, no_host)| percent(*no_host));
    table.add_row([text("no host")].into_iter().chain(cells));
    table
}

/// The share of each zone without and with the policy.
fn before_and_after(cluster: &OutboundCluster, style: Style) -> Table {
    let head = ["zone", "without policy %", "", "with policy %", ""];
    let mut table = table(style, &head);
    let without = cluster.shares_of(&cluster.without_policy, &cluster.hosts);
    let with = cluster.shares();
    let (was, is) = (
        by_zone(cluster, &without.endpoints),
        by_zone(cluster, &with.endpoints),
    );
    for zone in zones(cluster) {
        let was = was.get(zone).copied().unwrap_or_default();
        let is = is.get(zone).copied().unwrap_or_default();
        table.add_row([
            text(zone),
            percent(was),
            bar(was, style),
            percent(is),
            bar(is, style),
        ]);
    }
    table
}

/// The zones of the hosts, each once.
fn zones(cluster: &OutboundCluster) -> Vec<&str> {
    let mut zones: Vec<&str> = cluster.zones.iter().map(String::as_str).collect();
    zones.sort_unstable();
    zones.dedup();
    zones
}

fn by_zone<'c>(cluster: &'c OutboundCluster, shares: &[f64]) -> BTreeMap<&'c str, f64> {
    let mut sums = BTreeMap::new();
    for (zone, share) in cluster.zones.iter().zip(shares) {
        *sums.entry(zone.as_str()).or_default() += share;
    }
    sums
}

/// The dropped endpoints, by reason.
fn dropped(cluster: &OutboundCluster) -> Option<String> {
    let mut reasons: Vec<(&DropReason, Vec<&str>)> = Vec::new();
    for drop in &cluster.assignment.dropped {
        let address = cluster.address(drop.endpoint);
        match reasons.iter_mut().find(|(known, _)| **known == drop.reason) {
            Some((_, addresses)) => addresses.push(address),
            None => reasons.push((&drop.reason, vec![address])),
        }
    }
    let lines: Vec<String> = reasons
        .iter()
        .map(|(reason, addresses)| {
            format!(
                "dropped: {}: {}\n",
                drop_reason(reason),
                addresses.join(", ")
            )
        })
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}

/// The rows in which released code and decision record differ, with both outcomes.
fn differences(cluster: &OutboundCluster) -> Option<String> {
    let lines: Vec<String> = cluster
        .differences
        .iter()
        .map(|of| {
            format!(
                "difference: {}\n  kuma: {}\n  madr: {}\n",
                row_sentence(of.row),
                assignment_line(&of.kuma),
                assignment_line(&of.madr)
            )
        })
        .collect();
    (!lines.is_empty()).then(|| lines.concat())
}
