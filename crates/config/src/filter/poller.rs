//! The poller's configuration: which admins to poll, for which clusters, and how often.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use super::health::{DEFAULT_INTERVAL, read_interval};
use crate::{
    Diagnostic,
    node::{self, NodeValue, quote},
    proto::{Message, Path, Report, Schema},
};

/// The whole configuration of a poller.
pub(super) static CONFIG: Schema = Schema::new("the poller's configuration", "poll");
/// One admin and its clusters.
pub(super) static POLL: Schema =
    Schema::new("poll[]", "cluster targets interval metadata_interval");

/// One admin and its clusters (`poll[]`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poll {
    /// The Envoy cluster that reaches the admin.
    pub cluster: String,
    /// The clusters whose hosts are polled; unique, at least one.
    pub targets: Vec<String>,
    /// Poll interval; at least 50 ms.
    pub interval: Duration,
    /// Poll interval for endpoint metadata, if metadata are polled; at least 50 ms.
    pub metadata_interval: Option<Duration>,
}

/// Reads the configuration of a poller.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use core::time::Duration;
/// use spillgate_config::filter::read_poller;
///
/// let json = r#"{"poll": [{"cluster": "admin", "targets": ["shop"], "interval": "0.5s"}]}"#;
/// let polls = read_poller(json)?;
/// assert_eq!(polls[0].targets, ["shop"]);
/// assert_eq!(polls[0].interval, Duration::from_millis(500));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_poller(json: &str) -> Result<Vec<Poll>, Vec<Diagnostic>> {
    let document = node::read_json(json).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::strict();
    report.doubt_all(document.warnings);
    let mut polls: Vec<Poll> = Vec::new();
    let root = document.roots.first();
    let root = root.and_then(|root| Message::open(root, Path::root(), &CONFIG, &mut report));
    if let Some(root) = root {
        for (path, node) in root.list("poll", &mut report) {
            let message = Message::open(node, path, &POLL, &mut report);
            let poll = message.and_then(|message| read_poll(&message, &polls, &mut report));
            polls.extend(poll);
        }
        if polls.is_empty() && report.errors() == 0 {
            report.push(root.error("poll", "config/missing", "empty poll list"));
        }
    }
    report.finish().map(|_| polls)
}

fn read_poll(message: &Message<'_, '_>, before: &[Poll], report: &mut Report) -> Option<Poll> {
    let cluster = message.required_string("cluster", report);
    let interval = read_interval(message, "interval", report);
    let metadata_interval = read_interval(message, "metadata_interval", report);
    let errors = report.errors();
    let mut targets: Vec<String> = Vec::new();
    for node in message.strings("targets", report) {
        let NodeValue::String(target) = &node.value else {
            continue;
        };
        let twice = before
            .iter()
            .filter(|poll| Some(poll.cluster.as_str()) == cluster)
            .flat_map(|poll| &poll.targets)
            .chain(&targets)
            .any(|known| *known == **target);
        if twice || target.is_empty() {
            let what = if twice {
                "duplicate cluster"
            } else {
                "empty cluster name"
            };
            let path = message.path.field("targets").text();
            let fault = Diagnostic::error("config/value", what).at(path, node.position);
            report.push(fault.found(quote(target)));
            continue;
        }
        targets.push(target.as_ref().into());
    }
    let faultless = report.errors() == errors;
    if !message.has("targets") || (targets.is_empty() && faultless) {
        let fault = "no targets";
        message
            .error("targets", "config/missing", fault)
            .expected("cluster names")
            .push_to(report);
    }
    Some(Poll {
        cluster: cluster?.into(),
        targets,
        interval: interval.unwrap_or(DEFAULT_INTERVAL),
        metadata_interval,
    })
}
