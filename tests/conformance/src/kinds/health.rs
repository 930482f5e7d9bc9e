//! Kind `host_health`.

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_core::model::{CoarseHealth, Health, HealthStatus};

use super::{Figures, figures, read};

/// The EDS status and the health flags of a host.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    eds_status: String,
    flags: Vec<String>,
}

/// The coarse health of the host, and whether it is excluded.
pub(super) fn host_health(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let status = HealthStatus::from_name(&input.eds_status)
        .ok_or_else(|| format!("unknown status {:?}", input.eds_status))?;
    let mut health = Health::from_status(status);
    for flag in &input.flags {
        raise(&mut health, flag)?;
    }
    Ok(figures([
        ("coarse", coarse_name(health.coarse()).into()),
        ("excluded", json!(health.excluded())),
    ]))
}

/// Sets one of Envoy's health flags. A flag that repeats the EDS status changes it, unless it is the
/// same or worse already.
fn raise(health: &mut Health, flag: &str) -> Result<(), String> {
    let usable = health.coarse() != CoarseHealth::Unhealthy;
    let flags = &mut health.flags;
    match flag {
        "FAILED_ACTIVE_HC" => flags.failed_active_hc = true,
        "FAILED_OUTLIER_CHECK" => flags.failed_outlier_check = true,
        "DEGRADED_ACTIVE_HC" => flags.degraded_active_hc = true,
        "PENDING_ACTIVE_HC" => flags.pending_active_hc = true,
        "EXCLUDED_VIA_IMMEDIATE_HC_FAIL" => flags.excluded_via_immediate_hc_fail = true,
        "PENDING_DYNAMIC_REMOVAL" => flags.pending_dynamic_removal = true,
        "EDS_STATUS_DRAINING" => health.status = HealthStatus::Draining,
        "FAILED_EDS_HEALTH" if usable => health.status = HealthStatus::Unhealthy,
        "DEGRADED_EDS_HEALTH" if usable => health.status = HealthStatus::Degraded,
        "FAILED_EDS_HEALTH" | "DEGRADED_EDS_HEALTH" => {}
        _ => return Err(format!("unknown flag {flag:?}")),
    }
    Ok(())
}

/// The name of a coarse health.
const fn coarse_name(coarse: CoarseHealth) -> &'static str {
    match coarse {
        CoarseHealth::Healthy => "healthy",
        CoarseHealth::Degraded => "degraded",
        CoarseHealth::Unhealthy => "unhealthy",
    }
}
