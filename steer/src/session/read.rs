//! Reads the session of a request.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::Carrier;
use spillgate_core::{
    affinity::{OpenedTokens, Refused, Rules},
    model::Metadata,
    route::Headers,
};

use super::{
    HostDirectory, RequestSession, SessionPolicy,
    carried::{self, CarriedToken},
};
use crate::port::TokenOutcome;

/// The facts about a request that determine its session.
pub(crate) struct SessionQuery<'a, H> {
    pub(crate) headers: &'a H,
    pub(crate) criteria: &'a Metadata,
    pub(crate) directory: &'a HostDirectory,
    /// The time of the request: seconds since the Unix epoch.
    pub(crate) now: u64,
    /// Computes the request hash, which a request with an accepted token does not need.
    pub(crate) hash: &'a dyn Fn() -> Option<u64>,
}

impl SessionPolicy {
    /// Reads the session of a request. Without a token and a hash, `draw` gives the session its
    /// number.
    pub(crate) fn read<H: Headers>(
        &self,
        query: &SessionQuery<'_, H>,
        tokens: &mut OpenedTokens,
        draw: impl FnOnce() -> u64,
    ) -> (RequestSession, TokenOutcome) {
        let scope = match &self.config.scope {
            Some(name) => name.clone(),
            None => authority(query.headers),
        };
        let mut criteria = Vec::new();
        query.criteria.canonical(&mut criteria);
        let method = query.headers.first(":method");
        let mut session = RequestSession {
            now: query.now,
            scope,
            criteria,
            cacheable: method.is_some_and(|method| matches!(method, b"GET" | b"HEAD")),
            ..RequestSession::default()
        };
        let outcome = match carried::token(&self.config.carrier, query.headers) {
            CarriedToken::Absent => TokenOutcome::Absent,
            CarriedToken::Refused(reason) => TokenOutcome::Refused(reason),
            CarriedToken::Text(text) => {
                match self.open(&mut session, query.directory, tokens, text) {
                    Ok(()) => TokenOutcome::Accepted,
                    Err(reason) => {
                        session.foreign = carried::foreign(self, query.headers, text, query.now);
                        match session.foreign.is_empty() {
                            true => TokenOutcome::Refused(reason),
                            false => TokenOutcome::Accepted,
                        }
                    }
                }
            }
        };
        (session.number, session.keyed) = match &session.opened {
            Some(opened) => (opened.token.session, true),
            None => match (query.hash)() {
                // A client that controls the hash must not be able to choose the host.
                Some(hash) => (self.config.keys.first().session_id(hash), true),
                None => (draw(), false),
            },
        };
        (session, outcome)
    }

    /// Opens a token, and finds the host of its session.
    ///
    /// # Errors
    /// The reason for which the token is refused.
    fn open(
        &self,
        session: &mut RequestSession,
        directory: &HostDirectory,
        tokens: &mut OpenedTokens,
        text: &[u8],
    ) -> Result<(), &'static str> {
        let rules = Rules {
            now: session.now,
            scope: &session.scope,
            max_life: self.life.max,
            epoch: self.config.epoch,
        };
        let keys = &self.config.keys;
        let (opened, inner) = match &self.config.carrier {
            Carrier::Envelope(_) => {
                let envelope = tokens.open_envelope(keys, text, &rules);
                let envelope = envelope.map_err(Refused::name)?;
                (envelope.opened, Some(envelope.inner))
            }
            Carrier::Cookie(_) | Carrier::Header(_) => {
                let opened = tokens.open(keys, text, &rules);
                (opened.map_err(Refused::name)?, None)
            }
        };
        let key = keys.keys().nth(opened.key);
        if key.map(|key| session.subset(key)) != Some(opened.token.subset) {
            // The session belongs to other criteria.
            return Err("subset");
        }
        session.host = directory.find(opened.key, opened.token.cluster, opened.token.host);
        session.given = inner.is_some().then(|| text.to_vec());
        session.inner = inner;
        session.opened = Some(opened);
        Ok(())
    }
}

/// The authority in lower case.
fn authority<H: Headers>(headers: &H) -> String {
    let authority = headers.first(":authority").unwrap_or_default();
    String::from_utf8_lossy(authority).to_ascii_lowercase()
}
