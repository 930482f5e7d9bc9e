//! The explanation as people read it.

use anstyle::{AnsiColor, Style};
use spillgate_config::{Position, envoy::Places};
use spillgate_core::{
    decide::Decision,
    snapshot::Snapshot,
    subset::Choice,
    trace::{Figure, Step, StepKind},
    why::{Why, why_level, why_line_level},
};

use super::{figures, verdict::Verdict};
use crate::pick::PickRequest;

/// The most hosts that are listed; the rest is counted.
const MOST_HOSTS: usize = 20;

/// The most characters of a line that are quoted.
const LONGEST_QUOTE: usize = 80;

/// How wide the names of steps are.
const WIDTH: usize = 10;

/// Everything that a story refers to.
pub(super) struct Story<'a> {
    pub(super) file: &'a str,
    /// What the file says.
    pub(super) text: &'a str,
    pub(super) snapshot: &'a Snapshot,
    pub(super) places: &'a Places<'a>,
    pub(super) colours: bool,
}

impl Story<'_> {
    /// The answer, each step that led to it, and what else might have come out.
    pub(super) fn tell(&self, request: &PickRequest, verdict: &Verdict<'_>) -> String {
        let mut text = self.answer(request, verdict);
        let mut rest = verdict.steps.iter().peekable();
        while let Some(step) = rest.next() {
            // A load is explained where it is used last: retries use it again.
            let last = !rest.clone().any(|later| later.kind == step.kind);
            text.push('\n');
            text.push_str(&self.step(step, verdict, last));
        }
        if verdict.is_random() {
            text.push('\n');
            text.push_str(&self.distribution(verdict));
        }
        text
    }

    fn answer(&self, request: &PickRequest, verdict: &Verdict<'_>) -> String {
        let header = |name: &str| {
            let mut headers = request.headers.iter();
            headers
                .find(|(have, _)| have == name)
                .map_or("", |(_, value)| value)
        };
        let bold = self.style(Style::new().bold());
        let what = format!(
            "{} {}{}",
            header(":method"),
            header(":authority"),
            header(":path")
        );
        let endpoint = verdict.decision.and_then(|d| d.endpoint(self.snapshot));
        let host = endpoint
            .map(|endpoint| &endpoint.address)
            .or(verdict.named.as_ref());
        let answer = match (host, verdict.status) {
            (Some(host), _) => host.clone(),
            (None, Some(status)) => format!("{status} ({})", verdict.reason().replace('_', " ")),
            (None, None) => "unknown".into(),
        };
        let drawn = match verdict.is_random() {
            true => format!(", drawn with seed {}", verdict.seed),
            false => String::new(),
        };
        format!("{what} -> {bold}{answer}{bold:#}{drawn}\n")
    }

    fn step(&self, step: &Step, verdict: &Verdict<'_>, last: bool) -> String {
        let cyan = self.style(AnsiColor::Cyan.on_default().bold());
        let name = step.kind.name();
        let mut text = format!("{cyan}{name:WIDTH$}{cyan:#}{}\n", step.what);
        // What the words say already is not said again.
        let told = |value: &Figure| matches!(value, Figure::Text(text) if step.what.contains(text));
        let figures = step.values.iter().filter(|(_, value)| !told(value));
        let figures: Vec<String> = figures.map(figure).collect();
        for line in wrapped(&figures) {
            text.push_str(&format!("{:WIDTH$}{line}\n", ""));
        }
        let why = verdict.decision.as_ref().filter(|_| last);
        if let Some(why) = why.and_then(|decision| self.why(step, decision)) {
            for line in figures::lines(self.snapshot, self.places, &why) {
                let indent = "  ".repeat(line.depth);
                let at = match line.at {
                    Some((at, true)) => format!("  the default, in {}", self.place(at)),
                    Some((at, false)) => format!("  {}", self.place(at)),
                    None => String::new(),
                };
                text.push_str(&format!("{:WIDTH$}{indent}{}{at}\n", "", line.text));
            }
        }
        if let Some(at) = self.places.of(self.snapshot, step.ground) {
            let quoted = self.quoted(at);
            text.push_str(&format!("{:>WIDTH$}{}  {quoted}\n", "--> ", self.place(at)));
        }
        text
    }

    /// Why the level that was chosen has its load; loads within subsets have no derivation.
    fn why(&self, step: &Step, decision: &Decision) -> Option<Why> {
        let level = decision.level?;
        match step.kind {
            StepKind::Level => {
                let whole = decision.subset.is_none_or(|s| s.choice == Choice::Whole);
                // An aggregate's choice of a level stands, unless the member hashes.
                let hashes = self.snapshot.plain(level.owner)?.settings.policy.hashes();
                let own = level.owner == decision.cluster || hashes;
                let why = why_level(self.snapshot, level.owner, level.priority);
                why.filter(|_| whole && own)
            }
            // A member that hashes chooses its level again; this is the aggregate's choice.
            StepKind::Cluster => match step.values.iter().find(|(name, _)| *name == "line")? {
                (_, Figure::Number(line)) => why_line_level(
                    self.snapshot,
                    decision.cluster,
                    usize::try_from(*line).ok()?,
                ),
                _ => None,
            },
            _ => None,
        }
    }

    fn distribution(&self, verdict: &Verdict<'_>) -> String {
        let mut text = "Every draw, and how often:\n".to_owned();
        for outcome in verdict.outcomes.iter().take(MOST_HOSTS) {
            text.push_str(&format!(
                "{:>8.2} %  {}  {} P{}\n",
                outcome.share, outcome.endpoint, outcome.owner, outcome.priority
            ));
        }
        if let Some(more @ 1..) = verdict.outcomes.len().checked_sub(MOST_HOSTS) {
            let rest = verdict.outcomes.iter().skip(MOST_HOSTS);
            let share: f64 = rest.map(|outcome| outcome.share).sum();
            text.push_str(&format!("{share:>8.2} %  {more} more hosts\n"));
        }
        if verdict.no_host > 0.0 {
            text.push_str(&format!("{:>8.2} %  no host\n", verdict.no_host));
        }
        text
    }

    fn place(&self, at: Position) -> String {
        let dim = self.style(Style::new().dimmed());
        format!("{dim}{}:{at}{dim:#}", self.file)
    }

    /// The line of a place; where it is long, as a document without line breaks is, what begins
    /// there.
    fn quoted(&self, at: Position) -> String {
        let before = |number: u32| usize::try_from(number).map_or(0, |n| n.saturating_sub(1));
        let line = self.text.lines().nth(before(at.line)).unwrap_or_default();
        let whole = line.trim();
        if whole.chars().count() <= LONGEST_QUOTE {
            return whole.to_owned();
        }
        let rest = line.chars().skip(before(at.column));
        rest.take(LONGEST_QUOTE).chain("...".chars()).collect()
    }

    fn style(&self, style: Style) -> Style {
        if self.colours { style } else { Style::new() }
    }
}

/// Lines of figures that a terminal of 100 columns shows whole.
fn wrapped(figures: &[String]) -> Vec<String> {
    const LONGEST: usize = 100 - WIDTH;
    let mut lines: Vec<String> = Vec::new();
    for (at, figure) in figures.iter().enumerate() {
        let comma = if at + 1 < figures.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if line.len() + 2 + figure.len() <= LONGEST => {
                line.push_str(&format!(" {figure}{comma}"));
            }
            _ => lines.push(format!("{figure}{comma}")),
        }
    }
    lines
}

fn figure((name, figure): &(&'static str, Figure)) -> String {
    let value = match figure {
        Figure::Number(number) => number.to_string(),
        Figure::Numbers(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("[{}]", numbers.join(" "))
        }
        Figure::Flag(true) => "yes".into(),
        Figure::Flag(false) => "no".into(),
        Figure::Text(text) => format!("{text:?}"),
        // A kind of figure that is newer than this command.
        _ => "?".into(),
    };
    format!("{} {value}", name.replace('_', " "))
}
