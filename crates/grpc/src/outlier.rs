//! One sweep of outlier detection over the endpoints of a cluster (A50).
//!
//! Each endpoint has one state, whatever its priority, because the sweep is above the priority policy
//! (A75). Comments name the differences of C-core.

use alloc::vec::Vec;

use crate::{FailurePercentage, OutlierSettings, SuccessRate};
use spillgate_core::draw::Draw;

/// The calls to an endpoint in one interval, by result. Status OK is a success, any other a failure.
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

    /// Successes in percent, 0 to 100; 0 without requests.
    fn success_percent(self) -> f64 {
        100.0 * self.ok as f64 / self.volume().max(1) as f64
    }
}

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallResult {
    /// Status OK.
    Success,
    /// Any other status.
    Failure,
}

/// An endpoint in a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutlierHost {
    /// The calls of the finished interval.
    pub counts: CallCounts,
    /// The time of its ejection, in ms; `None` if it is not ejected.
    pub ejected_at: Option<u64>,
    /// The number of base ejection times that its ejection lasts.
    pub multiplier: u32,
}

/// The result of a sweep. Endpoints are named by their index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OutlierSweep {
    /// The lowest success rate that is not an outlier, in percent; `None` if too few endpoints have the
    /// request volume.
    pub success_rate_threshold: Option<f64>,
    /// The ejected endpoints, in order.
    pub ejected: Vec<usize>,
    /// The endpoints whose ejection ended.
    pub unejected: Vec<usize>,
    /// The number of random draws.
    pub draws: u32,
}

/// Sweeps at `now`, in ms of a monotonic clock.
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
            // In whole numbers, so that a share equal to the threshold does not exceed it.
            let failures = 100 * u128::from(counts.bad);
            if failures > u128::from(rule.threshold) * u128::from(counts.volume()) {
                self.eject(at, rule.enforcement_percentage, hosts);
            }
        }
    }

    /// Ejects an endpoint if its state, the share of ejected endpoints and the draw allow it. C-core
    /// draws 1 to 99, and its success-rate algorithm can eject an ejected endpoint again, which
    /// extends the ejection.
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

    /// Ends the ejections whose time is over, and decreases the multiplier of the other endpoints.
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

/// The duration of an ejection, in ms: it ends with the first sweep after that.
fn ejection_ms(settings: &OutlierSettings, host: &OutlierHost) -> u64 {
    let base = settings.base_ejection_time_ms;
    let longest = settings.max_ejection_time_ms.max(base);
    base.saturating_mul(host.multiplier.into()).min(longest)
}

/// The endpoints with enough requests; `None` if there are too few.
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
