//! What the user sets, also as a text in links.

use super::{OutageEvent, event::time};

/// The script and the settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentInput {
    /// The events; `None` for the initial one of the scenario.
    pub events: Option<Vec<OutageEvent>>,
    /// Changed settings and their values, such as `health_checks.interval` and `2s`.
    pub changes: Vec<(String, String)>,
    /// Requests per second; `None` for [`IncidentInput::FIRST_RPS`].
    pub rps: Option<u32>,
    /// The time of answers, in milliseconds; `None` if it is not stated.
    pub service_time: Option<u32>,
    /// The clients with a session each; `None` for requests without sessions.
    pub sessions: Option<u32>,
    /// The end of the simulated time, in milliseconds; `None` for two minutes after the last event.
    pub until: Option<u64>,
    /// The shown time, in milliseconds; `None` for the first one.
    pub at: Option<u64>,
}

impl IncidentInput {
    /// The requests per second unless stated, as in `spillgate incident`.
    pub const FIRST_RPS: u32 = 100;
    /// The most requests per second.
    pub const MOST_RPS: u32 = 1_000_000;
    /// The longest time of answers.
    pub const MOST_SERVICE_MILLIS: u32 = 60_000;
    /// The most clients.
    pub const MOST_SESSIONS: u32 = 1_000_000_000;

    /// Reads the text of [`IncidentInput::to_text`]. What cannot be read has its initial value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut read = Self::default();
        for line in text.lines() {
            if let Some(event) = OutageEvent::from_line(line) {
                read.events.get_or_insert_default().push(event);
                continue;
            }
            for word in line.split(' ') {
                if word == "no_events" {
                    read.events = Some(Vec::new());
                } else if let Some(change) = word.strip_prefix("c:") {
                    read.read_change(change);
                } else if let Some(rps) = word.strip_prefix("rps") {
                    let rps = rps.parse().ok();
                    read.rps = rps.map(|rps: u32| rps.min(Self::MOST_RPS));
                } else if let Some(time) = word.strip_prefix("service") {
                    let time = time.parse().ok().filter(|time| *time > 0);
                    read.service_time = time.map(|time: u32| time.min(Self::MOST_SERVICE_MILLIS));
                } else if let Some(clients) = word.strip_prefix("sessions") {
                    let clients = clients.parse().ok().filter(|clients| *clients > 0);
                    read.sessions = clients.map(|clients: u32| clients.min(Self::MOST_SESSIONS));
                } else if let Some(until) = word.strip_prefix("until") {
                    read.until = until.parse().ok().map(u32::into);
                } else if let Some(at) = word.strip_prefix("at") {
                    read.at = at.parse().ok().map(u32::into);
                }
            }
        }
        read
    }

    /// The text for links; empty for the initial input. It has no points and no `=` except in selectors, so that
    /// generated names replace only names.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.rps.map(|rps| format!("rps{rps}")));
        words.extend(self.service_time.map(|time| format!("service{time}")));
        words.extend(self.sessions.map(|clients| format!("sessions{clients}")));
        words.extend(self.until.map(|until| format!("until{until}")));
        words.extend(self.at.map(|at| format!("at{at}")));
        let changes = self.changes.iter();
        words.extend(changes.map(|(name, value)| {
            let name = name.replace('.', ":");
            format!("c:{name}:{}", value.replace('.', ","))
        }));
        let mut lines = Vec::new();
        match self.events.as_deref() {
            Some([]) => words.push("no_events".into()),
            Some(events) => lines.extend(events.iter().map(OutageEvent::line)),
            None => {}
        }
        if !words.is_empty() {
            lines.insert(0, words.join(" "));
        }
        lines.join("\n")
    }

    /// The input with another value of a setting.
    #[must_use]
    pub fn with_change(&self, name: &str, value: String) -> Self {
        let mut next = self.clone();
        match next.changes.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => next.changes.push((name.into(), value)),
        }
        // A message that is off has no fields.
        if let Some((_, value)) = next.changes.iter().find(|(known, _)| known == name)
            && value == "off"
        {
            let fields = format!("{name}.");
            next.changes
                .retain(|(known, _)| !known.starts_with(&fields));
        }
        // A message is switched on before its fields are set.
        next.changes.sort_by_key(|(name, _)| name.contains('.'));
        next
    }

    /// The settings as the simulation reads them.
    #[must_use]
    pub fn change_texts(&self) -> Vec<String> {
        let changes = self.changes.iter();
        changes
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    /// The end as an option.
    pub(super) fn until_text(&self) -> Option<String> {
        self.until.map(time)
    }

    fn read_change(&mut self, text: &str) {
        let Some((name, value)) = text.rsplit_once(':') else {
            return;
        };
        let known = ["health_checks", "outlier_detection", "retry_policy"];
        let message = name.split(':').next().unwrap_or_default();
        if known.contains(&message) && !value.is_empty() {
            self.changes
                .push((name.replace(':', "."), value.replace(',', ".")));
        }
    }
}
