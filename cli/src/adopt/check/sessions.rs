//! What became of the sessions.

use super::run::Answer;

/// The state of the hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostState {
    /// All serve.
    Healthy,
    /// This one does not.
    Lost(usize),
    /// The lost one is back.
    Back,
}

/// The results of all sessions.
#[derive(Debug)]
pub(super) struct SessionTally {
    pub(super) sessions: usize,
    /// Moves from the lost host.
    pub(super) moved: usize,
    /// Requests to the lost host that got a status instead of another host.
    pub(super) refused: usize,
    /// Requests of sessions that were not kept, as text.
    pub(super) broken: Vec<String>,
    is_noticed: bool,
}

impl SessionTally {
    /// No results yet. `is_noticed`: whether health checks notice the failure of a host.
    pub(super) const fn new(sessions: usize, is_noticed: bool) -> Self {
        Self {
            sessions,
            moved: 0,
            refused: 0,
            broken: Vec::new(),
            is_noticed,
        }
    }

    /// Adds a request: the previous result of its session and the new one.
    pub(super) fn add(&mut self, stage: HostState, kind: &str, before: Answer, now: Answer) {
        if now.host.is_some() && now.host == before.host {
            return;
        }
        match (stage, before.host, now.host) {
            // The session has ended; a later request may begin a new one.
            (HostState::Lost(_) | HostState::Back, None, _) => {}
            (HostState::Lost(lost), Some(host), Some(_)) if lost == host => self.moved += 1,
            (HostState::Lost(lost), Some(host), None) if lost == host => self.refused += 1,
            (_, before, now_host) => {
                let name = |host: Option<usize>| {
                    host.map_or_else(|| "none".to_owned(), |host| format!("host {host}"))
                };
                self.broken.push(format!(
                    "{kind}: {} after {} (status {})",
                    name(now_host),
                    name(before),
                    now.status
                ));
            }
        }
    }

    /// What happened, for people.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{} sessions", self.sessions);
        if self.moved > 0 {
            text.push_str(&format!(", {} moved once from the lost host", self.moved));
        }
        if self.refused > 0 {
            let why = if self.is_noticed {
                "no other host may serve them"
            } else {
                "no health check notices it"
            };
            text.push_str(&format!(
                ", {} requests to the lost host failed ({why})",
                self.refused
            ));
        }
        if let Some(first) = self.broken.first() {
            text.push_str(&format!(
                "; {} not kept, such as {first}",
                self.broken.len()
            ));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(host: Option<usize>) -> Answer {
        let status = if host.is_some() { 200 } else { 503 };
        Answer { status, host }
    }

    #[test]
    fn only_sessions_of_the_lost_host_may_move() {
        let mut tally = SessionTally::new(2, true);
        tally.add(HostState::Healthy, "k", at(Some(1)), at(Some(1)));
        tally.add(HostState::Lost(1), "k", at(Some(1)), at(Some(2)));
        tally.add(HostState::Lost(1), "k", at(Some(1)), at(None));
        tally.add(HostState::Back, "k", at(None), at(Some(1)));
        assert_eq!((tally.moved, tally.refused, tally.broken.len()), (1, 1, 0));
        tally.add(HostState::Back, "k", at(Some(2)), at(Some(1)));
        tally.add(HostState::Lost(1), "k", at(Some(2)), at(Some(3)));
        tally.add(HostState::Healthy, "k", at(None), at(None));
        assert_eq!(tally.broken.len(), 3, "{}", tally.text());
    }
}
