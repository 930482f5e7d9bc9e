//! What a client learns from the answer to its request.

use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_core::route::StatefulSessionCarrier;

use super::{
    alternatives::Chosen,
    branches::{Branch, Session},
    clients::{Carrier, Client, Kept, Tally, key},
};

/// What is learnt, carrier by carrier.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    carriers: BTreeMap<Carrier, Tally>,
}

impl Lessons {
    /// With a probability of `part` the request gets no answer of a host.
    pub(super) fn nobody(&mut self, sessions: &[Session<'_>], part: f64) {
        for session in sessions {
            self.tally(&session.of.carrier)
                .stay(part, &session.kept.hosts);
        }
    }

    /// What becomes of a branch of what the request may name; `part` gets as far as that.
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
                // An answer says nothing of a host that its request itself named.
                match session.own_host() == Some(&*outcome.endpoint) {
                    true => tally.stay(part, &before),
                    false => tally.learn(part, &outcome.endpoint),
                }
            }
        }
    }

    fn tally(&mut self, carrier: &StatefulSessionCarrier) -> &mut Tally {
        self.carriers.entry(key(carrier)).or_default()
    }

    /// What the client has then. `origin` is the row whose draw decides, and `seen` the host that
    /// answered, where that is known.
    pub(super) fn learn(
        self,
        mut client: Client,
        origin: &Value,
        seen: Option<Option<&str>>,
    ) -> Client {
        for (carrier, tally) in self.carriers {
            let before = client.kept(&carrier);
            let after = match seen {
                None => tally.kept(&before, origin),
                Some(Some(host)) if tally.learns() => Kept::certain(host.to_owned()),
                Some(_) => continue,
            };
            client.keep(carrier, after);
        }
        client
    }
}
