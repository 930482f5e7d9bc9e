//! One cluster that the admin is asked about: what it answered last, and what of it is published.

use super::board::{Board, Versions};
use crate::counters::Polls;
use crate::host;
use spillgate_config::clusters::{Published, read_text};
use spillgate_config::envoy::cut_assignments;
use std::time::Duration;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How often the log may hear of a cluster whose answers fail and come back: nanoseconds.
const LOG_PAUSE: u64 = 60_000_000_000;

/// A cluster, and the calls about it that are under way.
pub(super) struct Target {
    cluster: String,
    board: Board,
    /// What is published; empty before the first answer.
    published: Published,
    assignment: String,
    versions: Versions,
    /// The tokens of the calls under way, and what each asks for.
    calls: Vec<(u32, Question)>,
    /// Whether the log was told that answers fail, and not yet that they are back.
    told: bool,
    /// When it was told last: nanoseconds since the epoch.
    told_at: u64,
}

/// What a call asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// `/clusters`.
    Hosts,
    /// A part of `/config_dump`: the endpoints that discovery gave.
    DynamicEndpoints,
    /// And those of the configuration itself.
    StaticEndpoints,
}

impl Question {
    fn path(self, cluster: &str) -> String {
        let name = encoded(cluster);
        match self {
            Self::Hosts => format!("/clusters?filter=%5E{name}%24"),
            Self::DynamicEndpoints => format!(
                "/config_dump?include_eds&resource=dynamic_endpoint_configs&name_regex=%5E{name}%24"
            ),
            Self::StaticEndpoints => format!(
                "/config_dump?include_eds&resource=static_endpoint_configs&name_regex=%5E{name}%24"
            ),
        }
    }
}

impl Target {
    /// A cluster that nothing is known of but what an earlier poller has published.
    pub(super) fn new(admin: &str, cluster: &str) -> Self {
        let board = Board::of(admin, cluster);
        let mut target = Self {
            cluster: cluster.to_owned(),
            published: Published::default(),
            assignment: String::new(),
            versions: Versions::default(),
            calls: Vec::new(),
            told: false,
            told_at: 0,
            board,
        };
        target.catch_up();
        target
    }

    /// Takes what is published for its own, so that equal answers are no news to anybody.
    fn catch_up(&mut self) {
        let Some(versions) = self.board.versions() else {
            return;
        };
        self.versions = versions;
        if let Some(hosts) = self.board.hosts() {
            (self.versions.hosts, self.versions.health) = hosts.versions();
            self.published.hosts = hosts.hosts().to_vec();
            self.published.health = hosts.health().to_vec();
        }
        self.published.active = self.board.active().unwrap_or_default();
        let assignment = self.board.assignment().unwrap_or_default();
        self.assignment = String::from_utf8(assignment).unwrap_or_default();
    }

    /// When the admin last answered, whoever asked.
    pub(super) fn polled_at(&self) -> u64 {
        self.board
            .versions()
            .map_or(0, |versions| versions.polled_at)
    }

    /// Asks, unless the same question is still open.
    pub(super) fn ask(&mut self, admin: &str, question: Question, now: u64, polls: &mut Polls) {
        if self.calls.iter().any(|(_, open)| *open == question) {
            return;
        }
        polls.asked();
        match host::get(admin, &question.path(&self.cluster), TIMEOUT) {
            Some(token) => self.calls.push((token, question)),
            None => self.fail(
                "Envoy has no such cluster, or it has no host",
                admin,
                now,
                polls,
            ),
        }
    }

    /// Takes the answer of a call; `None` when it is not one of these.
    pub(super) fn answered(
        &mut self,
        admin: &str,
        token: u32,
        size: usize,
        now: u64,
        polls: &mut Polls,
    ) -> Option<()> {
        let at = self.calls.iter().position(|(open, _)| *open == token)?;
        let (_, question) = self.calls.swap_remove(at);
        let outcome = match host::answer_status().as_deref() {
            None => Err(
                "no answer: the admin is unreachable, slow, or has more than 32 MiB to say"
                    .to_owned(),
            ),
            Some(b"200") => self.take(question, size, now),
            Some(other) => Err(format!("status {}", String::from_utf8_lossy(other))),
        };
        match outcome {
            Err(why) => self.fail(&why, admin, now, polls),
            Ok(()) if self.told => {
                self.told = false;
                log::info!("spillgate: {admin} answers again about {}", self.cluster);
            }
            Ok(()) => {}
        }
        Some(())
    }

    fn take(&mut self, question: Question, size: usize, now: u64) -> Result<(), String> {
        let body = host::answer_body(size).unwrap_or_default();
        let text = std::str::from_utf8(&body).map_err(|_| "the answer is no text".to_owned())?;
        // An edition must differ from the last one, whatever the clock says.
        let edition = now.max(self.versions.newest() + 1);
        match question {
            Question::Hosts => self.take_hosts(text, edition, now),
            Question::DynamicEndpoints | Question::StaticEndpoints => {
                self.take_assignment(text, edition)
            }
        }
    }

    fn take_hosts(&mut self, text: &str, edition: u64, now: u64) -> Result<(), String> {
        let clusters = read_text(text).map_err(|faults| match faults.first() {
            Some(fault) => fault.render("/clusters"),
            None => String::new(),
        })?;
        let cluster = clusters.iter().find(|cluster| cluster.name == self.cluster);
        let cluster = cluster.ok_or("the answer is about other clusters")?;
        if self
            .board
            .versions()
            .is_some_and(|published| published != self.versions)
        {
            self.catch_up();
        }
        let published = Published::of(&cluster.hosts);
        let new_hosts = published.hosts != self.published.hosts;
        if new_hosts || self.versions.hosts == 0 {
            self.versions.hosts = edition;
        }
        if new_hosts || published.health != self.published.health || self.versions.health == 0 {
            self.versions.health = edition;
            self.board
                .publish_hosts(self.versions, &published.hosts, &published.health);
        }
        if published.active != self.published.active {
            self.versions.active = edition;
            self.board.publish_active(&published.active);
        }
        self.published = published;
        self.versions.polled_at = now;
        self.board.publish(self.versions);
        Ok(())
    }

    fn take_assignment(&mut self, text: &str, edition: u64) -> Result<(), String> {
        let assignments = cut_assignments(text).map_err(|faults| match faults.first() {
            Some(fault) => fault.render("/config_dump"),
            None => String::new(),
        })?;
        // Each of the two questions finds the clusters of its kind alone.
        let found = assignments
            .into_iter()
            .find(|(name, _)| *name == self.cluster);
        if let Some((_, json)) = found
            && json != self.assignment
        {
            self.versions.assignment = edition;
            self.board.publish_assignment(&json);
            self.board.publish(self.versions);
            self.assignment = json;
        }
        Ok(())
    }

    /// What was known stays; the log hears of it once, and of a new failure not at once again.
    fn fail(&mut self, why: &str, admin: &str, now: u64, polls: &mut Polls) {
        polls.failed();
        let pauses = self.told_at > 0 && now < self.told_at.saturating_add(LOG_PAUSE);
        if !self.told && !pauses {
            self.told = true;
            self.told_at = now;
            log::warn!(
                "spillgate: {admin} tells nothing about {}, what was known stays: {why}",
                self.cluster
            );
        }
    }
}

impl Versions {
    fn newest(self) -> u64 {
        let Self {
            hosts,
            health,
            active,
            assignment,
            polled_at: _,
        } = self;
        hosts.max(health).max(active).max(assignment)
    }
}

/// A name as a regular expression that means just it, for a query.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            // Letters beyond ASCII mean themselves; all other signs may mean something.
            0x80.. => encoded.push_str(&format!("%{byte:02X}")),
            _ => encoded.push_str(&format!("%5C%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn names_mean_just_themselves() {
        assert_eq!(encoded("shop-1_a"), "shop-1_a");
        assert_eq!(encoded("a.b|c"), "a%5C%2Eb%5C%7Cc");
        assert_eq!(encoded("ö&"), "%C3%B6%5C%26");
    }
}
