//! Why a share under gRPC's rules differs from the one under Envoy's.

/// A rule in which the two differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceReason {
    /// gRPC rejects the configuration.
    Rejected,
    /// The shares of gRPC are not known.
    NotKnown,
    /// How requests spread over priorities.
    Spillover,
    /// Panic mode.
    Panic,
    /// Degraded hosts.
    Degraded,
    /// Subsets.
    Subset,
    /// Localities without a weight.
    UnweightedLocality,
    /// Health that only Envoy has.
    OwnHealth,
    /// Aggregates inside an aggregate.
    Flattened,
    /// Dropped requests.
    Drops,
    /// Zone-aware routing.
    ZoneAware,
    /// The use of locality weights.
    LocalityWeights,
    /// The health of localities.
    LocalityHealth,
    /// Host weights.
    HostWeights,
    /// Slow start.
    SlowStart,
    /// The ring.
    Ring,
    /// One host gets all requests.
    PickFirst,
    /// The policy of picking hosts.
    Policy,
}

impl DifferenceReason {
    /// The name in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rejected => "rejected",
            Self::NotKnown => "not-known",
            Self::Spillover => "spillover",
            Self::Panic => "panic",
            Self::Degraded => "degraded",
            Self::Subset => "subset",
            Self::UnweightedLocality => "unweighted-locality",
            Self::OwnHealth => "own-health",
            Self::Flattened => "flattened",
            Self::Drops => "drops",
            Self::ZoneAware => "zone-aware",
            Self::LocalityWeights => "locality-weights",
            Self::LocalityHealth => "locality-health",
            Self::HostWeights => "host-weights",
            Self::SlowStart => "slow-start",
            Self::Ring => "ring",
            Self::PickFirst => "pick-first",
            Self::Policy => "policy",
        }
    }

    /// The rule.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rejected => {
                "gRPC rejects the configuration (NACK), so it has no hosts for the cluster"
            }
            Self::NotKnown => "the shares of gRPC are not known",
            Self::Spillover => {
                "Envoy spreads requests over priorities by availability (overprovisioning factor); gRPC sends \
                 all to the first priority with a usable host"
            }
            Self::Panic => {
                "Envoy in panic mode uses hosts whatever their health; gRPC has no panic mode and uses only \
                 HEALTHY and UNKNOWN hosts"
            }
            Self::Degraded => {
                "Envoy uses degraded hosts if healthy ones do not suffice; gRPC never does"
            }
            Self::Subset => {
                "Envoy chooses among the hosts of a subset; gRPC ignores lb_subset_config"
            }
            Self::UnweightedLocality => "gRPC skips localities without load_balancing_weight (A27)",
            Self::OwnHealth => {
                "health that only Envoy has: health checks, outlier detection, or removed hosts that it keeps"
            }
            Self::Flattened => {
                "gRPC replaces aggregates inside an aggregate by their leaves; Envoy skips them"
            }
            Self::Drops => {
                "gRPC drops requests by the drop_overloads of the serving leaf; Envoy by those of the route's cluster"
            }
            Self::ZoneAware => {
                "Envoy prefers its own zone (zone-aware routing); gRPC does not know zones"
            }
            Self::LocalityWeights => {
                "the two use locality weights differently: Envoy with locality_weighted_lb_config, gRPC with \
                 lb_policy or wrr_locality"
            }
            Self::LocalityHealth => {
                "Envoy scales locality weights by the health of the locality; gRPC uses them while one host is usable"
            }
            Self::HostWeights => "Envoy uses host weights; gRPC's round_robin ignores them",
            Self::SlowStart => "Envoy gives new hosts less (slow start); gRPC has no slow start",
            Self::Ring => {
                "gRPC's ring has at most 4,096 entries per size limit, weighs hosts by locality weight times \
                 host weight, and ignores hash keys in metadata"
            }
            Self::PickFirst => "gRPC's pick_first sends all requests to one host",
            Self::Policy => "the two pick hosts by different policies",
        }
    }
}
