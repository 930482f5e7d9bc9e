//! The load of a priority, explained from host counts.
//!
//! The same rules apply to clusters and aggregates: both distribute 100 percent over priorities.

use alloc::{borrow::Cow, vec, vec::Vec};

use super::{Condition, Expr, Formula, Quantity, Subject, Term, Why};
use crate::{
    load::{Availability, PriorityHealth, PriorityLoad, load_without},
    model::PanicThreshold,
    snapshot::{ClusterId, Snapshot},
    trace::{PriorityRef, RetryExclusion},
};

/// Explains the load of a priority of a cluster with endpoints. `None` if the priority does not
/// exist.
#[must_use]
pub fn why_priority(snapshot: &Snapshot, cluster: ClusterId, priority: usize) -> Option<Why> {
    why_priority_in(snapshot, cluster, priority, None)
}

/// As [`why_priority`], for a retry that avoids these priorities.
#[must_use]
pub fn why_priority_in(
    snapshot: &Snapshot,
    cluster: ClusterId,
    priority: usize,
    retry: Option<&RetryExclusion>,
) -> Option<Why> {
    let plain = snapshot.plain(cluster)?;
    let health: Vec<PriorityHealth> = plain.whole.health();
    let names: Vec<PriorityRef> = (0..health.len())
        .map(|priority| PriorityRef { cluster, priority })
        .collect();
    Priorities {
        owner: cluster,
        threshold: plain.settings.panic_threshold,
        health: &health,
        names: &names,
        load: &load_of(&plain.whole.load, retry),
        retry,
    }
    .load(priority)
}

/// The loads without the priorities that a retry avoids.
pub(super) fn load_of<'a>(
    load: &'a PriorityLoad,
    retry: Option<&RetryExclusion>,
) -> Cow<'a, PriorityLoad> {
    let Some(retry) = retry else {
        return Cow::Borrowed(load);
    };
    let Some(without) = load_without(&load.availability, &retry.excluded) else {
        return Cow::Borrowed(load);
    };
    let left = load
        .availability
        .iter()
        .zip(&without.excluded)
        .map(|(have, &out)| if out { Availability::default() } else { *have });
    let availability: Vec<Availability> = left.collect();
    let sum: u32 = availability.iter().map(|a| a.healthy + a.degraded).sum();
    Cow::Owned(PriorityLoad {
        normalized_total: sum.min(100),
        availability,
        healthy: without.healthy,
        degraded: without.degraded,
        panic: load.panic.clone(),
        total_panic: load.total_panic,
        frozen_priorities: load.frozen_priorities,
    })
}

/// Priorities that share 100 percent.
pub(super) struct Priorities<'a> {
    /// The cluster or aggregate whose threshold and total availability apply.
    pub(super) owner: ClusterId,
    pub(super) threshold: PanicThreshold,
    pub(super) health: &'a [PriorityHealth],
    pub(super) names: &'a [PriorityRef],
    pub(super) load: &'a PriorityLoad,
    /// The priorities that a retry avoids; the loads are then those of the retry.
    pub(super) retry: Option<&'a RetryExclusion>,
}

impl Priorities<'_> {
    pub(super) fn load(&self, at: usize) -> Option<Why> {
        let name = *self.names.get(at)?;
        let health = self.health.get(at)?;
        let healthy = self.load.healthy.get(at).copied()?;
        let degraded = self.load.degraded.get(at).copied()?;
        let subject = Subject::Load(name);
        let value = percent(self.load.of_priority(at));
        if self.retry.is_none() && (self.load.total_panic || at < self.load.frozen_priorities) {
            return Some(self.in_total_panic(at, subject, value));
        }
        let mut causes = vec![self.healthy_load(at, name, health, healthy)];
        let mut formula = Formula::HealthyLoad;
        if degraded > 0 || health.degraded > 0 {
            formula = Formula::HealthyAndDegradedLoad { healthy, degraded };
            causes.push(self.degraded_load(at, name, health, degraded));
        }
        causes.push(self.panic(at, name, health));
        Some(Why::of(subject, value, formula, causes))
    }

    fn healthy_load(
        &self,
        at: usize,
        name: PriorityRef,
        health: &PriorityHealth,
        load: u32,
    ) -> Why {
        let before: u32 = self.load.healthy.iter().take(at).sum();
        let counts = Why::leaf(Subject::Healthy(name), counted(health.healthy, health));
        let mut causes = vec![Why::of(
            Subject::Availability(name),
            percent(health.availability().healthy),
            scaled(health, health.healthy, health.weights.map(|w| w.healthy)),
            vec![factor(name, health), counts],
        )];
        let earlier = self.names.iter().zip(&self.load.healthy).take(at);
        causes.extend(earlier.enumerate().map(|(at, (&name, &load))| {
            let subject = Subject::HealthyLoad(name);
            if self.is_excluded(at) {
                Why::of(subject, percent(load), Formula::Excluded, Vec::new())
            } else {
                Why::leaf(subject, percent(load))
            }
        }));
        causes.push(self.total());
        Why::of(
            Subject::HealthyLoad(name),
            percent(load),
            self.spread(self.availability(at).healthy, before, load),
            causes,
        )
    }

    fn degraded_load(
        &self,
        at: usize,
        name: PriorityRef,
        health: &PriorityHealth,
        load: u32,
    ) -> Why {
        let available = self.availability(at);
        let healthy: u32 = self.load.healthy.iter().sum();
        let before: u32 = self.load.degraded.iter().take(at).sum();
        let counts = Why::leaf(Subject::Degraded(name), counted(health.degraded, health));
        let availability = Why::of(
            Subject::DegradedAvailability(name),
            percent(health.availability().degraded),
            scaled(health, health.degraded, health.weights.map(|w| w.degraded)),
            vec![factor(name, health), counts],
        );
        Why::of(
            Subject::DegradedLoad(name),
            percent(load),
            self.spread(available.degraded, healthy + before, load),
            vec![availability, self.total()],
        )
    }

    /// `min(left, floor(availability x 100 / total))`, plus the remainder if this priority gets it.
    fn spread(&self, available: u32, before: u32, load: u32) -> Formula {
        let total = self.load.normalized_total;
        let left = 100_u32.saturating_sub(before);
        let share = (available * 100).checked_div(total).unwrap_or(0);
        let of_total = if total < 100 {
            let product = [Expr::number(available), Expr::number(100_u32)];
            Expr::ratio(product, Expr::number(total)).floor()
        } else {
            Expr::term(available, Term::Available)
        };
        let remainder = match total {
            0 => Term::FirstPriority,
            _ => Term::Rounding,
        };
        let least = Expr::Min([Expr::term(left, Term::Left), of_total].into());
        Formula::of(least.plus(load.saturating_sub(left.min(share)), remainder))
    }

    fn total(&self) -> Why {
        let parts = self.load.availability.iter().flat_map(|available| {
            let degraded = Some(available.degraded).filter(|&degraded| degraded > 0);
            [Some(available.healthy), degraded].into_iter().flatten()
        });
        let sum = Expr::Sum(parts.map(Expr::number).collect());
        Why::of(
            Subject::TotalAvailability(self.owner),
            percent(self.load.normalized_total),
            Formula::of(Expr::Min([Expr::number(100_u32), sum].into())),
            Vec::new(),
        )
    }

    fn panic(&self, at: usize, priority: PriorityRef, health: &PriorityHealth) -> Why {
        let threshold = self.threshold.percent();
        let formula = match (self.load.normalized_total, threshold) {
            (100, _) => Formula::NoPanicAtFullAvailability,
            (_, 0) => Formula::NoPanicAtThresholdZero,
            _ => Formula::Panic {
                usable: health.healthy.saturating_add(health.degraded),
                counted: health.counted(),
                threshold,
            },
        };
        let by = self.owner;
        Why::of(
            Subject::Panic { priority, by },
            Quantity::Flag(self.load.panics(at)),
            formula,
            vec![self.threshold()],
        )
    }

    fn threshold(&self) -> Why {
        Why::leaf(
            Subject::PanicThreshold(self.owner),
            percent(self.threshold.percent()),
        )
    }

    fn in_total_panic(&self, at: usize, subject: Subject, value: Quantity) -> Why {
        let (sharing, condition) = match self.load.frozen_priorities {
            0 => (self.health, Condition::TotalPanic),
            priorities => (
                self.health.get(..priorities).unwrap_or(self.health),
                Condition::Frozen { priorities },
            ),
        };
        let all: u64 = sharing
            .iter()
            .map(|priority| u64::from(priority.hosts))
            .sum();
        let hosts = self.health.get(at).map_or(0, |priority| priority.hosts);
        let share = (100 * u64::from(hosts)).checked_div(all).unwrap_or(0) as u32;
        let product = [Expr::number(100_u32), Expr::number(hosts)];
        let part = Expr::ratio(product, Expr::term(all, Term::Hosts)).floor();
        let rest = self.load.of_priority(at).saturating_sub(share);
        let mut causes = vec![self.total(), self.threshold()];
        causes.extend(self.names.iter().zip(sharing).map(|(&name, priority)| {
            let part = priority.hosts.into();
            Why::leaf(Subject::Hosts(name), Quantity::Of { part, whole: all })
        }));
        let formula = Formula::when(part.plus(rest, Term::Rounding), condition);
        Why::of(subject, value, formula, causes)
    }

    /// Whether a retry avoids a priority.
    fn is_excluded(&self, at: usize) -> bool {
        self.retry
            .is_some_and(|retry| retry.excluded.get(at) == Some(&true))
    }

    fn availability(&self, at: usize) -> Availability {
        self.load.availability.get(at).copied().unwrap_or_default()
    }
}

pub(super) fn percent(percent: u32) -> Quantity {
    Quantity::Percent(percent.into())
}

fn counted(part: u32, health: &PriorityHealth) -> Quantity {
    Quantity::Of {
        part: part.into(),
        whole: health.counted().into(),
    }
}

fn factor(name: PriorityRef, health: &PriorityHealth) -> Why {
    Why::leaf(
        Subject::OverprovisioningFactor(name.cluster),
        Quantity::Number(health.factor.0.into()),
    )
}

/// `min(100, floor(factor x part / whole))`, by hosts or by weights.
fn scaled(health: &PriorityHealth, hosts: u32, weight: Option<u64>) -> Formula {
    let least = |part: u64, whole: u64| {
        let product = [Expr::number(health.factor.0), Expr::number(part)];
        let share = Expr::ratio(product, Expr::number(whole)).floor();
        Expr::Min([Expr::number(100_u32), share].into())
    };
    match (health.weights, weight) {
        (Some(weights), Some(weight)) => {
            let whole = weights.all.saturating_sub(weights.excluded);
            Formula::when(least(weight, whole), Condition::ByWeight)
        }
        _ => Formula::of(least(hosts.into(), health.counted().into())),
    }
}
