//! The losses of one selection, in addition to the other losses: what the chart and the matrix show.

use spillgate_core::snapshot::HostRef;
use spillgate_sim::{Amount, STEPS, WhatIf, ZoneCell};

use super::{LossInput, Question, Stage};
use crate::view::screens::losses::LossOption;

/// A loss of a question, whatever its amount, and the other ones.
#[derive(Debug)]
pub struct Sweep {
    /// The place of the loss in the question.
    pub at: usize,
    /// Its hosts.
    pub option: LossOption,
    /// The hosts that the other losses lose, sorted.
    others: Vec<HostRef>,
    /// Whether there are other losses.
    pub has_others: bool,
    /// For each number of its lost hosts, the number of those that the other losses do not lose.
    places: Vec<usize>,
    /// The result without the loss, with those of all its amounts.
    nothing: WhatIf,
    /// The names of the priorities.
    pub priorities: Vec<String>,
    /// The matrix.
    pub zones: Vec<ZoneLine>,
}

/// A line of the matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneLine {
    /// The zone.
    pub name: String,
    /// The selector of its option.
    pub selector: String,
    /// The effect of each loss.
    pub cells: Vec<ZoneCell>,
}

/// Only the same sweep is equal: comparing all of it would take longer than drawing it.
impl PartialEq for Sweep {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Sweep {
    /// The sweep of the loss at a place; `None` if there is no such loss.
    #[must_use]
    pub fn new(stage: &Stage, question: &Question, at: usize) -> Option<Self> {
        let loss = question.losses.get(at)?;
        let option = stage.option(&loss.selector)?.clone();
        let scene = &stage.scene;
        let other = question.losses.iter().enumerate();
        let other = other.filter(|(place, _)| *place != at);
        let mut others: Vec<HostRef> = other.flat_map(|(_, loss)| stage.lost(loss)).collect();
        others.sort_unstable();
        others.dedup();
        let is_other = |host: &HostRef| others.binary_search(host).is_ok();
        let mut own = scene.loss_order(&option.hosts);
        let mut places = vec![0];
        own.retain(|host| {
            let is_own = !is_other(host) && scene.hosts().binary_search(host).is_ok();
            let before = places.last().copied().unwrap_or_default();
            places.push(before + usize::from(is_own));
            is_own
        });
        let nothing = scene.what_if(&others, &own);
        let zones = scene.zones().into_iter().map(|zone| {
            let mut options = stage.options.iter();
            let option = options.find(|option| option.hosts == zone.hosts);
            let with_others = |lost: &[HostRef]| {
                let rest = lost.iter().filter(|host| !is_other(host));
                let all: Vec<HostRef> = others.iter().chain(rest).copied().collect();
                scene.state(&all)
            };
            ZoneLine {
                name: option.map_or_else(|| zone.zone.clone(), |option| option.name.clone()),
                selector: option.map_or_else(String::new, |option| option.selector.clone()),
                cells: scene.zone_loss_row_with(&zone, &with_others),
            }
        });
        let zones = zones.collect();
        Some(Self {
            at,
            priorities: nothing.before.names(scene.snapshot(), scene.cluster()),
            zones,
            has_others: question.losses.len() > 1,
            option,
            others,
            places,
            nothing,
        })
    }

    /// The result of a loss of the selection and of the other losses.
    #[must_use]
    pub fn lose(&self, stage: &Stage, loss: &LossInput) -> WhatIf {
        let lost: Vec<HostRef> = self
            .others
            .iter()
            .copied()
            .chain(stage.lost(loss))
            .collect();
        stage.scene.what_if_again(&self.nothing, &lost)
    }

    /// The number of hosts that a loss loses in addition to the others: its place in the sweep.
    #[must_use]
    pub fn place(&self, loss: &LossInput) -> usize {
        let all = self.option.usable;
        let lost = loss.amount.of(all).unwrap_or(all);
        self.places.get(lost).copied().unwrap_or_default()
    }

    /// The number of hosts that the sweep loses at most.
    #[must_use]
    pub const fn most(&self) -> usize {
        self.nothing.swept.len()
    }

    /// The loss, in the unit of another one, whose place in the sweep is the nearest.
    #[must_use]
    pub fn loss_at(&self, place: usize, like: &LossInput) -> LossInput {
        let all = self.option.usable;
        let amounts: Vec<Amount> = match like.amount {
            Amount::Percent(_) => (0..=100)
                .map(|percent| Amount::Percent(percent.into()))
                .collect(),
            Amount::Hosts(_) => (0..=all).map(Amount::Hosts).collect(),
        };
        let losses = amounts.into_iter().map(|amount| LossInput {
            amount,
            selector: like.selector.clone(),
        });
        let nearest = losses.min_by_key(|loss| self.place(loss).abs_diff(place));
        nearest.unwrap_or_else(|| like.clone())
    }

    /// The place in the matrix of a loss, or of the one before it, and whether it is exactly there.
    #[must_use]
    pub fn cell(&self, loss: &LossInput) -> (usize, bool) {
        let is_own = |zone: &ZoneLine| zone.selector == self.option.selector;
        let Some(zone) = self.zones.iter().position(is_own) else {
            return (0, false);
        };
        let all = self.option.usable;
        let percent = match loss.amount {
            Amount::Percent(percent) => percent,
            Amount::Hosts(hosts) => hosts as f64 * 100.0 / all.max(1) as f64,
        };
        let steps = STEPS.iter();
        let step = steps.clone().rposition(|&step| f64::from(step) <= percent);
        let step = step.unwrap_or_default();
        let exact = STEPS
            .get(step)
            .is_some_and(|&step| f64::from(step) == percent);
        (zone * STEPS.len() + step, exact)
    }
}
