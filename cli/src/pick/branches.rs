//! What a request may name, where that hangs on what a client keeps.

use serde_json::Value;
use spillgate_core::{
    decide::OverrideRequest,
    route::{OverrideHost, SessionReading, StatefulSession},
};

use super::clients::{Client, Kept, key};

/// One filter's session of a request, and what its client has for it.
#[derive(Debug, Clone)]
pub(super) struct Session<'r> {
    pub(super) of: &'r StatefulSession,
    /// What the row itself says.
    pub(super) reading: SessionReading,
    /// What the client has, where the row says nothing.
    pub(super) kept: Kept,
}

/// One of the things that a request may name.
#[derive(Debug)]
pub(super) struct Branch<'r> {
    /// How likely it is.
    pub(super) probability: f64,
    pub(super) named: OverrideRequest<'r>,
}

impl<'r> Session<'r> {
    pub(super) fn new(
        of: &'r StatefulSession,
        reading: SessionReading,
        client: Option<&Client>,
    ) -> Self {
        let kept = client.map(|client| client.kept(&key(&of.carrier)));
        Self {
            of,
            reading,
            kept: kept.unwrap_or_default(),
        }
    }

    /// The row whose draw decides what it names.
    pub(super) fn origin(&self) -> Option<&Value> {
        match self.reading {
            SessionReading::Absent => self.kept.origin.as_ref(),
            _ => None,
        }
    }

    /// What the client has, within a branch where this is the session at that place.
    pub(super) fn kept_in(&self, branch: &Branch<'_>, at: usize) -> Vec<(f64, Option<String>)> {
        match (&self.reading, branch.named.sessions.get(at)) {
            (SessionReading::Absent, Some((_, SessionReading::Host(host)))) => {
                vec![(1.0, Some(host.address.clone()))]
            }
            (SessionReading::Absent, Some(_)) => vec![(1.0, None)],
            _ => self.kept.hosts.clone(),
        }
    }

    /// Whether an answer carries it.
    pub(super) fn answers(&self) -> bool {
        self.reading != SessionReading::OtherPath
    }

    /// The host that the row itself names.
    pub(super) fn own_host(&self) -> Option<&str> {
        match &self.reading {
            SessionReading::Host(OverrideHost { address, .. }) => Some(address),
            _ => None,
        }
    }

    fn readings(&self) -> Vec<(f64, SessionReading)> {
        if self.reading != SessionReading::Absent {
            return vec![(1.0, self.reading.clone())];
        }
        let reading = |host: &Option<String>| match host {
            Some(host) => SessionReading::Host(self.of.names(host.clone())),
            None => SessionReading::Absent,
        };
        let hosts = self.kept.hosts.iter();
        hosts.map(|(part, host)| (*part, reading(host))).collect()
    }
}

/// Everything that sessions may name, each beside the addresses that the request lists.
pub(super) fn branches<'r>(sessions: &[Session<'r>], listed: &[String]) -> Vec<Branch<'r>> {
    let mut branches = vec![Branch {
        probability: 1.0,
        named: OverrideRequest {
            sessions: Vec::new(),
            listed: listed.to_vec(),
        },
    }];
    for session in sessions {
        let readings = session.readings();
        let with = |branch: &Branch<'r>, (part, reading): &(f64, SessionReading)| {
            let mut named = branch.named.clone();
            named.sessions.push((session.of, reading.clone()));
            Branch {
                probability: branch.probability * part,
                named,
            }
        };
        branches = branches
            .iter()
            .flat_map(|branch| readings.iter().map(move |reading| with(branch, reading)))
            .collect();
    }
    branches
}
