//! The choice of a priority from a hash (`LoadBalancerBase::choosePriority`).

/// The class of hosts that a load is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostClass {
    /// Healthy hosts.
    Healthy,
    /// Degraded hosts.
    Degraded,
}

/// Chooses a priority: the first whose cumulative load reaches `hash % 100 + 1`. The healthy loads
/// of all priorities come first, then the degraded loads.
///
/// Hash policies pass the request hash, other policies a random number. If the loads do not reach
/// 100, the remaining hashes go to the healthy hosts of P0.
///
/// # Examples
/// ```
/// use spillgate_core::load::{HostClass, choose_priority};
///
/// let (healthy, degraded) = ([70, 20], [0, 10]);
/// assert_eq!(choose_priority(69, &healthy, &degraded), (0, HostClass::Healthy));
/// assert_eq!(choose_priority(70, &healthy, &degraded), (1, HostClass::Healthy));
/// assert_eq!(choose_priority(190, &healthy, &degraded), (1, HostClass::Degraded));
/// ```
#[must_use]
pub fn choose_priority(hash: u64, healthy: &[u32], degraded: &[u32]) -> (usize, HostClass) {
    // Fast path: in most clusters the first priority has all the load.
    if healthy.first().is_some_and(|&load| load >= 100) {
        return (0, HostClass::Healthy);
    }
    // From 1 to 100, so that a priority with a load of 0 is never reached.
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
    // Loads sum to 100. Envoy has the same result after them, as a bug that it logs.
    (0, HostClass::Healthy)
}
