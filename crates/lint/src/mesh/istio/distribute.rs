//! `distribute`: targets without endpoints, and targets that fail together.

use alloc::{collections::BTreeSet, format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;
use spillgate_core::model::Policy;
use spillgate_mesh::istio::{
    IstioDistribute, IstioEndpoint, IstioShare, locality_matches, parse_locality,
};

use super::{
    super::{context::MeshContext, rule::MeshRule, setting::IstioSettingAt, sight::Sight},
    views::{Applied, all_localities, assumed, concrete, localities},
};
use crate::{figures::percent, finding::Severity, sink::Sink};

/// All requests of a `distribute` entry go to one zone, and `distribute` excludes all other localities.
///
/// It never fails over: if the zone fails, requests do not reach the endpoints elsewhere.
pub(in super::super) static NO_FAILOVER: MeshRule = MeshRule {
    id: "istio-distribute-no-failover",
    severity: Severity::Warning,
    summary: "distribute to a single zone: it never fails over",
    check: no_failover,
};

/// No endpoint is in a target locality of `distribute`. Often the name is misspelled.
///
/// The other targets share its weight; without another target, requests get 503.
pub(in super::super) static NO_ENDPOINT: MeshRule = MeshRule {
    id: "istio-share-no-endpoint",
    severity: Severity::Warning,
    summary: "distribute to a locality that no endpoint has",
    check: no_endpoint,
};

impl IstioSettingAt<'_> {
    /// What applies with it.
    pub(super) fn applied(&self) -> Applied<'_> {
        Applied {
            setting: Some(self.setting),
            outlier_detection: self.outlier_detection(),
        }
    }
}

/// Finds entries with a single target zone.
fn no_failover(context: &MeshContext<'_>, sink: &mut Sink) {
    for at in &context.settings {
        for (index, entry) in at.setting.distribute.iter().enumerate() {
            let mut services = at.services(&context.services).peekable();
            let sight = match services.peek() {
                Some(_) => services.find_map(|of| single(at, entry, &of.endpoints)),
                None => assumed_single(at, entry),
            };
            let Some(sight) = sight else { continue };
            let cause = format!(
                "distribute sends all requests from {} to one zone, and never fails over",
                quoted(&entry.from)
            );
            let found = sight.shares_without_first();
            let effect = if found.no_host > 0.0 {
                format!(
                    "if its hosts fail, {} of requests get 503",
                    percent(found.no_host)
                )
            } else {
                String::from("if its hosts fail, requests still go to them (panic mode)")
            };
            let fix =
                "add further targets with a small weight, or use failover instead of distribute";
            sink.add(
                &at.place(&format!("distribute[{index}].to")),
                cause,
                effect,
                fix,
            );
        }
    }
}

/// The view of a proxy of the entry, if all its endpoints are in one zone and others are excluded.
fn single(
    at: &IstioSettingAt<'_>,
    entry: &IstioDistribute,
    endpoints: &[IstioEndpoint],
) -> Option<Sight> {
    let from = localities(endpoints).into_iter();
    let mut from = from.filter(|locality| locality_matches(&parse_locality(locality), &entry.from));
    let from = from
        .next()
        .map_or_else(|| concrete(&entry.from), String::from);
    let sight = at.applied().view(&from, endpoints, Policy::RoundRobin);
    let groups = sight.assignment.groups.iter();
    let zones: BTreeSet<(&str, &str)> = groups
        .map(|group| (group.locality.region.as_str(), group.locality.zone.as_str()))
        .collect();
    (zones.len() == 1 && !sight.assignment.dropped.is_empty()).then_some(sight)
}

/// The same without known endpoints: the only target is not everywhere.
fn assumed_single(at: &IstioSettingAt<'_>, entry: &IstioDistribute) -> Option<Sight> {
    let [target] = entry.to.as_slice() else {
        return None;
    };
    let parts = parse_locality(&target.locality);
    let named = |part: &str| !part.is_empty() && part != "*";
    if !named(&parts.region) || !named(&parts.zone) {
        return None;
    }
    let target = concrete(&target.locality);
    let endpoints = assumed(&[&target, "elsewhere/zone"]);
    single(at, entry, &endpoints)
}

/// Finds targets without endpoints.
fn no_endpoint(context: &MeshContext<'_>, sink: &mut Sink) {
    for at in &context.settings {
        let known = all_localities(at.services(&context.services));
        // The endpoints of one locality do not show the others.
        if known.len() < 2 {
            continue;
        }
        for (index, entry) in at.setting.distribute.iter().enumerate() {
            let matches = |share: &IstioShare| {
                let mut known = known.iter();
                known.any(|locality| locality_matches(&parse_locality(locality), &share.locality))
            };
            let others = entry.to.iter().any(matches);
            for share in entry.to.iter().filter(|share| !matches(share)) {
                let cause = format!("no endpoint is in {}", quoted(&share.locality));
                let effect = if others {
                    format!("its {} % go to the other targets", share.weight)
                } else {
                    format!(
                        "{} of requests get 503",
                        percent(without_target(at, entry, context))
                    )
                };
                let meant = nearest(&share.locality, known.iter().copied());
                let fix = match meant {
                    Some(meant) => format!("write {}", quoted(meant)),
                    None => String::from("name a locality with endpoints"),
                };
                let path = format!("distribute[{index}].to.{}", share.locality);
                sink.add(&at.place(&path), cause, effect, fix);
            }
        }
    }
}

/// The percentage of requests without a host, for an entry of which no target has endpoints.
fn without_target(
    at: &IstioSettingAt<'_>,
    entry: &IstioDistribute,
    context: &MeshContext<'_>,
) -> f64 {
    let service = at.services(&context.services).next();
    service.map_or(0.0, |service| {
        let from = concrete(&entry.from);
        let sight = at
            .applied()
            .view(&from, &service.endpoints, Policy::RoundRobin);
        sight.shares().no_host
    })
}
