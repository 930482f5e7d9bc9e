//! Reads a script file: YAML or JSON, with the position of every fault.

use alloc::{format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::{
    Diagnostic, Position,
    envoy::Format,
    node::{Node, NodeValue},
    proto::{Message, Path, Report, Schema, field_of, nearest},
};
use spillgate_sim::{Selector, SpecFault, spec::Piece};

use super::{
    HostBehavior, HostEvent, IncidentScript, LoadStep, RequestLoad, TimeSpan,
    entry::{read_amount, read_status},
    span::read_time,
};

static SCRIPT: Schema = Schema::new(
    "an incident",
    "rps service_time sessions until cluster events expect",
);

static EVENT: Schema = Schema::new(
    "an event",
    "fail errors slow timeout degraded remove add flap rate status delay period from to",
);

static STEP: Schema = Schema::new("a step of the load", "from rps");

/// The field with the amount of a behavior.
const fn amount_field(behavior: HostBehavior) -> Option<&'static str> {
    match behavior {
        HostBehavior::Errors(_) => Some("rate"),
        HostBehavior::Slow(_) => Some("delay"),
        HostBehavior::Flap(_) => Some("period"),
        _ => None,
    }
}

/// A script file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentFile {
    /// The script.
    pub script: IncidentScript,
    /// The names or patterns of the clusters in question (`cluster`).
    pub clusters: Vec<String>,
    /// The expectations (`expect`).
    pub expect: Vec<StatedExpectation>,
    /// Valid settings with unintended effects.
    pub warnings: Vec<Diagnostic>,
}

/// The text of an expectation in a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedExpectation {
    /// The text.
    pub text: String,
    /// Its path.
    pub path: String,
    /// Its position.
    pub position: Position,
}

/// Reads a script.
///
/// # Errors
/// All errors of the text, in text order; only the first one if it is a syntax error.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::Format;
/// use spillgate_incident::read_script;
///
/// let text = "rps: 200\nevents:\n- {fail: zone=a, from: 10s, to: 70s}\n";
/// let file = read_script(text, Format::Yaml).unwrap();
/// assert_eq!(file.script.events.len(), 1);
/// let faults = read_script("events:\n- {fail: zone=a, from: soon}\n", Format::Yaml).unwrap_err();
/// assert_eq!(faults[0].position.map(|at| at.line), Some(2));
/// ```
pub fn read_script(text: &str, format: Format) -> Result<IncidentFile, Vec<Diagnostic>> {
    let document = format.parse(text).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::default();
    report.doubt_all(document.warnings);
    if let Some(second) = document.roots.get(1) {
        let fault = Diagnostic::error("config/value", "more than one document");
        report.push(fault.at("", second.position).expected("one script"));
    }
    let mut file = IncidentFile::default();
    match document.roots.first() {
        Some(root) => {
            if let Some(message) = Message::open(root, Path::root(), &SCRIPT, &mut report) {
                file = of_message(&message, &mut report);
            }
        }
        None => {
            let fault = Diagnostic::error("config/missing", "empty script");
            report.push(fault.expected("events, rps or until"));
        }
    }
    file.warnings = report.finish()?;
    Ok(file)
}

/// Whether a text is a script rather than a configuration: a map with `events`.
#[must_use]
pub fn is_script(text: &str, format: Format) -> bool {
    let document = format.parse(text).ok();
    let root = document
        .as_ref()
        .and_then(|document| document.roots.first());
    root.is_some_and(|root| field_of(root, "events").is_some())
}

fn of_message(message: &Message<'_, '_>, report: &mut Report) -> IncidentFile {
    let mut events = Vec::new();
    for (path, node) in message.list("events", report) {
        events.extend(read_event(node, path, report));
    }
    let clusters = message.string("cluster", report);
    IncidentFile {
        script: IncidentScript {
            events,
            load: read_load(message, report).unwrap_or_default(),
            service_time: time(message, "service_time", report),
            sessions: message.u32("sessions", report).unwrap_or_default(),
            until: time(message, "until", report),
        },
        clusters: clusters.map(String::from).into_iter().collect(),
        expect: read_expectations(message, report),
        warnings: Vec::new(),
    }
}

/// `rps: 200`, or steps `rps: [{from: 0s, rps: 200}, {from: 60s, rps: 400}]`.
fn read_load(message: &Message<'_, '_>, report: &mut Report) -> Option<RequestLoad> {
    let node = message.get("rps")?;
    if !matches!(node.value, NodeValue::List(_)) {
        return rate(message, report).map(RequestLoad::constant);
    }
    let mut steps = Vec::new();
    for (path, node) in message.list("rps", report) {
        let Some(step) = Message::open(node, path, &STEP, report) else {
            continue;
        };
        let from = required_time(&step, "from", report);
        if let (Some(from), Some(rps)) = (from, rate(&step, report)) {
            steps.push(LoadStep { from, rps });
        }
    }
    Some(RequestLoad::in_steps(steps))
}

fn rate(message: &Message<'_, '_>, report: &mut Report) -> Option<f64> {
    if !message.has("rps") {
        let fault = message.error("rps", "config/missing", "missing rps");
        report.push(fault.expected("requests per second"));
        return None;
    }
    let rps = message.double("rps", report)?;
    if (0.0..=1e9).contains(&rps) {
        return Some(rps);
    }
    message.out_of_range("rps", "requests per second from 0 to 1000000000", report);
    None
}

fn read_event(node: &Node<'_>, path: Path, report: &mut Report) -> Option<HostEvent> {
    let message = Message::open(node, path, &EVENT, report)?;
    let fields = HostBehavior::ALL.map(|of| of.name());
    message.one_of(&fields, report);
    let mut all = HostBehavior::ALL.into_iter();
    let Some(behavior) = all.find(|of| message.has(of.name())) else {
        let fault = Diagnostic::error("config/missing", "no behavior of hosts");
        let fault = fault.at(message.path.text(), node.position);
        report.push(fault.expected(format!("one of {}", fields.join(", "))));
        return None;
    };
    let (field, amount) = (behavior.name(), amount_field(behavior));
    let hosts = read_hosts(&message, field, report);
    for (other, of) in [
        ("rate", "rate"),
        ("status", "rate"),
        ("delay", "delay"),
        ("period", "period"),
    ] {
        if Some(of) != amount && message.has(other) {
            let what = format!("{other} has no effect on {field}");
            report.push(message.error(other, "incident/event", what));
        }
    }
    let behavior = match amount {
        Some(amount) => read_amount_field(&message, amount, behavior, report),
        None => Some(behavior),
    };
    let status = read_status_field(&message, report);
    let behavior = behavior.map(|of| status.map_or(of, |status| of.with_status(status)));
    let from = required_time(&message, "from", report);
    let to = time(&message, "to", report);
    if let (Some(from), Some(to)) = (from, to)
        && from >= to
    {
        let fault = message.error("to", "incident/span", "the end is not after the start");
        report.push(fault.expected("a time after from"));
    }
    Some(HostEvent {
        behavior: behavior?,
        hosts: hosts?,
        span: TimeSpan { from: from?, to },
    })
}

fn read_hosts(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<Selector> {
    let text = message.required_string(field, report)?;
    match Selector::parse(text) {
        Ok(selector) => Some(selector),
        Err(faults) => {
            for fault in &faults {
                report.push(at_field(fault, message, field));
            }
            None
        }
    }
}

fn read_amount_field(
    message: &Message<'_, '_>,
    field: &'static str,
    behavior: HostBehavior,
    report: &mut Report,
) -> Option<HostBehavior> {
    let Some(text) = scalar(message, field, report) else {
        if !message.has(field) {
            // Errors without a rate are all requests.
            if matches!(behavior, HostBehavior::Errors(_)) {
                return Some(behavior);
            }
            let fault = message.error(field, "config/missing", format!("missing {field}"));
            report.push(fault.expected("a time such as 2s"));
        }
        return None;
    };
    let read = read_amount(behavior, Piece::whole(&text));
    read.map_err(|fault| report.push(at_field(&fault, message, field)))
        .ok()
}

fn read_status_field(message: &Message<'_, '_>, report: &mut Report) -> Option<u16> {
    const FIELD: &str = "status";
    let text = scalar(message, FIELD, report)?;
    read_status(Piece::whole(&text))
        .map_err(|fault| report.push(at_field(&fault, message, FIELD)))
        .ok()
}

fn required_time(
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<Duration> {
    if !message.has(field) {
        let fault = message.error(field, "config/missing", format!("missing {field}"));
        report.push(fault.expected("a time such as 10s"));
        return None;
    }
    time(message, field, report)
}

fn time(message: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Option<Duration> {
    let text = scalar(message, field, report)?;
    read_time(Piece::whole(&text))
        .map_err(|fault| report.push(at_field(&fault, message, field)))
        .ok()
}

/// The text of a string or a number.
fn scalar(message: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Option<String> {
    match &message.get(field)?.value {
        NodeValue::String(text) => Some(String::from(&**text)),
        NodeValue::Int(number) => Some(format!("{number}")),
        NodeValue::Uint(number) => Some(format!("{number}")),
        NodeValue::Decimal(number) => Some(format!("{number}")),
        _ => {
            let fault = message.error(field, "config/type", "wrong type");
            report.push(fault.expected("a text or a number"));
            None
        }
    }
}

fn read_expectations(message: &Message<'_, '_>, report: &mut Report) -> Vec<StatedExpectation> {
    let mut found = Vec::new();
    for (path, node) in message.list("expect", report) {
        match &node.value {
            NodeValue::String(text) => found.push(StatedExpectation {
                text: String::from(&**text),
                path: path.text(),
                position: node.position,
            }),
            _ => {
                let fault = Diagnostic::error("config/type", "wrong type");
                let fault = fault.at(path.text(), node.position).found(node.describe());
                report.push(fault.expected("an expectation such as detect <= 5s"));
            }
        }
    }
    found
}

/// The fault of the text of a field.
fn at_field(fault: &SpecFault, message: &Message<'_, '_>, field: &'static str) -> Diagnostic {
    let choices = fault.choices.iter().map(String::as_str);
    Diagnostic::error(fault.code, fault.message)
        .at(message.path.field(field).text(), message.position_of(field))
        .found(fault.found.as_str())
        .expected(fault.expected.as_str())
        .suggest(nearest(fault.found.trim_matches('"'), choices))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn faults(text: &str) -> Vec<(u32, &'static str)> {
        let found = read_script(text, Format::Yaml).unwrap_err();
        let places = found.iter().map(|fault| {
            let line = fault.position.map_or(0, |at| at.line);
            (line, fault.code)
        });
        places.collect()
    }

    #[test]
    fn a_script_has_events_and_a_load() {
        let text = "rps:\n- {from: 0s, rps: 200}\n- {from: 60s, rps: 400}\nservice_time: 20ms\nsessions: 500\nuntil: 3m\ncluster: shop\n\
                    events:\n- {fail: zone=a, from: 10s, to: 70s}\n\
                    - {errors: \"host=10.0.0.1:80\", rate: 50%, from: 20s}\n\
                    - {flap: zone=b, period: 5s, from: 1s}\nexpect: [detect <= 5s]\n";
        let file = read_script(text, Format::Yaml).unwrap();
        assert_eq!(file.script.end(), Duration::from_secs(180));
        assert_eq!(file.script.load.at(Duration::from_secs(61)), 400.0);
        let answered = Some(Duration::from_millis(20));
        assert_eq!(file.script.service_time, answered);
        assert_eq!(file.script.sessions, 500);
        let events = file.script.events.iter().map(ToString::to_string);
        let events: Vec<String> = events.collect();
        assert_eq!(
            events,
            [
                "fail zone=a@10s..70s",
                "errors host=10.0.0.1:80:50%@20s..",
                "flap zone=b:5s@1s.."
            ]
        );
        assert_eq!(file.expect[0].text, "detect <= 5s");
        assert_eq!(file.clusters, ["shop"]);
    }

    #[test]
    fn every_fault_has_its_line() {
        let text = "rps: -1\nuntil: soon\nevents:\n- {fail: zne=a, from: 10s, to: 5s}\n\
                    - {slow: zone=a, from: 1s}\n- {from: 1s}\n- {fail: zone=a, rate: 5%, from: 1s}\n\
                    - {fail: zone=a, errors: zone=b, from: 1s}\n- {errors: zone=a, rate: 0, from: 1s}\n";
        assert_eq!(
            faults(text),
            [
                (1, "config/value"),
                (2, "incident/time"),
                (4, "what-if/selector"),
                (4, "incident/span"),
                (5, "config/missing"),
                (6, "config/missing"),
                (7, "incident/event"),
                (8, "config/one-of"),
                (9, "incident/rate"),
            ]
        );
    }
}
