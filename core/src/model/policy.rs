//! Load-balancing policies with Envoy's limits on each setting.
//!
//! | policy | Envoy's choice |
//! |---|---|
//! | [`RoundRobin`](Policy::RoundRobin) | hosts in turn; by weight with an EDF scheduler |
//! | [`LeastRequest`](Policy::LeastRequest) | the least loaded of a few random hosts |
//! | [`Random`](Policy::Random) | a random host; host weights are ignored |
//! | [`RingHash`](Policy::RingHash) | the host at the request hash on a ketama ring |
//! | [`Maglev`](Policy::Maglev) | the host at the request hash in a Maglev table |

use super::LeastRequestConfig;

/// Envoy's default minimum ring size, in entries (`RingHash.minimum_ring_size`).
pub const DEFAULT_MINIMUM_RING_SIZE: u64 = 1024;
/// Envoy's default maximum ring size, in entries (`RingHash.maximum_ring_size`).
pub const DEFAULT_MAXIMUM_RING_SIZE: u64 = 8_388_608;
/// The largest ring size that Envoy accepts, in entries.
pub const MAXIMUM_RING_SIZE: u64 = 8_388_608;
/// Envoy's default Maglev table size, in slots (`Maglev.table_size`), a prime number.
pub const DEFAULT_MAGLEV_TABLE_SIZE: u32 = 65_537;
/// The largest Maglev table size that Envoy accepts, in slots.
pub const MAXIMUM_MAGLEV_TABLE_SIZE: u32 = 5_000_011;

/// A load-balancing policy (`Cluster.lb_policy`, or the policy in `load_balancing_policy`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Policy {
    /// `ROUND_ROBIN`: hosts in turn, weighted.
    #[default]
    RoundRobin,
    /// `LEAST_REQUEST`: the host with the fewest active requests among a few.
    LeastRequest(LeastRequestConfig),
    /// `client_side_weighted_round_robin`: hosts in turn, weighted by their load reports.
    ClientSideWeightedRoundRobin,
    /// `RANDOM`: a random host. As in Envoy, host weights are ignored.
    Random,
    /// `RING_HASH`: a ketama ring.
    RingHash(RingHashConfig),
    /// `MAGLEV`: a Maglev table.
    Maglev(MaglevConfig),
    /// Weighted rendezvous hashing, an extension of Spillgate. When a host is added or removed,
    /// only the keys of that host move.
    Rendezvous,
}

impl Policy {
    /// The name in `Cluster.lb_policy`, or a name of the same style for policies without one.
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

/// The hash function of ring entries (`RingHash.hash_function`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HashFunction {
    /// `XX_HASH`: XXH64, the default.
    #[default]
    XxHash,
    /// `MURMUR_HASH_2`: MurmurHash64A, compatible with libstdc++.
    MurmurHash2,
}

/// Ring settings (`envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingHashConfig {
    minimum_ring_size: u64,
    maximum_ring_size: u64,
    hash_function: HashFunction,
}

/// Why ring settings are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingHashError {
    /// The minimum size exceeds the maximum size.
    MinimumAboveMaximum,
    /// A size exceeds [`MAXIMUM_RING_SIZE`].
    TooLarge,
}

impl RingHashConfig {
    /// Checks the limits that Envoy checks when it loads a cluster. Sizes are numbers of entries.
    ///
    /// # Errors
    /// [`RingHashError::TooLarge`] if a size exceeds [`MAXIMUM_RING_SIZE`];
    /// [`RingHashError::MinimumAboveMaximum`] if the minimum exceeds the maximum.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{HashFunction, RingHashConfig, RingHashError};
    ///
    /// let config = RingHashConfig::new(1024, 4096, HashFunction::XxHash).unwrap();
    /// assert_eq!(config.minimum_ring_size(), 1024);
    /// let error = RingHashConfig::new(2, 1, HashFunction::XxHash);
    /// assert_eq!(error, Err(RingHashError::MinimumAboveMaximum));
    /// ```
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

    /// The minimum number of entries, at most [`MAXIMUM_RING_SIZE`].
    #[must_use]
    pub const fn minimum_ring_size(&self) -> u64 {
        self.minimum_ring_size
    }

    /// The maximum number of entries, at most [`MAXIMUM_RING_SIZE`].
    #[must_use]
    pub const fn maximum_ring_size(&self) -> u64 {
        self.maximum_ring_size
    }

    /// The hash function of the entries.
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

/// Maglev settings (`envoy.extensions.load_balancing_policies.maglev.v3.Maglev`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaglevConfig {
    table_size: u32,
}

/// Why a Maglev table size is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaglevError {
    /// The size is not a prime number.
    NotPrime,
    /// The size exceeds [`MAXIMUM_MAGLEV_TABLE_SIZE`].
    TooLarge,
}

impl MaglevConfig {
    /// Checks the limits that Envoy checks when it loads a cluster. The size is a number of slots.
    ///
    /// # Errors
    /// [`MaglevError::TooLarge`] if the size exceeds [`MAXIMUM_MAGLEV_TABLE_SIZE`];
    /// [`MaglevError::NotPrime`] if it is not a prime number.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{MaglevConfig, MaglevError};
    ///
    /// assert_eq!(MaglevConfig::new(65_537).unwrap().table_size(), 65_537);
    /// assert_eq!(MaglevConfig::new(65_536), Err(MaglevError::NotPrime));
    /// ```
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

    /// The number of slots, a prime number.
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

/// Trial division; the limit on table sizes bounds it to 2,240 steps.
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
