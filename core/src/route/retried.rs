//! The cluster of a retry: that of the first attempt, or with `refresh_cluster_on_retry` a weighted
//! cluster that the request has not tried.

use alloc::{vec, vec::Vec};

use super::{Destination, Headers, Routed, WeightedClusters};
use crate::{order, pick::gcd};

/// The most numbers that are tried one by one, so that dependent choices are exact.
const MOST_NUMBERS: u64 = 1 << 20;

impl<'r, H: Headers> Routed<'r, H> {
    /// The clusters that attempt number `attempt` may go to, with their probabilities, which sum to
    /// 1; empty if the earlier attempts are impossible.
    ///
    /// `fit` returns the probability that an earlier attempt (0 is the first) has the result that is
    /// known of it, if it went to this cluster; 1 if nothing is known.
    ///
    /// Envoy chooses the cluster once for each request. With `refresh_cluster_on_retry`, each retry
    /// uses the same number again, over the weighted clusters that the request has not tried; after
    /// all of them it starts again. The choices depend on each other through that number, which is
    /// exact unless the weights have more than 1,048,576 different remainders: they then count as
    /// independent.
    pub fn destinations_at(
        &self,
        attempt: u32,
        mut fit: impl FnMut(&Destination<'r>, u32) -> f64,
    ) -> Vec<(Destination<'r>, f64)> {
        let refreshed = self.refreshed_clusters().filter(|_| attempt > 0);
        let Some(clusters) = refreshed else {
            let parts = self.destinations_asked_again().into_iter().map(|to| {
                let known: f64 = (0..attempt).map(|earlier| fit(&to, earlier)).product();
                let part = to.share * known;
                (to, part)
            });
            return scaled(parts.collect());
        };
        if clusters.has_later() {
            return scaled(self.grouped(clusters, attempt, fit));
        }
        let entries = clusters.clusters();
        let destinations: Vec<_> = entries.iter().map(|one| self.weighted(one, 1.0)).collect();
        let of_attempt = |earlier| destinations.iter().map(|to| fit(to, earlier)).collect();
        let chain = Refreshed {
            weights: entries.iter().map(|one| u64::from(one.weight)).collect(),
            fits: (0..attempt).map(of_attempt).collect(),
        };
        let parts = chain.parts(self.number_of(clusters));
        scaled(destinations.into_iter().zip(parts).collect())
    }
}

impl<'r, H: Headers> Routed<'r, H> {
    /// The parts of the clusters of attempt number `attempt` where each attempt has its own weighted
    /// clusters. The same number chooses in all of them, modulo their weights.
    fn grouped(
        &self,
        clusters: &'r WeightedClusters,
        attempt: u32,
        mut fit: impl FnMut(&Destination<'r>, u32) -> f64,
    ) -> Vec<(Destination<'r>, f64)> {
        let groups: Vec<&WeightedClusters> =
            (0..=attempt).map(|at| clusters.of_attempt(at)).collect();
        let fits: Vec<Vec<f64>> = groups
            .iter()
            .zip(0..attempt)
            .map(|(group, at)| {
                let ranges = group.ranges().map(|(_, one)| self.weighted(one, 1.0));
                ranges.map(|to| fit(&to, at)).collect()
            })
            .collect();
        let last = clusters.of_attempt(attempt);
        let mut parts: Vec<(Destination<'r>, f64)> = last
            .ranges()
            .map(|(_, one)| (self.weighted(one, 1.0), 0.0))
            .collect();
        let numbers = match self.number_of(clusters) {
            Some(number) => number..number.saturating_add(1),
            None => 0..period(groups.iter().map(|group| u64::from(group.total()))),
        };
        let at = |group: &WeightedClusters, number: u64| {
            let rest = number.checked_rem(group.total().into())?;
            group.ranges().position(|(range, _)| range.contains(&rest))
        };
        for number in numbers {
            let known = fits.iter().zip(&groups).map(|(fits, group)| {
                let fit = at(group, number).and_then(|at| fits.get(at));
                fit.copied().unwrap_or(0.0)
            });
            let known: f64 = known.product();
            if let Some((_, part)) = at(last, number).and_then(|at| parts.get_mut(at)) {
                *part += known;
            }
        }
        parts
    }
}

/// A number after which the choices with these total weights repeat, or the most that are tried.
fn period(totals: impl Iterator<Item = u64>) -> u64 {
    totals.fold(1, |period, total| {
        let repeats = (period / gcd(period, total).max(1)).saturating_mul(total);
        repeats.clamp(1, MOST_NUMBERS)
    })
}

/// Without the impossible clusters, with a sum of 1.
fn scaled<D>(mut parts: Vec<(D, f64)>) -> Vec<(D, f64)> {
    parts.retain(|(_, part)| *part > 0.0);
    let sum: f64 = parts.iter().map(|(_, part)| part).sum();
    for (_, part) in &mut parts {
        *part /= sum;
    }
    parts
}

/// The choices of a request that refreshes its weighted cluster.
pub(super) struct Refreshed {
    pub(super) weights: Vec<u64>,
    /// By attempt, then by cluster: how likely the known result of the attempt is.
    pub(super) fits: Vec<Vec<f64>>,
}

/// The clusters that a request has tried, and the last of them.
#[derive(Clone)]
struct TriedClusters {
    tried: Vec<bool>,
    last: Option<usize>,
}

impl Refreshed {
    /// The relative probability of each cluster at the attempt after the known ones. `number` chooses
    /// if it is known.
    pub(super) fn parts(mut self, number: Option<u64>) -> Vec<f64> {
        let mut parts = vec![0.0; self.weights.len()];
        let numbers = match number {
            Some(number) => number..number.saturating_add(1),
            None => {
                // Only the quotient by the common divisor of all weights matters.
                let unit = self.weights.iter().copied().fold(0, gcd).max(1);
                self.weights.iter_mut().for_each(|weight| *weight /= unit);
                match self.period() {
                    Some(period) => 0..period,
                    None => {
                        self.independent(&self.untried(), 1.0, 0, &mut parts);
                        return parts;
                    }
                }
            }
        };
        for number in numbers {
            let (mut so_far, mut likely) = (self.untried(), 1.0);
            for known in &self.fits {
                let at = so_far.choose(&self.weights, number);
                likely *= at.and_then(|at| known.get(at)).copied().unwrap_or(0.0);
            }
            let at = so_far.choose(&self.weights, number);
            if let Some(part) = at.and_then(|at| parts.get_mut(at)) {
                *part += likely;
            }
        }
        parts
    }

    fn untried(&self) -> TriedClusters {
        TriedClusters {
            tried: vec![false; self.weights.len()],
            last: None,
        }
    }

    /// A number after which all choices repeat: a multiple of the sums of the weights that can be
    /// left; `None` if it is too large.
    fn period(&self) -> Option<u64> {
        let mut sums = vec![self.weights.iter().sum::<u64>()];
        let mut all = sums.clone();
        for _ in 0..self.fits.len().min(self.weights.len()) {
            let mut left: Vec<u64> = Vec::new();
            for sum in &sums {
                let less = self
                    .weights
                    .iter()
                    .filter_map(|weight| sum.checked_sub(*weight));
                left.extend(less);
            }
            left = order::sorted(left, u64::cmp);
            left.dedup();
            all.extend(&left);
            if all.len() as u64 > MOST_NUMBERS {
                return None;
            }
            sums = left;
        }
        let mut period = 1_u64;
        for sum in all.into_iter().filter(|&sum| sum > 0) {
            period = (period / gcd(period, sum)).checked_mul(sum)?;
            if period > MOST_NUMBERS {
                return None;
            }
        }
        Some(period)
    }

    /// Adds the probabilities of independent choices after `so_far`.
    fn independent(&self, so_far: &TriedClusters, part: f64, attempt: usize, parts: &mut [f64]) {
        if part <= 0.0 {
            return;
        }
        for (at, chance) in so_far.chances(&self.weights).into_iter().enumerate() {
            match self.fits.get(attempt) {
                None => {
                    if let Some(sum) = parts.get_mut(at) {
                        *sum += part * chance;
                    }
                }
                Some(known) => {
                    let likely = known.get(at).copied().unwrap_or(0.0);
                    let mut next = so_far.clone();
                    next.take(at);
                    self.independent(&next, part * chance * likely, attempt + 1, parts);
                }
            }
        }
    }
}

impl TriedClusters {
    /// The clusters of the next choice: those that were not tried, or all of them.
    fn left(&self) -> Self {
        if self.tried.iter().all(|&tried| tried) {
            Self {
                tried: vec![false; self.tried.len()],
                last: self.last,
            }
        } else {
            self.clone()
        }
    }

    /// The weights that the next choice may use, and their sum.
    fn weights<'w>(&self, weights: &'w [u64]) -> (impl Iterator<Item = u64> + use<'w>, u64) {
        let tried = self.left().tried;
        let left = weights.iter().zip(tried.clone());
        let sum = left
            .filter(|(_, tried)| !tried)
            .map(|(&weight, _)| weight)
            .sum();
        let each = weights.iter().zip(tried);
        (
            each.map(|(&weight, tried)| if tried { 0 } else { weight }),
            sum,
        )
    }

    /// The choice of a number. Without a weight among the clusters that are left, the last one stays.
    fn choose(&mut self, weights: &[u64], number: u64) -> Option<usize> {
        let (mut each, sum) = self.weights(weights);
        let Some(mut rest) = number.checked_rem(sum) else {
            return self.last;
        };
        let at = each.position(|weight| {
            let here = rest < weight;
            rest = rest.saturating_sub(weight);
            here
        })?;
        self.take(at);
        Some(at)
    }

    /// The probability of each cluster for an independent number.
    fn chances(&self, weights: &[u64]) -> Vec<f64> {
        let (each, sum) = self.weights(weights);
        match sum {
            0 => (0..weights.len())
                .map(|at| f64::from(u8::from(self.last == Some(at))))
                .collect(),
            _ => each.map(|weight| weight as f64 / sum as f64).collect(),
        }
    }

    fn take(&mut self, at: usize) {
        *self = Self {
            last: Some(at),
            ..self.left()
        };
        if let Some(tried) = self.tried.get_mut(at) {
            *tried = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probabilities of the attempt after these clusters.
    fn after(weights: &[u64], tried: &[usize], number: Option<u64>) -> Vec<f64> {
        let count = weights.len();
        let known = |at: &usize| {
            let at = *at;
            (0..count).map(move |one| f64::from(u8::from(one == at)))
        };
        let chain = Refreshed {
            weights: weights.to_vec(),
            fits: tried.iter().map(|at| known(at).collect()).collect(),
        };
        let parts = chain.parts(number).into_iter().enumerate();
        let mut all = vec![0.0; weights.len()];
        for (at, part) in scaled(parts.collect()) {
            all[at] = part;
        }
        all
    }

    fn near(found: &[f64], expected: &[f64]) -> bool {
        found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-9)
    }

    /// Envoy 1.40.0, three clusters without a live host, weights 1, 2 and 5, 2,000 requests: after b,
    /// a follows in 17.5 %; after c, a in 32.5 % and b in 67.5 %. The sequence repeats after three.
    #[test]
    fn a_refreshed_cluster_depends_on_the_number_of_the_first_choice() {
        let weights = [1, 2, 5];
        assert!(near(
            &after(&weights, &[1], None),
            &[1.0 / 6.0, 0.0, 5.0 / 6.0]
        ));
        assert!(near(
            &after(&weights, &[2], None),
            &[1.0 / 3.0, 2.0 / 3.0, 0.0]
        ));
        assert_eq!(after(&weights, &[1, 2, 0], None), [0.0, 1.0, 0.0]);
        // An independent choice would give 2 / 7 and 5 / 7.
        assert!(near(&after(&[2, 3, 3], &[1], None), &[0.4, 0.0, 0.6]));
    }

    #[test]
    fn multiples_of_weights_have_the_same_choices() {
        let scaled = [1, 2, 5].map(|weight| weight * 400_000_000);
        assert!(near(
            &after(&scaled, &[1], None),
            &after(&[1, 2, 5], &[1], None)
        ));
    }

    /// Envoy 1.40.0: with header_name and the number 13, c, b, a, c, b.
    #[test]
    fn a_known_number_gives_a_known_sequence() {
        let weights = [1, 2, 5];
        let sequence = [&[][..], &[2], &[2, 1], &[2, 1, 0], &[2, 1, 0, 2]];
        let found = sequence.map(|tried| {
            let parts = after(&weights, tried, Some(13));
            parts.iter().position(|&part| part == 1.0)
        });
        assert_eq!(found, [2, 1, 0, 2, 1].map(Some));
    }

    /// Envoy 1.40.0 with weights 3, 0 and 5: a, c, c, c, c.
    #[test]
    fn a_cluster_without_weight_is_never_reached() {
        assert_eq!(after(&[3, 0, 5], &[0], None), [0.0, 0.0, 1.0]);
        assert_eq!(after(&[3, 0, 5], &[0, 2, 2], None), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn too_many_sums_are_independent() {
        let weights = [1_000_003, 2_000_003, 3_000_017];
        let found = after(&weights, &[0], None);
        let rest = (2_000_003 + 3_000_017) as f64;
        assert!(near(&found, &[0.0, 2_000_003.0 / rest, 3_000_017.0 / rest]));
    }

    #[test]
    fn independent_choices_stay_where_only_clusters_without_weight_are_left() {
        let weights = [1_000_003, 0, 3_000_017];
        assert_eq!(after(&weights, &[0, 2], None), [0.0, 0.0, 1.0]);
    }
}
