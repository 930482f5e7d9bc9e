//! The sessions that a request can carry, depending on what its client keeps.

use serde_json::Value;
use spillgate_core::{
    decide::OverrideRequest,
    route::{OverrideHost, SessionReading, StatefulSession},
};

use super::clients::{Client, Kept, key};

/// The session of one `stateful_session` filter, and what the client keeps for it.
#[derive(Debug, Clone)]
pub(super) struct Session<'r> {
    /// The configuration of the session.
    pub(super) of: &'r StatefulSession,
    /// The session in the row itself.
    pub(super) reading: SessionReading,
    /// What the client keeps; used if the row has no session.
    pub(super) kept: Kept,
}

/// One possibility of the sessions in a request.
#[derive(Debug)]
pub(super) struct Branch<'r> {
    /// Its probability, above 0 and at most 1.
    pub(super) probability: f64,
    /// The sessions and the override host list of the request.
    pub(super) named: OverrideRequest<'r>,
}

impl<'r> Session<'r> {
    /// The session of a request, from its headers and from what its client keeps.
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

    /// The row whose random choice decides the host of the session.
    pub(super) fn origin(&self) -> Option<&Value> {
        match self.reading {
            SessionReading::Absent => self.kept.origin.as_ref(),
            _ => None,
        }
    }

    /// What the client keeps in a branch; `at` is the index of this session.
    pub(super) fn kept_in(&self, branch: &Branch<'_>, at: usize) -> Vec<(f64, Option<String>)> {
        match (&self.reading, branch.named.sessions.get(at)) {
            (SessionReading::Absent, Some((_, SessionReading::Host(host)))) => {
                vec![(1.0, Some(host.address.clone()))]
            }
            (SessionReading::Absent, Some(_)) => vec![(1.0, None)],
            _ => self.kept.hosts.clone(),
        }
    }

    /// Whether the response carries the session.
    pub(super) fn answers(&self) -> bool {
        self.reading != SessionReading::OtherPath
    }

    /// The host in the row itself.
    pub(super) fn own_host(&self) -> Option<&str> {
        match &self.reading {
            SessionReading::Host(OverrideHost { address, .. }) => Some(address),
            _ => None,
        }
    }

    /// The possible contents of the cookie or header, with their probabilities.
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

/// All possibilities, each with the override host list of the request.
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
