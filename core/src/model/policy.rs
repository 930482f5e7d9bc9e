//! How a host is chosen within a priority, with Envoy's limits on each setting.

use super::LeastRequestConfig;

/// Envoy's default smallest ring (`RingHash.minimum_ring_size`).
pub const DEFAULT_MINIMUM_RING_SIZE: u64 = 1024;
/// Envoy's default largest ring (`RingHash.maximum_ring_size`).
pub const DEFAULT_MAXIMUM_RING_SIZE: u64 = 8 * 1024 * 1024;
/// The largest value that Envoy's validation lets a ring size have.
pub const MAXIMUM_RING_SIZE: u64 = 8 * 1024 * 1024;
/// Envoy's default maglev table (`Maglev.table_size`), a prime.
pub const DEFAULT_MAGLEV_TABLE_SIZE: u32 = 65_537;
/// The largest table that Envoy's validation lets through.
pub const MAXIMUM_MAGLEV_TABLE_SIZE: u32 = 5_000_011;

/// A load balancing policy.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Policy {
    /// Each host in turn, weighted.
    #[default]
    RoundRobin,
    /// The host with the fewest active requests of a few.
    LeastRequest(LeastRequestConfig),
    /// Each host in turn, weighted by what the hosts report of their load.
    ClientSideWeightedRoundRobin,
    /// A host at random; weights are ignored, as in Envoy.
    Random,
    /// Ketama ring.
    RingHash(RingHashConfig),
    /// Maglev table.
    Maglev(MaglevConfig),
    /// Weighted rendezvous hashing: the least moves when hosts come and go. Ours, not Envoy's.
    Rendezvous,
}

impl Policy {
    /// The name in `Cluster.lb_policy`, or one in its manner where there is none.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin => "ROUND_ROBIN",
            Self::LeastRequest(_) => "LEAST_REQUEST",
            Self::ClientSideWeightedRoundRobin => "CLIENT_SIDE_WEIGHTED_ROUND_ROBIN",
            Self::Random => "RANDOM",
            Self::RingHash(_) => "RING_HASH",
            Self::Maglev(_) => "MAGLEV",
            Self::Rendezvous => "RENDEZVOUS",
        }
    }

    /// Whether the request hash chooses the host.
    #[must_use]
    pub const fn hashes(&self) -> bool {
        matches!(self, Self::RingHash(_) | Self::Maglev(_) | Self::Rendezvous)
    }
}

/// The hash of ring entries (`RingHash.hash_function`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HashFunction {
    /// XXH64, the default.
    #[default]
    XxHash,
    /// MurmurHash64A, compatible with libstdc++.
    MurmurHash2,
}

/// Settings of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingHashConfig {
    minimum_ring_size: u64,
    maximum_ring_size: u64,
    hash_function: HashFunction,
}

/// Why ring settings are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingHashError {
    /// The smallest size is above the largest.
    MinimumAboveMaximum,
    /// A size is above [`MAXIMUM_RING_SIZE`].
    TooLarge,
}

impl RingHashConfig {
    /// Checks the bounds that Envoy checks when it loads a cluster.
    ///
    /// # Errors
    /// When the smallest size is above the largest, or either above [`MAXIMUM_RING_SIZE`].
    pub const fn new(
        minimum_ring_size: u64,
        maximum_ring_size: u64,
        hash_function: HashFunction,
    ) -> Result<Self, RingHashError> {
        if minimum_ring_size > MAXIMUM_RING_SIZE || maximum_ring_size > MAXIMUM_RING_SIZE {
            return Err(RingHashError::TooLarge);
        }
        if minimum_ring_size > maximum_ring_size {
            return Err(RingHashError::MinimumAboveMaximum);
        }
        Ok(Self {
            minimum_ring_size,
            maximum_ring_size,
            hash_function,
        })
    }

    /// The smallest number of entries.
    #[must_use]
    pub const fn minimum_ring_size(&self) -> u64 {
        self.minimum_ring_size
    }

    /// The largest number of entries.
    #[must_use]
    pub const fn maximum_ring_size(&self) -> u64 {
        self.maximum_ring_size
    }

    /// The hash of the entries.
    #[must_use]
    pub const fn hash_function(&self) -> HashFunction {
        self.hash_function
    }
}

impl Default for RingHashConfig {
    fn default() -> Self {
        Self {
            minimum_ring_size: DEFAULT_MINIMUM_RING_SIZE,
            maximum_ring_size: DEFAULT_MAXIMUM_RING_SIZE,
            hash_function: HashFunction::XxHash,
        }
    }
}

/// Settings of a maglev table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaglevConfig {
    table_size: u32,
}

/// Why a maglev table size is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaglevError {
    /// Not a prime number.
    NotPrime,
    /// Above [`MAXIMUM_MAGLEV_TABLE_SIZE`].
    TooLarge,
}

impl MaglevConfig {
    /// Checks the bounds that Envoy checks when it loads a cluster.
    ///
    /// # Errors
    /// When the size is not prime or above [`MAXIMUM_MAGLEV_TABLE_SIZE`].
    pub const fn new(table_size: u64) -> Result<Self, MaglevError> {
        if table_size > MAXIMUM_MAGLEV_TABLE_SIZE as u64 {
            return Err(MaglevError::TooLarge);
        }
        if !is_prime(table_size) {
            return Err(MaglevError::NotPrime);
        }
        Ok(Self {
            table_size: table_size as u32,
        })
    }

    /// The number of slots, a prime.
    #[must_use]
    pub const fn table_size(&self) -> u32 {
        self.table_size
    }
}

impl Default for MaglevConfig {
    fn default() -> Self {
        Self {
            table_size: DEFAULT_MAGLEV_TABLE_SIZE,
        }
    }
}

/// Trial division; the table limit keeps it below 2,240 steps.
const fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    let mut divisor = 2;
    while divisor * divisor <= n {
        if n.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maglev_sizes_are_prime_and_bounded() {
        assert!(MaglevConfig::new(65_537).is_ok());
        assert!(MaglevConfig::new(5_000_011).is_ok());
        for size in [0, 1, 4, 65_536, 65_539 * 3] {
            assert_eq!(
                MaglevConfig::new(size),
                Err(MaglevError::NotPrime),
                "{size}"
            );
        }
        assert_eq!(MaglevConfig::new(5_000_077), Err(MaglevError::TooLarge));
    }

    #[test]
    fn ring_sizes_are_ordered_and_bounded() {
        let new = |min, max| RingHashConfig::new(min, max, HashFunction::XxHash);
        assert!(new(1024, 1024).is_ok());
        assert_eq!(new(1025, 1024), Err(RingHashError::MinimumAboveMaximum));
        assert_eq!(new(1, MAXIMUM_RING_SIZE + 1), Err(RingHashError::TooLarge));
    }
}
