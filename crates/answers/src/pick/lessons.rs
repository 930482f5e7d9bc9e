//! What a client of `pick` learns from the response to its request.

use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_core::route::SessionStateKind;

use super::{
    alternatives::Chosen,
    branches::{Branch, Session},
    clients::{Carrier, Client, Kept, Tally, key},
};

/// The host that served a row, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub(super) enum ObservedHost<'a> {
    /// Not observed: the client keeps all possible hosts.
    Unknown,
    /// The request reached no host.
    NoHost,
    /// This host served the request.
    Host(&'a str),
}

/// The learned hosts by carrier.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    carriers: BTreeMap<Carrier, Tally>,
}

impl Lessons {
    /// With a probability of `part`, no host serves the request.
    pub(super) fn no_host(&mut self, sessions: &[Session<'_>], part: f64) {
        for session in sessions {
            self.tally(&session.of.carrier)
                .stay(part, &session.kept.hosts);
        }
    }

    /// Adds the outcome of a branch; `part` is the probability of reaching its cluster.
    pub(super) fn add(
        &mut self,
        sessions: &[Session<'_>],
        branch: &Branch<'_>,
        part: f64,
        chosen: &Chosen,
    ) {
        let probability = part * branch.probability;
        for (at, session) in sessions.iter().enumerate() {
            let tally = self.tally(&session.of.carrier);
            let before = session.kept_in(branch, at);
            if !session.answers() {
                tally.stay(probability, &before);
                continue;
            }
            tally.stay(probability * chosen.no_host / 100.0, &before);
            for outcome in &chosen.outcomes {
                let part = probability * outcome.share / 100.0;
                // A response does not repeat a host that its request named.
                if session.own_host() == Some(&*outcome.endpoint) {
                    tally.stay(part, &before)
                } else {
                    tally.learn(part, &outcome.endpoint)
                }
            }
        }
    }

    /// The sum for a carrier.
    fn tally(&mut self, carrier: &SessionStateKind) -> &mut Tally {
        self.carriers.entry(key(carrier)).or_default()
    }

    /// The client after the row. `origin` is the row whose random choice decides.
    pub(super) fn learn(
        self,
        mut client: Client,
        origin: &Value,
        seen: ObservedHost<'_>,
    ) -> Client {
        for (carrier, tally) in self.carriers {
            let before = client.kept(&carrier);
            let after = match seen {
                ObservedHost::Unknown => tally.kept(&before, origin),
                ObservedHost::Host(host) if tally.learns() => Kept::certain(host.to_owned()),
                ObservedHost::Host(_) | ObservedHost::NoHost => continue,
            };
            client.keep(carrier, after);
        }
        client
    }
}
