//! Proxies and the entries of `distribute` and `failover` that are for them.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;
use spillgate_core::model::Policy;
use spillgate_mesh::istio::{IstioResolution, locality_matches, parse_locality};

use super::{
    super::{context::MeshContext, names::listed, rule::MeshRule, sight::Sight},
    unlocated::entry_of,
    views::localities,
};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// `distribute` has no entry for proxies in some localities.
///
/// They use all localities with endpoints, and never fail over: `distribute` replaces failover, also
/// for proxies without an entry.
pub(in super::super) static NO_ENTRY: MeshRule = MeshRule {
    id: "istio-distribute-no-entry",
    severity: Severity::Info,
    summary: "distribute without an entry for some localities, which use all of them and never fail over",
    check: no_entry,
};

/// No proxy or endpoint of the input is in the `from` of a `distribute` or `failover` entry. Often
/// the name is misspelled.
///
/// The entry applies to no proxy.
pub(in super::super) static NO_PROXY: MeshRule = MeshRule {
    id: "istio-from-no-proxy",
    severity: Severity::Warning,
    summary: "distribute or failover from a locality that no proxy has",
    check: no_proxy,
};

/// Maximum number of localities with their shares in a message.
const MAXIMUM_SHARES: usize = 5;

/// Finds proxies without an entry.
fn no_entry(context: &MeshContext<'_>, sink: &mut Sink) {
    let known = context.localities();
    for at in &context.settings {
        if at.setting.distribute.is_empty() {
            continue;
        }
        let without = known
            .iter()
            .copied()
            .filter(|locality| entry_of(at, locality).is_none());
        let without: Vec<&str> = without.collect();
        let Some(&from) = without.first() else {
            continue;
        };
        // With a single locality there is nothing to distribute.
        let mut services = at.services(&context.services).filter(|service| {
            service.service.resolution != IstioResolution::Passthrough
                && localities(&service.endpoints).len() > 1
        });
        let Some(service) = services.next() else {
            continue;
        };
        let sight = at
            .applied()
            .view(from, &service.endpoints, Policy::RoundRobin);
        let cause = format!(
            "distribute has no entry for proxies in {}",
            listed(without.iter().copied())
        );
        let effect = format!(
            "they use all localities and never fail over: for {}, {}",
            quoted(&service.service.host),
            shares(&sight, &localities(&service.endpoints))
        );
        let fix = "add an entry from these localities, or use failover instead of distribute";
        sink.add(&at.place("distribute"), cause, effect, fix);
    }
}

/// The share of each locality.
fn shares(sight: &Sight, localities: &[&str]) -> String {
    let found = sight.shares();
    let share = |locality: &&str| {
        let own = parse_locality(locality);
        let share = sight.share_of(&found, |of| *of == own);
        format!("{} to {}", percent(share), quoted(locality))
    };
    let shown: Vec<String> = localities.iter().take(MAXIMUM_SHARES).map(share).collect();
    let more = localities.len().saturating_sub(shown.len());
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Finds entries without proxies.
fn no_proxy(context: &MeshContext<'_>, sink: &mut Sink) {
    let known = context.localities();
    let zones: BTreeSet<String> = known.iter().map(|locality| zone(locality)).collect();
    let regions: BTreeSet<&str> = known
        .iter()
        .filter_map(|locality| locality.split('/').next())
        .collect();
    let effect = "the entry applies to no proxy of the input";
    for at in &context.settings {
        for (index, entry) in at.setting.distribute.iter().enumerate() {
            let matches = |locality: &str| locality_matches(&parse_locality(locality), &entry.from);
            // The proxies of one locality do not show the others.
            if known.len() < 2 || known.iter().any(|locality| matches(locality)) {
                continue;
            }
            let written = entry.from.trim_end_matches(['*', '/']);
            let names = zones
                .iter()
                .map(String::as_str)
                .chain(regions.iter().copied());
            let meant = nearest(written, names).map(|meant| format!("{meant}/*"));
            let place = at.place(&format!("distribute[{index}].from"));
            sink.add(&place, no_proxy_in(&entry.from), effect, fix(meant));
        }
        for (index, rule) in at.setting.failover.iter().enumerate() {
            if regions.len() < 2 || regions.contains(rule.from.as_str()) {
                continue;
            }
            let others = regions.iter().copied().filter(|region| *region != rule.to);
            let meant = nearest(&rule.from, others).map(String::from);
            let place = at.place(&format!("failover[{index}].from"));
            sink.add(&place, no_proxy_in(&rule.from), effect, fix(meant));
        }
    }
}

fn no_proxy_in(from: &str) -> String {
    format!("no proxy and no endpoint is in {}", quoted(from))
}

fn fix(meant: Option<String>) -> String {
    match meant {
        Some(meant) => format!("write {}", quoted(&meant)),
        None => String::from("name a locality with proxies, or remove the entry"),
    }
}

/// Region and zone of a locality.
fn zone(locality: &str) -> String {
    let mut parts = locality.split('/');
    let (region, zone) = (parts.next(), parts.next());
    match (region, zone) {
        (Some(region), Some(zone)) => format!("{region}/{zone}"),
        _ => locality.into(),
    }
}
