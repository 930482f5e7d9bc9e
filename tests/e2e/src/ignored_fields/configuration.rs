//! Random configurations.

use serde_json::{Value, json};

/// A random number for each place of a sequence, the same for the same seed (SplitMix64).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    /// The next number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// Gives hosts and localities other weights, and hosts another health.
pub(super) fn vary(configuration: &mut Value, numbers: &mut Numbers) {
    let clusters = &mut configuration["static_resources"]["clusters"];
    for cluster in clusters.as_array_mut().into_iter().flatten() {
        let Some(assignment) = cluster.get_mut("load_assignment") else {
            continue;
        };
        for locality in assignment["endpoints"].as_array_mut().into_iter().flatten() {
            locality["load_balancing_weight"] = json!(1 + numbers.below(4));
            for host in locality["lb_endpoints"]
                .as_array_mut()
                .into_iter()
                .flatten()
            {
                host["load_balancing_weight"] = json!(1 + numbers.below(5));
                host["health_status"] = json!(match numbers.below(8) {
                    0 => "UNHEALTHY",
                    1 => "DEGRADED",
                    _ => "HEALTHY",
                });
            }
        }
    }
}
