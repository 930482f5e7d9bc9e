//! One cluster among several: the figures of its row.

use std::cmp::Ordering;

use spillgate_explain::report::LoadState;
use spillgate_sim::{ZoneFailure, ZoneLoss};

use crate::what_if::{
    loss_report::{Answer, Expected},
    question::Question,
    success::RouteSuccess,
    text::names,
};

/// A cluster in the table.
#[derive(Debug)]
pub(super) struct Row {
    /// The client, if there are two.
    pub(super) client: Option<&'static str>,
    pub(super) figures: Result<RowFigures, NoRowFigures>,
    pub(super) expectations: Vec<Expected>,
}

/// Why a row has no figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoRowFigures {
    NoHosts,
    /// The reason.
    Unknown(String),
}

/// The figures of a cluster after its loss.
#[derive(Debug)]
pub(super) struct RowFigures {
    /// The number of hosts, with the added ones.
    pub(super) hosts: usize,
    pub(super) lost: usize,
    pub(super) added: usize,
    /// Whether `--add` or `--set` changes it.
    pub(super) is_changed: bool,
    /// The percentage of the requests that find no host.
    pub(super) no_host: f64,
    /// The names of the priorities in panic mode.
    pub(super) panic: Vec<String>,
    /// The load that moves to other priorities, in percent.
    pub(super) moved: u32,
    /// The highest ratio of a host's share after to before.
    pub(super) overload: Option<f64>,
    /// The percentage of the request hashes that move.
    pub(super) keys_moved: Option<f64>,
    /// The loss of whole zones, if it is asked for and there are enough zones.
    pub(super) zones: Option<ZoneVerdict>,
    /// The lowest probability of success of its routes, in percent.
    pub(super) success: Option<f64>,
}

/// The losses of whole zones that a cluster does not survive.
#[derive(Debug, Default)]
pub(super) struct ZoneVerdict {
    /// The names of the lost zones, joined.
    pub(super) fatal: Vec<String>,
    /// The highest percentage of the requests that find no host.
    pub(super) no_host: f64,
}

/// How bad a row is; the first differing figure decides.
pub(super) type Severity = [f64; 8];

/// Compares how bad two rows are.
pub(super) fn compare_figures(one: &Severity, other: &Severity) -> Ordering {
    let mut pairs = one.iter().zip(other);
    let differing = pairs.find(|(one, other)| one != other);
    differing.map_or(Ordering::Equal, |(one, other)| one.total_cmp(other))
}

/// The worst effect on a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RowEffect {
    Nothing,
    Spills,
    Panics,
    LosesRequests,
}

impl Row {
    /// The row of a cluster without figures, whose expectations all fail.
    pub(super) fn without_figures(why: NoRowFigures, expectations: Vec<Expected>) -> Self {
        Self {
            client: None,
            figures: Err(why),
            expectations,
        }
    }

    /// The row of an answer. `zone_loss` asks for the loss of whole zones.
    pub(super) fn new(
        question: &Question,
        (client, answer): (Option<&'static str>, &Answer),
        zone_loss: Option<ZoneLoss>,
        success: &[RouteSuccess],
    ) -> Self {
        let mut expectations = answer.expectations.clone();
        let figures = match answer.no_figures() {
            Some(why) => {
                let why = why.text();
                for expected in &mut expectations {
                    expected.reason = Some(why.clone());
                }
                Err(NoRowFigures::Unknown(why))
            }
            None => Ok(RowFigures::new(question, answer, zone_loss, success)),
        };
        Self {
            client,
            figures,
            expectations,
        }
    }

    /// The expectations that do not hold.
    pub(super) fn failed(&self) -> impl Iterator<Item = &Expected> {
        self.expectations.iter().filter(|expected| !expected.ok)
    }

    /// Whether the row says more than that nothing happens.
    pub(super) fn is_affected(&self) -> bool {
        let of_figures = |figures: &RowFigures| {
            figures.lost > 0
                || figures.is_changed
                || figures.success.is_some()
                || figures.effect() > RowEffect::Spills
        };
        self.figures.as_ref().is_ok_and(of_figures) || self.failed().next().is_some()
    }

    /// How bad it is: figures in the order in which they decide.
    pub(super) fn severity(&self) -> Severity {
        let failed = self.failed().count() as f64;
        let has_failed = f64::from(u8::from(failed > 0.0));
        let Ok(figures) = &self.figures else {
            return [has_failed, 0.0, 0.0, 0.0, 0.0, failed, 0.0, 0.0];
        };
        let zones = figures.zones.as_ref();
        [
            has_failed,
            figures.no_host,
            zones.map_or(0.0, |of| of.no_host),
            figures.panic.len() as f64,
            zones.map_or(0.0, |of| of.fatal.len() as f64),
            failed,
            f64::from(figures.moved),
            figures.overload.unwrap_or_default(),
        ]
    }
}

impl RowFigures {
    fn new(
        question: &Question,
        answer: &Answer,
        zone_loss: Option<ZoneLoss>,
        success: &[RouteSuccess],
    ) -> Self {
        let (what_if, scene) = (&answer.what_if, question.scene());
        let names = names(question, answer);
        let (before, after) = (&what_if.before, &what_if.after);
        let loads = before.loads().zip(after.loads());
        let changes = &question.subject.changes;
        let totals = success.iter().filter_map(|of| of.success.as_ref().ok());
        let of_keys = |moved: u64, keys: u64| moved as f64 * 100.0 / keys as f64;
        Self {
            hosts: scene.hosts().len(),
            lost: what_if.lost.len(),
            added: changes.addresses.len(),
            is_changed: !changes.is_empty(),
            no_host: after.no_host,
            panic: panicking(after, &names),
            moved: loads
                .map(|(before, after)| after.saturating_sub(before))
                .sum(),
            overload: what_if.overload.map(|worst| worst.factor()),
            keys_moved: answer
                .keys_moved
                .as_ref()
                .map(|moved| of_keys(moved.moved, moved.keys)),
            zones: zone_verdict(question, answer, zone_loss),
            success: totals
                .map(|success| success.total() * 100.0)
                .min_by(f64::total_cmp),
        }
    }

    /// The worst effect of the loss, or of the loss of whole zones if that is asked for.
    pub(super) fn effect(&self) -> RowEffect {
        match &self.zones {
            Some(zones) if zones.no_host > 0.0 => RowEffect::LosesRequests,
            Some(zones) if !zones.fatal.is_empty() => RowEffect::Panics,
            Some(_) => RowEffect::Nothing,
            None if self.no_host > 0.0 => RowEffect::LosesRequests,
            None if !self.panic.is_empty() => RowEffect::Panics,
            None if self.moved > 0 => RowEffect::Spills,
            None => RowEffect::Nothing,
        }
    }
}

/// The names of the priorities in panic mode.
fn panicking(state: &LoadState, names: &[String]) -> Vec<String> {
    let names = names.iter().enumerate();
    let panicking = names.filter(|(place, _)| state.panics(*place));
    panicking.map(|(_, name)| name.clone()).collect()
}

/// The losses of whole zones; `None` if they are not asked for, or there are too few zones.
fn zone_verdict(
    question: &Question,
    answer: &Answer,
    loss: Option<ZoneLoss>,
) -> Option<ZoneVerdict> {
    let computed: Vec<ZoneFailure>;
    let failures = match (question.n_minus, loss?) {
        (Some(_), _) => &answer.n_minus,
        (None, loss) => {
            computed = question.scene().failures(&question.zones, loss);
            &computed
        }
    };
    if failures.is_empty() {
        return None;
    }
    let mut verdict = ZoneVerdict::default();
    for failure in failures.iter().filter(|failure| !failure.state.survives()) {
        verdict.no_host = verdict.no_host.max(failure.state.no_host);
        let zones = question.zone_names(failure);
        verdict.fatal.push(zones.join(" and "));
    }
    Some(verdict)
}
