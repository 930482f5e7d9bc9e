//! From a hash to a priority.

/// Which hosts of a priority a request goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostClass {
    /// The healthy ones.
    Healthy,
    /// The degraded ones.
    Degraded,
}

/// Walks the healthy loads, then the degraded ones, up to `hash % 100 + 1`.
///
/// Loads that do not reach 100 leave the rest to the healthy hosts of priority 0.
#[must_use]
pub fn choose_priority(hash: u64, healthy: &[u32], degraded: &[u32]) -> (usize, HostClass) {
    // Mostly the first priority takes all.
    if healthy.first().is_some_and(|&load| load >= 100) {
        return (0, HostClass::Healthy);
    }
    let target = hash % 100 + 1;
    let mut sum = 0_u64;
    for (loads, class) in [
        (healthy, HostClass::Healthy),
        (degraded, HostClass::Degraded),
    ] {
        for (priority, &load) in loads.iter().enumerate() {
            sum += u64::from(load);
            if target <= sum {
                return (priority, class);
            }
        }
    }
    (0, HostClass::Healthy)
}
