//! `localityLbSetting`.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::istio::{IstioDistribute, IstioFailover, IstioLocalityLbSetting, IstioShare};

use crate::proto::{Message, Report, Schema};

static SETTING: Schema = Schema::new(
    "localityLbSetting",
    "enabled distribute failover failoverPriority",
);
static DISTRIBUTE: Schema = Schema::new("distribute", "from to");
static FAILOVER: Schema = Schema::new("failover", "from to");

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
    let mut failover = Vec::new();
    for (path, node) in setting.items("failover", report) {
        let entry = Message::open(node, path, &FAILOVER, report);
        failover.push(
            entry.map_or_else(IstioFailover::default, |entry| IstioFailover {
                from: entry.text("from", report),
                to: entry.text("to", report),
            }),
        );
    }
    Some(IstioLocalityLbSetting {
        distribute,
        failover,
        failover_priority: setting.texts("failoverPriority", report),
        enabled: setting.bool("enabled", report),
    })
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
