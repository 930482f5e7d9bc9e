//! Normalized host weights for hash tables.

use alloc::vec::Vec;

/// A host of a hash table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedHost {
    /// The index of the host in the priority.
    pub host: usize,
    /// The normalized weight, above 0 and at most 1.
    pub weight: f64,
}

/// The hosts of a hash table with normalized weights, in table order.
///
/// The operations have the order of Envoy's `normalizeHostWeights` and `normalizeLocalityWeights`,
/// because the last bit of a quotient can move a table entry.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalizedWeights {
    /// The hosts.
    pub hosts: Vec<WeightedHost>,
    /// The smallest weight; 1.0 without hosts.
    pub min: f64,
    /// The largest weight; 0.0 without hosts.
    pub max: f64,
}

impl NormalizedWeights {
    /// Normalizes host weights: `weight / sum`.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::pick::NormalizedWeights;
    ///
    /// let weights = NormalizedWeights::flat([(0, 1), (1, 3)]);
    /// assert_eq!(weights.hosts[1].weight, 0.75);
    /// assert_eq!((weights.min, weights.max), (0.25, 0.75));
    /// ```
    pub fn flat(hosts: impl IntoIterator<Item = (usize, u32)> + Clone) -> Self {
        let mut weights = Self::empty();
        let sum = sum_of(hosts.clone());
        for (host, weight) in hosts {
            weights.push(host, f64::from(weight) / sum);
        }
        weights
    }

    /// Normalizes locality weights, then host weights within each locality. Localities without
    /// weight are omitted. The share of a locality without hosts is lost.
    pub fn by_locality<H>(localities: impl IntoIterator<Item = (u32, H)> + Clone) -> Self
    where
        H: IntoIterator<Item = (usize, u32)> + Clone,
    {
        let mut weights = Self::empty();
        let sum: u64 = localities
            .clone()
            .into_iter()
            .map(|(weight, _)| u64::from(weight))
            .sum();
        if sum == 0 {
            return weights;
        }
        for (locality_weight, hosts) in localities {
            // Hosts of such a locality get no entries, which differs from a small weight.
            if locality_weight == 0 {
                continue;
            }
            let part = f64::from(locality_weight) / sum as f64;
            let host_sum = sum_of(hosts.clone());
            for (host, weight) in hosts {
                // Multiplied first, then divided (`normalizeHostWeights`).
                weights.push(host, f64::from(weight) * part / host_sum);
            }
        }
        weights
    }

    const fn empty() -> Self {
        Self {
            hosts: Vec::new(),
            min: 1.0,
            max: 0.0,
        }
    }

    fn push(&mut self, host: usize, weight: f64) {
        self.min = self.min.min(weight);
        self.max = self.max.max(weight);
        self.hosts.push(WeightedHost { host, weight });
    }
}

fn sum_of(hosts: impl IntoIterator<Item = (usize, u32)>) -> f64 {
    let sum: u64 = hosts.into_iter().map(|(_, weight)| u64::from(weight)).sum();
    sum as f64
}
