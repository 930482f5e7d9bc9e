//! The sentence of the headline: who takes the traffic.

use spillgate_core::model::CoarseHealth;
use spillgate_explain::report::{NEGLIGIBLE_SHARE, ResultSeverity};

use crate::{PriorityReport, ScenarioOutcome, percent, plural, taken, whole};

/// A part of a sentence; the name of a priority has its color.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentencePart {
    /// Plain text.
    Text(String),
    /// A name, and the place of the priority whose color it has.
    Name(String, usize),
}

/// The text of a sentence.
#[must_use]
pub fn plain_text(parts: &[SentencePart]) -> String {
    parts
        .iter()
        .map(|part| match part {
            SentencePart::Text(text) | SentencePart::Name(text, _) => text.as_str(),
        })
        .collect()
}

/// The maximum number of names in a sentence.
const LONGEST: usize = 3;

/// The sentence of a headline, without its label.
pub(super) fn sentence(severity: ResultSeverity, outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    match severity {
        ResultSeverity::Unknown => vec![text(match &outcome.unknown_hosts {
            Some(cluster) => format!("the configuration does not list the hosts of {cluster}."),
            None => String::new(),
        })],
        ResultSeverity::NoHost => no_host(outcome),
        ResultSeverity::Panic => panic(outcome),
        ResultSeverity::Overload => overload(outcome),
        ResultSeverity::Degraded => degraded(outcome),
        ResultSeverity::Spillover | ResultSeverity::Well => takers(outcome),
    }
}

fn no_host(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    if outcome.no_host() > 100.0 - NEGLIGIBLE_SHARE {
        return vec![text("every request gets a 503.".into())];
    }
    let failed = percent(outcome.no_host());
    let mut parts = vec![text(format!("{failed} of the requests get a 503; "))];
    parts.extend(shares(outcome, ""));
    parts
}

/// A plain cluster names the hosts that serve; an aggregate names its members, and the reason has their hosts.
fn panic(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    if outcome.is_aggregate() {
        return shares(outcome, "");
    }
    let rows = panicking(outcome);
    let (serving, unhealthy) = serving(outcome, &rows);
    let bad = match unhealthy {
        0 => "regardless of their health".into(),
        bad if bad == serving => "all unhealthy".into(),
        bad => format!("{bad} of them unhealthy"),
    };
    let all = rows.len() == outcome.takers().len();
    let hosts = plural(serving, "host");
    let mut parts = Vec::new();
    if all {
        parts.push(text(format!("all traffic goes to {hosts}, {bad}.")));
    } else {
        let share: f64 = rows.iter().map(|row| row.share()).sum();
        let share = percent(share);
        parts.push(text(format!("{share} of the traffic goes to {hosts} of ")));
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                parts.push(text(" and ".into()));
            }
            parts.push(SentencePart::Name(row.name.clone(), row.place));
        }
        parts.push(text(format!(", {bad}.")));
    }
    parts
}

/// The priorities whose hosts serve regardless of their health.
fn panicking(outcome: &ScenarioOutcome) -> Vec<&PriorityReport> {
    let rows = outcome.priorities().iter();
    rows.filter(|row| row.row.load() > 0 && row.in_panic_mode() && !row.repeated)
        .collect()
}

/// `20 of 24 hosts unhealthy.` for an aggregate in panic mode; otherwise the sentence says it.
pub(super) fn unhealthy_of_members(outcome: &ScenarioOutcome) -> Option<String> {
    let (serving, unhealthy) = serving(outcome, &panicking(outcome));
    let hosts = plural(serving, "host");
    let of_members = outcome.is_aggregate();
    of_members.then(|| format!("{unhealthy} of {hosts} unhealthy."))
}

/// The hosts of priorities that get requests, and how many of them are unhealthy.
fn serving(outcome: &ScenarioOutcome, rows: &[&PriorityReport]) -> (usize, usize) {
    let health = |row: &PriorityReport, host| {
        let plain = outcome.snapshot.plain(row.row.at.cluster)?;
        Some(plain.priorities.get(row.row.at.priority)?.coarse(host))
    };
    let hosts = rows.iter().flat_map(|row| {
        let shares = row.hosts.iter().enumerate();
        let serving = shares.filter(|(_, share)| **share > 0.0);
        serving.map(|(host, _)| health(row, host))
    });
    hosts.fold((0, 0), |(all, bad), health| {
        let unhealthy = health == Some(CoarseHealth::Unhealthy);
        (all + 1, bad + usize::from(unhealthy))
    })
}

fn overload(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    let available = whole(outcome.availability());
    vec![text(format!(
        "hosts available for {available} of the traffic take all of it."
    ))]
}

/// `P0 takes 72 %, P1 takes 28 %.` for a reason; `None` if the only priority of a cluster takes all.
pub(super) fn shares_text(outcome: &ScenarioOutcome) -> Option<String> {
    let several = outcome.is_aggregate() || outcome.takers().len() > 1;
    several.then(|| plain_text(&shares(outcome, "")))
}

fn degraded(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    let rows = outcome.priorities().iter();
    let load: u32 = rows.map(|row| row.row.degraded_load).sum();
    let load = whole(load);
    vec![text(format!(
        "{load} of the traffic goes to degraded hosts."
    ))]
}

/// The traffic of each priority or member: `P0 takes 70 % of the traffic, P1 takes 30 %.`
fn takers(outcome: &ScenarioOutcome) -> Vec<SentencePart> {
    shares(outcome, " of the traffic")
}

/// The traffic of each priority or member; `of` follows the first share.
fn shares(outcome: &ScenarioOutcome, of: &str) -> Vec<SentencePart> {
    let takers = outcome.takers();
    let named = if takers.len() > LONGEST {
        LONGEST - 1
    } else {
        takers.len()
    };
    let mut parts = Vec::new();
    for (at, taker) in takers.iter().take(named).enumerate() {
        if at > 0 {
            parts.push(text(", ".into()));
        }
        parts.push(SentencePart::Name(taker.name.into(), taker.color));
        let of = if at == 0 { of } else { "" };
        parts.push(text(format!(" takes {}{of}", taker.taken)));
    }
    let others = takers.len() - named;
    if others > 0 {
        let rest = takers.iter().skip(named).map(|taker| taker.served).sum();
        let rest = percent(rest);
        parts.push(text(format!(", {others} more take {rest}")));
    }
    parts.push(text(".".into()));
    parts
}

const fn text(text: String) -> SentencePart {
    SentencePart::Text(text)
}

/// A priority, or a member of an aggregate, that takes traffic.
struct Taker<'a> {
    name: &'a str,
    /// The place of the priority whose color it has.
    color: usize,
    /// `70 %`
    taken: String,
    /// In percent.
    served: f64,
}

impl ScenarioOutcome {
    /// Who takes traffic, in the order of the priorities.
    fn takers(&self) -> Vec<Taker<'_>> {
        let taker = |name, color, load: u32, served: f64| {
            // A priority without a usable host takes nothing, whatever its load.
            let served = if self.no_host() > 0.0 || self.is_composite() {
                served
            } else {
                f64::from(load)
            };
            Some(Taker {
                name,
                color,
                taken: taken(load, served)?,
                served,
            })
        };
        if self.is_aggregate() {
            let clusters = self.clusters.iter();
            let takers = clusters.filter_map(|row| {
                let color = row.priorities.first().copied().unwrap_or(0);
                taker(row.name.as_str(), color, row.load, row.served)
            });
            takers.collect()
        } else {
            let rows = self.priorities().iter();
            let takers = rows
                .filter(|row| !row.repeated)
                .filter_map(|row| taker(&row.name, row.place, row.row.load(), row.share()));
            takers.collect()
        }
    }
}
