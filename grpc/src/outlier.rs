//! One sweep of outlier detection over the endpoints of a cluster (A50).
//!
//! Endpoints have one state each, whatever their priority: the sweep stands above the priority policy
//! (A75). What is said of C-core in the comments is where it differs.

use alloc::vec::Vec;

use crate::{FailurePercentage, OutlierSettings, SuccessRate};
use spillgate_core::draw::Draw;

/// How requests to an endpoint ended in one interval. Status OK is a success, all else a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallCounts {
    /// Successes.
    pub ok: u64,
    /// Failures.
    pub bad: u64,
}

impl CallCounts {
    /// All requests.
    #[must_use]
    pub const fn volume(self) -> u64 {
        self.ok.saturating_add(self.bad)
    }

    /// Successes in percent; 0 where there were no requests.
    fn success_percent(self) -> f64 {
        100.0 * self.ok as f64 / self.volume().max(1) as f64
    }
}

/// An endpoint as the sweep sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutlierHost {
    /// Of the interval that is over.
    pub counts: CallCounts,
    /// When it was ejected, in ms; `None`: it is in use.
    pub ejected_at: Option<u64>,
    /// How many base times an ejection lasts.
    pub multiplier: u32,
}

/// What a sweep did. Endpoints are named by their index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OutlierSweep {
    /// The least success rate that is no outlier, in percent; `None`: too few endpoints have the
    /// volume.
    pub success_rate_threshold: Option<f64>,
    /// What was ejected, in the order in which it was.
    pub ejected: Vec<usize>,
    /// What came back.
    pub unejected: Vec<usize>,
    /// Random draws that were taken.
    pub draws: u32,
}

/// Sweeps at `now`, in ms of any one clock.
pub fn outlier_sweep<D: Draw>(
    settings: &OutlierSettings,
    hosts: &mut [OutlierHost],
    now: u64,
    draw: &mut D,
) -> OutlierSweep {
    let mut sweep = Sweep {
        settings,
        now,
        draw,
        done: OutlierSweep::default(),
    };
    if let Some(rule) = &settings.success_rate {
        sweep.success_rate(rule, hosts);
    }
    if let Some(rule) = &settings.failure_percentage {
        sweep.failure_percentage(rule, hosts);
    }
    sweep.unejected(hosts);
    sweep.done
}

struct Sweep<'a, D> {
    settings: &'a OutlierSettings,
    now: u64,
    draw: &'a mut D,
    done: OutlierSweep,
}

impl<D: Draw> Sweep<'_, D> {
    fn success_rate(&mut self, rule: &SuccessRate, hosts: &mut [OutlierHost]) {
        let Some(candidates) = candidates(hosts, rule.request_volume, rule.minimum_hosts) else {
            return;
        };
        let number = candidates.len() as f64;
        let rates = || {
            candidates
                .iter()
                .map(|(_, counts)| counts.success_percent())
        };
        let mean = rates().sum::<f64>() / number;
        let variance = rates()
            .map(|rate| (rate - mean) * (rate - mean))
            .sum::<f64>()
            / number;
        let factor = f64::from(rule.stdev_factor) / 1000.0;
        let threshold = mean - libm::sqrt(variance) * factor;
        self.done.success_rate_threshold = Some(threshold);
        for (at, counts) in candidates {
            if counts.success_percent() < threshold {
                self.eject(at, rule.enforcement_percentage, hosts);
            }
        }
    }

    fn failure_percentage(&mut self, rule: &FailurePercentage, hosts: &mut [OutlierHost]) {
        let Some(candidates) = candidates(hosts, rule.request_volume, rule.minimum_hosts) else {
            return;
        };
        for (at, counts) in candidates {
            // In whole numbers, so that a share of exactly the threshold is none above it.
            let failures = 100 * u128::from(counts.bad);
            if failures > u128::from(rule.threshold) * u128::from(counts.volume()) {
                self.eject(at, rule.enforcement_percentage, hosts);
            }
        }
    }

    /// Ejects an endpoint where its state, the share of ejected ones and the draw allow it. C-core
    /// draws from 1 to 99 and lets the success rate eject what is ejected already, which makes the
    /// ejection longer.
    fn eject(&mut self, at: usize, enforcement: u32, hosts: &mut [OutlierHost]) {
        let number = hosts.len() as u64;
        let ejected = hosts
            .iter()
            .filter(|host| host.ejected_at.is_some())
            .count() as u64;
        let Some(host) = hosts.get_mut(at).filter(|host| host.ejected_at.is_none()) else {
            return;
        };
        let limit = u64::from(self.settings.max_ejection_percent) * number;
        if ejected > 0 && ejected * 100 >= limit {
            return;
        }
        self.done.draws += 1;
        if self.draw.draw() % 100 < u64::from(enforcement) {
            host.ejected_at = Some(self.now);
            host.multiplier = host.multiplier.saturating_add(1);
            self.done.ejected.push(at);
        }
    }

    /// Lets those back in whose time is over, and forgives those in use a little.
    fn unejected(&mut self, hosts: &mut [OutlierHost]) {
        for (at, host) in hosts.iter_mut().enumerate() {
            match host.ejected_at {
                None => host.multiplier = host.multiplier.saturating_sub(1),
                Some(since)
                    if self.now > since.saturating_add(ejection_ms(self.settings, host)) =>
                {
                    host.ejected_at = None;
                    self.done.unejected.push(at);
                }
                Some(_) => {}
            }
        }
    }
}

/// How long the ejection of a host lasts, in ms: it ends with the first sweep after that.
fn ejection_ms(settings: &OutlierSettings, host: &OutlierHost) -> u64 {
    let base = settings.base_ejection_time_ms;
    let longest = settings.max_ejection_time_ms.max(base);
    base.saturating_mul(host.multiplier.into()).min(longest)
}

/// The endpoints with enough requests; `None`: too few of them.
fn candidates(
    hosts: &[OutlierHost],
    request_volume: u32,
    minimum_hosts: u32,
) -> Option<Vec<(usize, CallCounts)>> {
    let least = u64::from(request_volume.max(1));
    let counts = hosts.iter().map(|host| host.counts).enumerate();
    let candidates: Vec<_> = counts
        .filter(|(_, counts)| counts.volume() >= least)
        .collect();
    let enough = !candidates.is_empty() && candidates.len() as u64 >= u64::from(minimum_hosts);
    enough.then_some(candidates)
}
