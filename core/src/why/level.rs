//! The load of a level, from its hosts up.
//!
//! The same rules serve a cluster and an aggregate: both spread 100 percent over a line of levels.

use alloc::{format, string::String, vec, vec::Vec};

use super::{LevelRef, Quantity, Subject, Why};
use crate::{
    load::{LevelHealth, PriorityLoad},
    model::PanicThreshold,
    snapshot::{ClusterId, Snapshot},
};

/// Why a level of a cluster with endpoints gets its load. `None` where there is no such level.
#[must_use]
pub fn why_level(snapshot: &Snapshot, cluster: ClusterId, priority: usize) -> Option<Why> {
    let plain = snapshot.plain(cluster)?;
    let health: Vec<LevelHealth> = plain.whole.health();
    let names: Vec<LevelRef> = (0..health.len())
        .map(|priority| LevelRef { cluster, priority })
        .collect();
    let line = Line {
        owner: cluster,
        threshold: plain.settings.panic_threshold,
        health: &health,
        names: &names,
        load: &plain.whole.load,
    };
    line.load(priority)
}

/// A line of levels that share 100 percent.
pub(super) struct Line<'a> {
    /// The cluster or aggregate whose threshold and total count.
    pub(super) owner: ClusterId,
    pub(super) threshold: PanicThreshold,
    pub(super) health: &'a [LevelHealth],
    pub(super) names: &'a [LevelRef],
    pub(super) load: &'a PriorityLoad,
}

impl Line<'_> {
    pub(super) fn load(&self, at: usize) -> Option<Why> {
        let name = *self.names.get(at)?;
        let health = self.health.get(at)?;
        let healthy = self.load.healthy.get(at).copied()?;
        let degraded = self.load.degraded.get(at).copied()?;
        let subject = Subject::Load(name);
        let value = percent(self.load.of_level(at));
        if self.load.total_panic || at < self.load.kept {
            return Some(self.in_total_panic(at, subject, value));
        }
        let mut causes = vec![self.healthy_load(at, name, health, healthy)];
        let mut formula = String::from("load of its healthy hosts");
        if degraded > 0 || health.degraded > 0 {
            formula = format!("{healthy} + {degraded}: healthy hosts, then degraded ones");
            causes.push(self.degraded_load(at, name, health, degraded));
        }
        causes.push(self.panic(at, name, health));
        Some(Why::of(subject, value, formula, causes))
    }

    fn healthy_load(&self, at: usize, name: LevelRef, health: &LevelHealth, load: u32) -> Why {
        let available = self.availability(at);
        let before: u32 = self.load.healthy.iter().take(at).sum();
        let mut causes = vec![Self::availability_why(name, health)];
        causes.extend(self.loads_before(at));
        causes.push(self.total());
        Why::of(
            Subject::HealthyLoad(name),
            percent(load),
            self.spread(available.healthy, before, load),
            causes,
        )
    }

    fn degraded_load(&self, at: usize, name: LevelRef, health: &LevelHealth, load: u32) -> Why {
        let available = self.availability(at);
        let healthy: u32 = self.load.healthy.iter().sum();
        let before: u32 = self.load.degraded.iter().take(at).sum();
        let counts = Why::leaf(
            Subject::Degraded(name),
            Quantity::Of {
                part: health.degraded.into(),
                whole: health.counted().into(),
            },
        );
        let availability = Why::of(
            Subject::DegradedAvailability(name),
            percent(available.degraded),
            scaled(health, health.degraded, health.weights.map(|w| w.degraded)),
            vec![Self::factor(name, health), counts],
        );
        Why::of(
            Subject::DegradedLoad(name),
            percent(load),
            self.spread(available.degraded, healthy + before, load),
            vec![availability, self.total()],
        )
    }

    /// `min(what is left, availability x 100 / total)`, and the remainder where it went here.
    fn spread(&self, available: u32, before: u32, load: u32) -> String {
        let total = self.load.normalized_total;
        let left = 100_u32.saturating_sub(before);
        let share = (available * 100).checked_div(total).unwrap_or(0);
        let plain = left.min(share);
        let remainder = load.saturating_sub(plain);
        let mut formula = if total < 100 {
            format!("min({left} left, floor({available} x 100 / {total}))")
        } else {
            format!("min({left} left, {available} available)")
        };
        if remainder > 0 {
            formula.push_str(&if total == 0 {
                format!(" + {remainder}: nothing is usable, and the first level keeps the load")
            } else {
                format!(" + {remainder} that rounding left over")
            });
        }
        formula
    }

    fn loads_before(&self, at: usize) -> impl Iterator<Item = Why> {
        self.names
            .iter()
            .zip(&self.load.healthy)
            .take(at)
            .map(|(&name, &load)| Why::leaf(Subject::HealthyLoad(name), percent(load)))
    }

    fn availability_why(name: LevelRef, health: &LevelHealth) -> Why {
        let counts = Why::leaf(
            Subject::Healthy(name),
            Quantity::Of {
                part: health.healthy.into(),
                whole: health.counted().into(),
            },
        );
        Why::of(
            Subject::Availability(name),
            percent(health.availability().healthy),
            scaled(health, health.healthy, health.weights.map(|w| w.healthy)),
            vec![Self::factor(name, health), counts],
        )
    }

    fn factor(name: LevelRef, health: &LevelHealth) -> Why {
        Why::leaf(
            Subject::OverprovisioningFactor(name.cluster),
            Quantity::Number(health.factor.0.into()),
        )
    }

    fn total(&self) -> Why {
        let parts: Vec<String> = self
            .load
            .availability
            .iter()
            .map(|a| {
                if a.degraded > 0 {
                    format!("{} + {}", a.healthy, a.degraded)
                } else {
                    format!("{}", a.healthy)
                }
            })
            .collect();
        Why::leaf_with_formula(
            Subject::TotalAvailability(self.owner),
            percent(self.load.normalized_total),
            format!("min(100, {})", parts.join(" + ")),
        )
    }

    fn panic(&self, at: usize, name: LevelRef, health: &LevelHealth) -> Why {
        let threshold = self.threshold.percent();
        let total = self.load.normalized_total;
        let formula = if total == 100 {
            String::from("never while all levels together can take 100 %")
        } else if threshold == 0 {
            String::from("a threshold of 0 turns panic off")
        } else {
            let usable = health.healthy.saturating_add(health.degraded);
            format!(
                "{usable} of {} hosts usable, below {threshold} %?",
                health.counted()
            )
        };
        Why::of(
            Subject::Panic(name),
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
        let kept = self.load.kept;
        let (sharing, why) = match kept {
            0 => (self.health, String::from("every level is in panic")),
            _ => (
                self.health.get(..kept).unwrap_or(self.health),
                format!("kept from when the first {kept} levels were alone and in panic"),
            ),
        };
        let all: u64 = sharing.iter().map(|level| u64::from(level.hosts)).sum();
        let hosts = self
            .health
            .get(at)
            .map_or(0, |level| u64::from(level.hosts));
        let share = (100 * hosts).checked_div(all).unwrap_or(0);
        let load = u64::from(self.load.of_level(at));
        let mut formula = format!("{why}: floor(100 x {hosts} / {all} hosts)");
        if load > share {
            formula.push_str(&format!(" + {} that rounding left over", load - share));
        }
        let mut causes = vec![self.total(), self.threshold()];
        causes.extend(self.names.iter().zip(sharing).map(|(&name, level)| {
            Why::leaf(
                Subject::Hosts(name),
                Quantity::Of {
                    part: level.hosts.into(),
                    whole: all,
                },
            )
        }));
        Why::of(subject, value, formula, causes)
    }

    fn availability(&self, at: usize) -> crate::load::Availability {
        self.load.availability.get(at).copied().unwrap_or_default()
    }
}

impl Why {
    const fn leaf_with_formula(subject: Subject, value: Quantity, formula: String) -> Self {
        Self::of(subject, value, formula, Vec::new())
    }
}

pub(super) fn percent(percent: u32) -> Quantity {
    Quantity::Percent(percent.into())
}

/// `min(100, floor(factor x part / whole))`, by hosts or by weights.
fn scaled(health: &LevelHealth, hosts: u32, weight: Option<u64>) -> String {
    let factor = health.factor.0;
    match (health.weights, weight) {
        (Some(weights), Some(weight)) => {
            let whole = weights.all.saturating_sub(weights.excluded);
            format!("min(100, floor({factor} x {weight} / {whole})), by weight")
        }
        _ => format!("min(100, floor({factor} x {hosts} / {}))", health.counted()),
    }
}
