//! Every message of the Live screen.

use std::fmt;

use spillgate_scenario::plural;

use super::{LiveFault, SettingsSource};

/// The parts of a bootstrap that serve `/live/`, as in the demo.
pub const SNIPPET: &str = include_str!("snippet.yaml");

/// A message of the Live screen.
#[derive(Debug, Clone)]
pub enum LiveMessage<'a> {
    /// The first read is not complete.
    Reading,
    /// The server has no `/live/`; why the read failed.
    Absent(&'a LiveFault),
    /// A read failed; the age of the data and the time until the next read, in milliseconds.
    Failed(&'a LiveFault, u64, u32),
    /// The age of the data in milliseconds.
    Age(u64),
    /// The user paused the polling; the age of the data in milliseconds.
    Paused(u64),
    /// Envoy reports no hosts, or more than the playground supports; the reason.
    NotShown(&'a str),
    /// Where the settings are from.
    Settings(SettingsSource),
    /// Requests that no host counts, in percent as a text.
    NoHost(&'a str),
    /// The server does not offer the counters of the filter.
    NoCounters,
    /// Envoy has no Spillgate filter, or it has not decided yet.
    NoFilter,
    /// The filter has not decided in the window.
    NoDecisions,
    /// The first screen follows Envoy.
    Following,
    /// It does not: the user changed the scenario.
    NotFollowing,
}

impl fmt::Display for LiveMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading => "Reading Envoy\u{2026}",
            Self::Absent(LiveFault::NoServer) => {
                "This page is a file. Live needs a page that Envoy serves."
            }
            Self::Absent(fault) => {
                return write!(f, "The server of this page has no /live/: {}.", text(fault));
            }
            Self::Failed(fault, age, next) => {
                return write!(
                    f,
                    "Cannot read Envoy: {}. The data are {} old. Next attempt in {}.",
                    text(fault),
                    seconds(*age),
                    seconds((*next).into()),
                );
            }
            Self::Age(age) => return write!(f, "The data are {} old.", seconds(*age)),
            Self::Paused(age) => {
                return write!(f, "Paused. The data are {} old.", seconds(*age));
            }
            Self::NotShown(reason) => return write!(f, "Cannot show Envoy's clusters: {reason}."),
            Self::Settings(SettingsSource::Page) => {
                "Envoy reports hosts and health. Policies, thresholds and aggregates are those of this page."
            }
            Self::Settings(SettingsSource::Demo) => {
                "Envoy reports hosts and health. Policies, thresholds and the aggregate are those of the demo."
            }
            Self::Settings(SettingsSource::Defaults) => {
                "Envoy reports hosts and health. Policy and thresholds are Envoy's defaults: import the configuration to compare with its settings."
            }
            Self::NoHost(share) => {
                return write!(
                    f,
                    "The prediction has no host for {share} of the requests. Hosts do not count them, so the shares are those of the other requests."
                );
            }
            Self::NoCounters => "The server of this page does not offer /live/stats.",
            Self::NoFilter => "This Envoy reports no counters of a Spillgate filter.",
            Self::NoDecisions => "The filter made no decisions for these clusters in this time.",
            Self::Following => "This page follows Envoy.",
            Self::NotFollowing => {
                "This page does not follow Envoy, because you changed, froze or opened a scenario."
            }
        })
    }
}

fn text(fault: &LiveFault) -> String {
    match fault {
        LiveFault::NoServer => "the playground is a file".into(),
        LiveFault::Status(status) => format!("/live/clusters returned HTTP {status}"),
        LiveFault::Unreachable(reason) => format!("/live/clusters: {reason}"),
        LiveFault::Unreadable(reason) => {
            format!("/live/clusters is not Envoy's list of clusters ({reason})")
        }
    }
}

/// A time in whole seconds.
pub(super) fn seconds(ms: u64) -> String {
    let seconds = usize::try_from((ms + 500) / 1_000).unwrap_or(usize::MAX);
    plural(seconds, "second")
}

/// An example of every message.
#[must_use]
pub fn live_message_examples() -> Vec<String> {
    let refused = LiveFault::Status(503);
    let unreachable = LiveFault::Unreachable("Failed to fetch".into());
    let unreadable = LiveFault::Unreadable("1:1: invalid JSON".into());
    let examples = [
        LiveMessage::Reading,
        LiveMessage::Absent(&LiveFault::NoServer),
        LiveMessage::Absent(&LiveFault::Status(404)),
        LiveMessage::Absent(&unreadable),
        LiveMessage::Failed(&refused, 12_400, 8_000),
        LiveMessage::Failed(&unreachable, 1_000, 30_000),
        LiveMessage::Age(800),
        LiveMessage::Paused(61_000),
        LiveMessage::NotShown("no cluster"),
        LiveMessage::Settings(SettingsSource::Page),
        LiveMessage::Settings(SettingsSource::Demo),
        LiveMessage::Settings(SettingsSource::Defaults),
        LiveMessage::NoHost("12.5\u{a0}%"),
        LiveMessage::NoCounters,
        LiveMessage::NoFilter,
        LiveMessage::NoDecisions,
        LiveMessage::Following,
        LiveMessage::NotFollowing,
    ];
    examples.iter().map(ToString::to_string).collect()
}
