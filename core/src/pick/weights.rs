//! Host weights as parts of one, for hash tables.

use alloc::vec::Vec;

/// A host of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedHost {
    /// Its index in the priority.
    pub host: usize,
    /// Its part of the whole, above 0 and at most 1.
    pub weight: f64,
}

/// The hosts of a table with their parts, in table order.
///
/// Same operations in the same order as Envoy's `normalizeHostWeights` and
/// `normalizeLocalityWeights`: the last bit of a quotient can move a table entry.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalizedWeights {
    /// The hosts.
    pub hosts: Vec<WeightedHost>,
    /// The smallest part; 1.0 when there is no host.
    pub min: f64,
    /// The largest part; 0.0 when there is no host.
    pub max: f64,
}

impl NormalizedWeights {
    /// Hosts by their own weights.
    pub fn flat(hosts: impl IntoIterator<Item = (usize, u32)> + Clone) -> Self {
        let mut weights = Self::empty();
        let sum = sum_of(hosts.clone());
        for (host, weight) in hosts {
            weights.push(host, f64::from(weight) / sum);
        }
        weights
    }

    /// Hosts by the weight of their locality first, then by their own within it. A locality
    /// without weight gets nothing; one without hosts keeps its part, which is lost.
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
            if locality_weight == 0 {
                continue;
            }
            let part = f64::from(locality_weight) / sum as f64;
            let host_sum = sum_of(hosts.clone());
            for (host, weight) in hosts {
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
