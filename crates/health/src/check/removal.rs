//! Hosts that service discovery removed.

use spillgate_core::model::HealthFlags;

/// Whether a host stays in use after service discovery removed it (`PENDING_DYNAMIC_REMOVAL`): as long as its active
/// checks pass, unless the cluster has `ignore_health_on_host_removal`. A cluster without active checks removes its
/// hosts at once; `checks` is `None` for it.
#[must_use]
pub const fn stays_after_removal(
    checks: Option<HealthFlags>,
    ignore_health_on_host_removal: bool,
) -> bool {
    match checks {
        Some(flags) => !flags.failed_active_hc && !ignore_health_on_host_removal,
        None => false,
    }
}
