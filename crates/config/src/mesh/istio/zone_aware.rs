//! `zoneAwareLbSetting`.

use spillgate_mesh::istio::IstioZoneAwareLb;

use super::locality_lb::read_failovers;
use crate::proto::{Message, Report, Schema};

pub(super) static ZONE_AWARE: Schema = Schema::new(
    "zoneAwareLbSetting",
    "enabled failover failoverPriority minClusterSize",
)
.of("DestinationRule.trafficPolicy.loadBalancer.zoneAwareLbSetting");
pub(super) static REGION: Schema = Schema::new("failover", "from to")
    .of("DestinationRule.trafficPolicy.loadBalancer.zoneAwareLbSetting.failover");

/// Reads `zoneAwareLbSetting`.
pub(super) fn read_zone_aware(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<IstioZoneAwareLb> {
    let setting = parent.message("zoneAwareLbSetting", &ZONE_AWARE, report)?;
    Some(IstioZoneAwareLb {
        enabled: setting.bool("enabled", report),
        failover: read_failovers(&setting, &REGION, report),
        failover_priority: setting.texts("failoverPriority", report),
        min_cluster_size: setting.u32("minClusterSize", report),
    })
}
