//! The explanation as text.

use anstyle::{AnsiColor, Style};
use spillgate_answers::{
    access_log::LogFindings,
    explain::{AskedKind, RequestVerdict},
    limits::Limits,
    pick::{CLOSED, OwnReply, PickRequest},
    status::grpc_status,
};
use spillgate_config::{Position, envoy::ConfigPositions};
use spillgate_core::visible::quoted;
use spillgate_core::{
    route::{HeaderList, is_grpc},
    snapshot::Snapshot,
    trace::{ConfigRef, Step},
    visible::visible,
    why::Why,
};
use spillgate_explain::{
    Notation, StepFigure, WhyText, arithmetic, derivation, figures, quoted_line, sentence,
};

use super::success;
use crate::{config::Config, printed::Painted, split};

/// The maximum number of listed hosts; the others are counted.
const MOST_HOSTS: usize = 20;

/// The width of the column of step names.
const WIDTH: usize = 10;

/// The data that the text refers to.
pub(super) struct Story<'a> {
    /// The configuration with the texts of the positions.
    pub(super) config: &'a Config,
    /// The clusters of the decision.
    pub(super) snapshot: &'a Snapshot,
    /// The positions of settings in the file.
    pub(super) places: &'a ConfigPositions<'a>,
    /// What is asked.
    pub(super) kind: &'a AskedKind,
    /// Whether the text has colors.
    pub(super) style: split::Style,
    /// The settings that are not modeled and concern the request.
    pub(super) limits: &'a Limits,
    /// The line of `--log`, compared with the answer.
    pub(super) log: Option<&'a LogFindings<'a>>,
}

/// Whether a step shows the derivation of the load of its priority.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoadDerivation {
    Shown,
    Omitted,
}

impl Story<'_> {
    /// The result, the steps, and every possible outcome.
    pub(super) fn text_of(&self, request: &PickRequest, verdict: &RequestVerdict<'_>) -> String {
        let mut text = self.answer(request, verdict);
        for dependence in verdict.reached.depends_on() {
            text.push_str(&format!("depends on: {}\n", visible(&dependence)));
        }
        text.push_str(&self.limits.text());
        if let Some(found) = self.log {
            text.push('\n');
            text.push_str(&self.log_line(found));
        }
        let mut rest = verdict.steps.iter().peekable();
        while let Some(step) = rest.next() {
            // Retries use a load again; its last use has the derivation.
            let repeated = rest.clone().any(|later| later.kind() == step.kind());
            let shown = if repeated {
                LoadDerivation::Omitted
            } else {
                LoadDerivation::Shown
            };
            text.push('\n');
            text.push_str(&self.step(step, verdict, shown));
        }
        if let (Some(_), Some(cluster)) = (verdict.decision, &verdict.unknown_hosts) {
            let why = format!("cluster {cluster}: {}", verdict.why_unknown);
            let why = visible(&why);
            text.push_str(&format!("\nOther possible outcomes are unknown ({why})\n"));
        }
        if verdict.is_random() {
            text.push('\n');
            text.push_str(&self.distribution(verdict));
        }
        if let Some(story) = &verdict.success {
            text.push('\n');
            text.push_str(&success::text(story, &|at| self.place(at)));
        }
        text
    }

    /// The first line: the request and its result.
    fn answer(&self, request: &PickRequest, verdict: &RequestVerdict<'_>) -> String {
        let header = |name: &str| {
            let mut headers = request.headers.iter();
            headers
                .find(|(have, _)| have == name)
                .map_or("", |(_, value)| value)
        };
        let bold = self.style(Style::new().bold());
        let asked = match self.kind {
            AskedKind::Request | AskedKind::Direct => format!(
                "{} {}{}",
                header(":method"),
                header(":authority"),
                header(":path")
            ),
            AskedKind::Key(key, function) => format!("key {} ({function})", quoted(key)),
            AskedKind::NoKeyRoute(key) => format!("key {}", quoted(key)),
            AskedKind::Connection | AskedKind::NoFilterChain | AskedKind::NotModeled => {
                connection(request)
            }
            AskedKind::Session => format!("UDP session from {}", request.source),
        };
        let endpoint = verdict.decision.and_then(|d| d.endpoint(self.snapshot));
        let host = endpoint
            .map(|endpoint| &endpoint.address)
            .or(verdict.named.as_ref());
        let answer = match (host, verdict.status) {
            (Some(host), _) => host.clone(),
            (None, Some(CLOSED)) if *self.kind == AskedKind::Session => {
                format!("dropped ({})", verdict.reason().replace('_', " "))
            }
            (None, Some(CLOSED)) => format!("closed ({})", verdict.reason().replace('_', " ")),
            (None, Some(status)) => {
                let reason = verdict.reason().replace('_', " ");
                if self.kind.is_http() && is_grpc(&HeaderList(&request.headers)) {
                    let (code, name) = grpc_status(status);
                    format!("{status} ({reason}), for gRPC 200 with grpc-status {code} ({name})")
                } else {
                    format!("{status} ({reason})")
                }
            }
            (None, None) => match &verdict.unknown_hosts {
                Some(cluster) => format!("unknown (cluster {cluster}: {})", verdict.why_unknown),
                None if verdict.reason() == "hosts_unknown" => {
                    format!("unknown ({})", verdict.why_unknown)
                }
                None => "unknown".into(),
            },
        };
        let drawn = if verdict.is_random() {
            format!(", random, with seed {}", verdict.seed)
        } else {
            String::new()
        };
        let (asked, answer) = (visible(&asked), visible(&answer));
        format!("{asked} -> {bold}{answer}{bold:#}{drawn}\n")
    }

    /// The line of `--log`: what it states, and what that means for the configuration.
    fn log_line(&self, found: &LogFindings<'_>) -> String {
        let cyan = self.style(AnsiColor::Cyan.on_default().bold());
        let name = "log line";
        let stated = found.stated();
        let mut text = format!("{cyan}{name:WIDTH$}{cyan:#}{stated}");
        if let Some(share) = found.share {
            text.push_str(&format!(": {share:.2} % of such requests"));
        }
        text.push('\n');
        let mut add = |line: &str| text.push_str(&format!("{:WIDTH$}{}\n", "", visible(line)));
        for (flag, here) in &found.flags {
            add(&format!("{}: {}", flag.name, flag.meaning));
            here.iter().for_each(|line| add(line));
        }
        for line in &found.differs {
            add(&format!("differs: {line}"));
        }
        let cause = if found.differs.is_empty() {
            "depends on"
        } else {
            "can be the cause"
        };
        for line in &found.causes {
            add(&format!("{cause}: {line}"));
        }
        text
    }

    /// One step: its sentence, its figures, its derivation and its place.
    fn step(&self, step: &Step, verdict: &RequestVerdict<'_>, shown: LoadDerivation) -> String {
        let cyan = self.style(AnsiColor::Cyan.on_default().bold());
        let name = step.kind().name();
        let what = sentence(self.snapshot, &step.data);
        let what = visible(&what);
        let mut text = format!("{cyan}{name:WIDTH$}{cyan:#}{what}\n");
        if let Some(arithmetic) = arithmetic(self.snapshot, &step.data) {
            text.push_str(&format!("{:WIDTH$}{}\n", "", visible(&arithmetic)));
        }
        let figures = figures(&step.data).into_iter();
        let figures: Vec<String> = figures.filter(|f| !f.in_sentence).map(figure).collect();
        for line in wrapped(&figures) {
            text.push_str(&format!("{:WIDTH$}{}\n", "", visible(&line)));
        }
        let decision = verdict
            .decision
            .as_ref()
            .filter(|_| shown == LoadDerivation::Shown);
        if let Some((decision, why)) = decision.and_then(|decision| {
            let why = derivation(self.snapshot, decision, &step.data)?;
            Some((decision, why))
        }) {
            let words = WhyText {
                snapshot: self.snapshot,
                cluster: decision.cluster,
                notation: Notation::Ascii,
            };
            self.write_derivation(&words, &why, 0, &mut text);
        }
        if let Some(at) = self.places.of(self.snapshot, step.config) {
            let quoted = self.quoted(at);
            text.push_str(&format!("{:>WIDTH$}{}  {quoted}\n", "--> ", self.place(at)));
        }
        text
    }

    /// A line for a figure: its value, its rule with values, its place. Then its causes, indented.
    fn write_derivation(&self, words: &WhyText<'_>, why: &Why, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let (label, value) = (words.label(why.subject), words.value(why.value));
        let label = visible(&label);
        text.push_str(&format!("{:WIDTH$}{indent}{label} = {value}", ""));
        let formula = words.formula(&why.formula);
        if !formula.is_empty() {
            text.push_str(&format!(": {}", visible(&formula)));
        }
        if let Some((cluster, setting)) = why.subject.setting()
            && let Some(at) = self.places.of(self.snapshot, setting)
        {
            let begin = self.places.of(self.snapshot, ConfigRef::Cluster(cluster));
            let default = if begin == Some(at) {
                "default, in "
            } else {
                ""
            };
            text.push_str(&format!("  {default}{}", self.place(at)));
        }
        text.push('\n');
        for cause in &why.causes {
            self.write_derivation(words, cause, depth + 1, text);
        }
    }

    /// All possible outcomes with their shares.
    fn distribution(&self, verdict: &RequestVerdict<'_>) -> String {
        let mut text = "Possible outcomes:\n".to_owned();
        for outcome in verdict.outcomes.iter().take(MOST_HOSTS) {
            text.push_str(&format!(
                "{:>8.2} %  {}  {} P{}\n",
                outcome.share,
                outcome.endpoint,
                visible(&outcome.owner),
                outcome.priority
            ));
        }
        if let Some(more @ 1..) = verdict.outcomes.len().checked_sub(MOST_HOSTS) {
            let rest = verdict.outcomes.iter().skip(MOST_HOSTS);
            let share: f64 = rest.map(|outcome| outcome.share).sum();
            text.push_str(&format!("{share:>8.2} %  {more} more hosts\n"));
        }
        for reply in &verdict.replies {
            let what = self.reply(reply);
            text.push_str(&format!("{:>8.2} %  {what}\n", reply.share));
        }
        text
    }

    /// A response of Envoy itself.
    fn reply(&self, reply: &OwnReply) -> String {
        reply.text(match self.kind {
            AskedKind::Session => "dropped",
            _ => "closed",
        })
    }

    /// A position as `FILE:LINE:COLUMN`.
    fn place(&self, at: Position) -> String {
        let dim = self.style(Style::new().dimmed());
        let place = self.config.files().place(at);
        let name = visible(place.name);
        format!("{dim}{name}:{}{dim:#}", place.position)
    }

    /// The line at a position.
    fn quoted(&self, at: Position) -> String {
        let place = self.config.files().place(at);
        let text = self.config.texts.get(place.file);
        let text = text.map_or("", |text| text.text.as_str());
        let line = quoted_line(text, place.position.line, place.position.column);
        visible(&line).into_owned()
    }

    /// The style, or no style if the output has no colors.
    fn style(&self, style: Style) -> Painted {
        Painted(match self.style {
            split::Style::Colored => Some(style),
            split::Style::Plain | split::Style::Markdown => None,
        })
    }
}

/// The client of a connection, and what it asks for.
fn connection(request: &PickRequest) -> String {
    let mut text = format!("connection from {}", request.source);
    if request.given.plaintext {
        text.push_str(", without TLS");
    }
    if let Some(name) = &request.given.server_name {
        text.push_str(&format!(", server name {}", quoted(name)));
    }
    text
}

/// The figures in lines of at most 100 columns.
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

/// A figure as `name value`.
fn figure(figure: StepFigure) -> String {
    format!("{} {}", figure.name.replace('_', " "), figure.value.text())
}
