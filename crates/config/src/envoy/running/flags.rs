//! Envoy's host health flags.

use spillgate_core::model::{Health, HealthStatus};

/// Reads `healthy`, or flags with a slash before each. `unknown` returns whether an unknown flag is
/// tolerated; then [`set_unknown`] applies.
///
/// # Errors
/// The first part that is not a flag.
pub(super) fn read_flags(
    text: &str,
    mut unknown: impl FnMut(&str) -> bool,
) -> Result<Health, &str> {
    let mut health = Health::from_status(HealthStatus::Healthy);
    if text == "healthy" {
        return Ok(health);
    }
    let names = text.strip_prefix('/').ok_or(text)?;
    for name in names.split('/') {
        if set(&mut health, name) {
            continue;
        }
        if !unknown(name) {
            return Err(name);
        }
        set_unknown(&mut health, name);
    }
    Ok(health)
}

/// Applies a flag of a newer Envoy. The names of flags begin with their class; other flags have no
/// effect.
fn set_unknown(health: &mut Health, name: &str) {
    if name.starts_with("failed") {
        health.flags.failed_active_hc = true;
    } else if name.starts_with("degraded") {
        health.flags.degraded_active_hc = true;
    }
}

/// Applies a flag by its name in the text format, and returns whether it is known.
fn set(health: &mut Health, name: &str) -> bool {
    match name {
        "eds_status_draining" => health.status = HealthStatus::Draining,
        // A draining host also has its own flag, which decides.
        "failed_eds_health" if health.status != HealthStatus::Draining => {
            health.status = HealthStatus::Unhealthy;
        }
        "degraded_eds_health" if health.status == HealthStatus::Healthy => {
            health.status = HealthStatus::Degraded;
        }
        "failed_eds_health" | "degraded_eds_health" => {}
        // Why a check failed; `failed_active_hc` says that it failed.
        "active_hc_timeout" => {}
        // Outlier detection and health checks have the same effect on balancing.
        "degraded_outlier_detection" => health.flags.degraded_active_hc = true,
        _ => return health.flags.set(name),
    }
    true
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use spillgate_core::model::CoarseHealth;

    use super::*;

    fn strict(text: &str) -> Result<Health, &str> {
        read_flags(text, |_| false)
    }

    #[test]
    fn tolerated_flags_have_the_class_that_their_names_begin_with() {
        use CoarseHealth::{Degraded, Healthy, Unhealthy};
        for (text, class) in [
            ("/failed_new_check", Unhealthy),
            ("/degraded_new_check", Degraded),
            ("/pending_new_check", Healthy),
            ("/new", Healthy),
            ("/failed_new_check/degraded_new_check", Unhealthy),
            ("/degraded_eds_health/failed_new_check", Unhealthy),
            ("/new/failed_active_hc", Unhealthy),
        ] {
            let mut names = 0;
            let health = read_flags(text, |name| {
                assert!(name.contains("new"), "{name}");
                names += 1;
                true
            });
            assert_eq!(health.unwrap().coarse(), class, "{text}");
            assert!(names > 0, "{text}");
        }
        assert_eq!(read_flags("fine", |_| true), Err("fine"), "not a flag");
    }

    #[test]
    fn every_flag_has_its_class_and_field() {
        use CoarseHealth::{Degraded, Healthy, Unhealthy};
        for (name, class, excluded) in [
            ("failed_active_hc", Unhealthy, false),
            ("failed_outlier_check", Unhealthy, false),
            ("failed_eds_health", Unhealthy, false),
            ("degraded_active_hc", Degraded, false),
            ("degraded_outlier_detection", Degraded, false),
            ("degraded_eds_health", Degraded, false),
            ("pending_dynamic_removal", Healthy, false),
            ("pending_active_hc", Healthy, true),
            ("excluded_via_immediate_hc_fail", Healthy, true),
            ("active_hc_timeout", Healthy, false),
            ("eds_status_draining", Unhealthy, true),
        ] {
            let health = strict(&format!("/{name}")).unwrap();
            assert_eq!(
                (health.coarse(), health.excluded()),
                (class, excluded),
                "{name}"
            );
        }
        let health = strict("/failed_active_hc/degraded_eds_health/active_hc_timeout").unwrap();
        assert_eq!(health.status, HealthStatus::Degraded);
        assert_eq!(health.coarse(), CoarseHealth::Unhealthy);
        for drains in [
            "/eds_status_draining/failed_eds_health",
            "/failed_eds_health/eds_status_draining",
        ] {
            assert!(strict(drains).unwrap().excluded());
        }
    }

    #[test]
    fn unknown_flags_are_reported() {
        assert_eq!(
            strict("healthy").unwrap().coarse(),
            spillgate_core::model::CoarseHealth::Healthy
        );
        for (text, fault) in [
            ("", ""),
            ("/", ""),
            ("Healthy", "Healthy"),
            ("/failed_active_hc/broken", "broken"),
            ("failed_active_hc", "failed_active_hc"),
        ] {
            assert_eq!(strict(text), Err(fault), "{text:?}");
        }
    }
}
