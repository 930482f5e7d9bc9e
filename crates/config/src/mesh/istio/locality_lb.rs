//! `localityLbSetting`.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::{
    MeshFault,
    istio::{IstioDistribute, IstioFailover, IstioLocalityLbSetting, IstioShare},
};

use crate::{
    Diagnostic,
    mesh::{place::ValuePlaces, rule::rule_fault},
    proto::{Message, Report, Schema},
};

pub(super) static SETTING: Schema = Schema::new(
    "localityLbSetting",
    "enabled distribute failover failoverPriority",
)
.of("DestinationRule.trafficPolicy.loadBalancer.localityLbSetting");
pub(super) static DISTRIBUTE: Schema = Schema::new("distribute", "from to")
    .of("DestinationRule.trafficPolicy.loadBalancer.localityLbSetting.distribute");
pub(super) static FAILOVER: Schema = Schema::new("failover", "from to")
    .of("DestinationRule.trafficPolicy.loadBalancer.localityLbSetting.failover");

/// Reads `localityLbSetting`.
pub(super) fn read_locality_lb(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioLocalityLbSetting> {
    let setting = parent.message("localityLbSetting", &SETTING, report)?;
    let mut distribute = Vec::new();
    for (path, node) in setting.items("distribute", report) {
        let entry = Message::open(node, path, &DISTRIBUTE, report);
        distribute.push(
            entry.map_or_else(IstioDistribute::default, |entry| IstioDistribute {
                from: entry.text("from", report),
                to: read_shares(&entry, report),
            }),
        );
    }
    Some(IstioLocalityLbSetting {
        distribute,
        failover: read_failovers(&setting, &FAILOVER, report),
        failover_priority: setting.texts("failoverPriority", report),
        enabled: setting.bool("enabled", report),
    })
}

/// The regions of `failover`.
pub(super) fn read_failovers(
    setting: &Message<'_, '_>,
    schema: &'static Schema,
    report: &mut Report,
) -> Vec<IstioFailover> {
    let mut failover = Vec::new();
    for (path, node) in setting.items("failover", report) {
        let entry = Message::open(node, path, schema, report);
        failover.push(
            entry.map_or_else(IstioFailover::default, |entry| IstioFailover {
                from: entry.text("from", report),
                to: entry.text("to", report),
            }),
        );
    }
    failover
}

/// The diagnostic of a fault with a path below the `localityLbSetting` at `setting`.
pub(super) fn setting_fault(
    fault: &MeshFault,
    root: &str,
    places: &ValuePlaces,
    setting: &str,
) -> Diagnostic {
    // A share is an entry of a map: `distribute[0].to[us/a]`.
    let below = match fault.path.split_once("].to[") {
        Some((entry, locality)) => {
            let locality = locality.strip_suffix(']').unwrap_or(locality);
            format!("{entry}].to.{locality}")
        }
        None => fault.path.clone(),
    };
    let path = match (setting.is_empty(), below.is_empty()) {
        (true, _) => below,
        (_, true) => setting.into(),
        _ => format!("{setting}.{below}"),
    };
    rule_fault(fault.code, root, places, path)
}

/// `to` of a `distribute` entry: weights by locality.
fn read_shares(entry: &Message<'_, '_>, report: &mut Report) -> Vec<IstioShare> {
    let Some(to) = entry.object("to", "weights by locality", report) else {
        return Vec::new();
    };
    let mut shares: Vec<IstioShare> = Vec::new();
    for entry in to.entries {
        let locality: String = entry.key.name.as_ref().into();
        let path = to.path.field(locality.clone());
        let Some(weight) = crate::proto::integer(&entry.node, &path, report) else {
            continue;
        };
        // Of duplicate keys the last one is used.
        shares.retain(|share| share.locality != locality);
        shares.push(IstioShare { locality, weight });
    }
    shares
}
