//! How a leaf cluster picks among the hosts of a priority.

use spillgate_core::model::{HashFunction, Policy, RingHashConfig};

/// The policy of a leaf cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafPolicy {
    /// Whether localities share the requests by weight (`wrr_locality`); otherwise the policy picks
    /// among all hosts of the priority. `lb_policy: ROUND_ROBIN` implies it. In
    /// `load_balancing_policy`, it must be stated (A52).
    pub by_locality: bool,
    /// How it picks a host.
    pub picking: HostPicking,
}

/// How hosts share requests: in a locality, or in the whole priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostPicking {
    /// `round_robin`: equal shares; host weights are ignored.
    RoundRobin,
    /// `weighted_round_robin`: by the weights that hosts report (A58).
    WeightedRoundRobin,
    /// `pick_first`: one host gets everything.
    PickFirst {
        /// Whether that is a random one (`shuffle_address_list`): shares are the average over clients.
        shuffles: bool,
    },
    /// `ring_hash`: by locality weight times host weight (A42).
    RingHash(RingHashConfig),
}

/// The error of gRPC for a value of `lb_policy` that it does not support.
pub const UNSUPPORTED: &str = "LB policy is not supported";

impl LeafPolicy {
    /// `ROUND_ROBIN`, the default.
    pub const ROUND_ROBIN: Self = Self {
        by_locality: true,
        picking: HostPicking::RoundRobin,
    };

    /// The policy of `lb_policy`.
    ///
    /// # Errors
    /// The field of the cluster that gRPC rejects, and its error.
    pub const fn of_lb_policy(policy: &Policy) -> Result<Self, (&'static str, &'static str)> {
        match policy {
            Policy::RoundRobin => Ok(Self::ROUND_ROBIN),
            Policy::RingHash(ring) if matches!(ring.hash_function(), HashFunction::XxHash) => {
                Ok(Self {
                    by_locality: false,
                    picking: HostPicking::RingHash(*ring),
                })
            }
            Policy::RingHash(_) => {
                Err(("ring_hash_lb_config.hash_function", "invalid hash function"))
            }
            // No value of lb_policy names it.
            Policy::ClientSideWeightedRoundRobin => Ok(Self {
                by_locality: false,
                picking: HostPicking::WeightedRoundRobin,
            }),
            Policy::LeastRequest(_) | Policy::Random | Policy::Maglev(_) | Policy::Rendezvous => {
                Err(("lb_policy", UNSUPPORTED))
            }
        }
    }

    /// Its name, after the names of gRPC's policies.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match (self.by_locality, self.picking) {
            (true, HostPicking::RoundRobin) => "wrr_locality: round_robin",
            (true, HostPicking::WeightedRoundRobin) => "wrr_locality: weighted_round_robin",
            (true, HostPicking::PickFirst { .. }) => "wrr_locality: pick_first",
            (true, HostPicking::RingHash(_)) => "wrr_locality: ring_hash",
            (false, HostPicking::RoundRobin) => "round_robin",
            (false, HostPicking::WeightedRoundRobin) => "weighted_round_robin",
            (false, HostPicking::PickFirst { .. }) => "pick_first",
            (false, HostPicking::RingHash(_)) => "ring_hash",
        }
    }
}
