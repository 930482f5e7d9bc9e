//! A sweep: ends ejections, then finds hosts by success rate and failure percentage.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::draw::Draw;

use super::{
    Detector, EjectionAction, OutlierCounters, OutlierEjectionType as Type, OutlierEvent,
    OutlierRates, SweepMode, eject::SweepTime, host::HostState,
};
use crate::millis::happens;

/// How many of a hundred sweeps come before a time that ends with them.
const EARLY_SWEEPS: u32 = 50;

/// The counters of a finished interval, by host.
struct Finished {
    host: usize,
    responses: OutlierCounters,
    local_origin: OutlierCounters,
}

/// A host with requests, and its success rate in percent.
#[derive(Clone, Copy)]
struct Candidate {
    host: usize,
    volume: u64,
    rate: f64,
}

impl Detector {
    /// Sweeps (`onIntervalTimer`). Call it at [`Detector::next_sweep`]; the next one is an interval after `now`.
    pub fn on_sweep<D: Draw + ?Sized>(&mut self, now: Duration, draw: &mut D) -> Vec<OutlierEvent> {
        let order: Vec<usize> = (0..self.hosts.len()).collect();
        self.on_sweep_in(now, &order, draw)
    }

    /// Sweeps and visits the hosts in this order, which should have each index once. Envoy's own order depends on
    /// memory addresses. With [`SweepMode::Random`], it decides only the order in which ejections end.
    pub fn on_sweep_in<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        order: &[usize],
        draw: &mut D,
    ) -> Vec<OutlierEvent> {
        let mut events = Vec::new();
        let sweep = self.time_of_sweep(now, draw);
        let finished = self.finish_interval(&sweep, order, &mut events);
        let kinds = [
            (Type::SuccessRate, Type::FailurePercentage),
            (
                Type::SuccessRateLocalOrigin,
                Type::FailurePercentageLocalOrigin,
            ),
        ];
        let counters: [fn(&Finished) -> OutlierCounters; 2] =
            [|host| host.responses, |host| host.local_origin];
        let mut rates = [None; 2];
        for ((kinds, counters), rates) in kinds.into_iter().zip(counters).zip(&mut rates) {
            let counted = finished.iter().map(|host| (host.host, counters(host)));
            let candidates = self.candidates(counted);
            *rates = self.by_success_rate(now, kinds.0, &candidates, draw, &mut events);
            self.by_failure_percentage(now, kinds.1, &candidates, draw, &mut events);
        }
        self.rates = rates;
        for state in self.hosts.iter_mut().flatten() {
            state.ejection.decay(&sweep);
            state.degradation.decay(&sweep);
        }
        self.next_sweep = now.saturating_add(sweep.interval);
        events
    }

    /// The time of a sweep. A draw decides times that end with it, if there are some.
    fn time_of_sweep<D: Draw + ?Sized>(&self, now: Duration, draw: &mut D) -> SweepTime {
        let exact = SweepTime {
            now,
            base: self.settings.base_ejection_time,
            longest: self.settings.longest_ejection(),
            interval: self.settings.interval,
            is_early: false,
        };
        let mut states = self.hosts.iter().flatten();
        let ends = |state: &HostState| {
            state.ejection.ends_exactly(&exact) || state.degradation.ends_exactly(&exact)
        };
        let is_early =
            self.mode == SweepMode::Random && states.any(ends) && happens(EARLY_SWEEPS, draw);
        SweepTime { is_early, ..exact }
    }

    /// Ends what is over, and takes the counters of the interval.
    fn finish_interval(
        &mut self,
        sweep: &SweepTime,
        order: &[usize],
        events: &mut Vec<OutlierEvent>,
    ) -> Vec<Finished> {
        let now = sweep.now;
        let mut finished = Vec::new();
        for &host in order {
            let Some(state) = self.state(host) else {
                continue;
            };
            let responses = core::mem::take(&mut state.responses);
            let local_origin = core::mem::take(&mut state.local_origin);
            if responses.total > 0 || local_origin.total > 0 {
                finished.push(Finished {
                    host,
                    responses,
                    local_origin,
                });
            }
            let ejection_over = state.ejection.is_over(sweep);
            if state.degradation.is_over(sweep) {
                state.degradation.end(now);
                events.push(OutlierEvent {
                    host,
                    action: EjectionAction::Undegrade,
                });
            }
            if ejection_over {
                events.push(self.uneject(now, host));
            }
        }
        finished
    }

    /// The hosts that are not ejected and had requests; none if the cluster has too few hosts for both rules.
    fn candidates(
        &self,
        counted: impl Iterator<Item = (usize, OutlierCounters)>,
    ) -> Vec<Candidate> {
        let settings = &self.settings;
        let fewest = settings
            .success_rate_minimum_hosts
            .min(settings.failure_percentage_minimum_hosts);
        if (self.present as u64) < u64::from(fewest) {
            return Vec::new();
        }
        let kept = counted.filter(|(host, _)| !self.is_ejected(*host));
        kept.filter_map(|(host, counters)| {
            Some(Candidate {
                host,
                volume: counters.total,
                rate: counters.success_rate()?,
            })
        })
        .collect()
    }

    fn by_success_rate<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        kind: Type,
        candidates: &[Candidate],
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) -> Option<OutlierRates> {
        let settings = &self.settings;
        let valid = enough(
            candidates,
            settings.success_rate_request_volume,
            settings.success_rate_minimum_hosts,
        )?;
        let rates = threshold(&valid, settings.success_rate_stdev_factor);
        let outliers = valid.into_iter().filter(|host| host.rate < rates.threshold);
        self.eject_all(now, kind, outliers.collect(), draw, events);
        Some(rates)
    }

    fn by_failure_percentage<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        kind: Type,
        candidates: &[Candidate],
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) {
        let settings = &self.settings;
        let least = f64::from(settings.failure_percentage_threshold);
        let valid = enough(
            candidates,
            settings.failure_percentage_request_volume,
            settings.failure_percentage_minimum_hosts,
        );
        let failing = valid.unwrap_or_default().into_iter();
        let failing = failing.filter(|host| 100.0 - host.rate >= least);
        self.eject_all(now, kind, failing.collect(), draw, events);
    }

    fn eject_all<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        kind: Type,
        mut hosts: Vec<Candidate>,
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) {
        if self.mode == SweepMode::Random {
            shuffle(&mut hosts, draw);
        }
        for host in hosts {
            events.extend(self.eject(now, host.host, kind, draw));
        }
    }
}

/// The hosts with this many requests; `None` if there are too few.
fn enough(candidates: &[Candidate], volume: u32, hosts: u32) -> Option<Vec<Candidate>> {
    let has_volume = |host: &&Candidate| host.volume >= u64::from(volume);
    let valid: Vec<Candidate> = candidates.iter().filter(has_volume).copied().collect();
    (!valid.is_empty() && valid.len() as u64 >= u64::from(hosts)).then_some(valid)
}

/// The mean, and the mean minus a multiple of the standard deviation of all these hosts.
fn threshold(hosts: &[Candidate], stdev_factor: u32) -> OutlierRates {
    let number = hosts.len() as f64;
    let average = hosts.iter().map(|host| host.rate).sum::<f64>() / number;
    let squares = hosts
        .iter()
        .map(|host| (host.rate - average) * (host.rate - average));
    let deviation = libm::sqrt(squares.sum::<f64>() / number);
    OutlierRates {
        average,
        threshold: average - f64::from(stdev_factor) / 1000.0 * deviation,
    }
}

/// Every order with the same probability.
fn shuffle<D: Draw + ?Sized>(hosts: &mut [Candidate], draw: &mut D) {
    for end in (1..hosts.len()).rev() {
        let other = draw.draw() % (end as u64 + 1);
        hosts.swap(end, usize::try_from(other).unwrap_or(end));
    }
}
