//! Reads the session of a request.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::Carrier;
use spillgate_core::{
    affinity::{Opened, OpenedTokens, Refused, Rules},
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
            CarriedToken::Absent => Ok(false),
            CarriedToken::Refused(reason) => Err(reason),
            CarriedToken::Text(text) => match self.open(&session, tokens, text) {
                Ok(token) => {
                    session.resume(token, query.directory);
                    Ok(true)
                }
                Err(reason) => self.read_foreign(&mut session, query, text, reason),
            },
            CarriedToken::Long(text) => {
                self.read_foreign(&mut session, query, text, carried::TOO_LONG)
            }
            CarriedToken::Several(copies) => {
                let mut first = None;
                for text in copies.values() {
                    // No copy is skipped, so that the time does not show which one is genuine.
                    let opened = self.open(&session, tokens, text).ok();
                    first = first.or(opened);
                }
                first.map_or(Err(carried::SEVERAL), |token| {
                    session.resume(token, query.directory);
                    Ok(true)
                })
            }
        };
        let outcome = match outcome {
            Ok(false) => TokenOutcome::Absent,
            Ok(true) => TokenOutcome::Accepted,
            Err(reason) => TokenOutcome::Refused(reason),
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

    /// Reads a text that is no token of ours as the session of another proxy.
    ///
    /// # Errors
    /// `reason`, or the limit that the text exceeds.
    fn read_foreign<H: Headers>(
        &self,
        session: &mut RequestSession,
        query: &SessionQuery<'_, H>,
        text: &[u8],
        reason: &'static str,
    ) -> Result<bool, &'static str> {
        session.foreign = carried::foreign(self, query.headers, text, query.now)?;
        match session.foreign.is_empty() {
            true => Err(reason),
            false => Ok(true),
        }
    }

    /// Opens a token for the criteria of a session.
    ///
    /// # Errors
    /// The reason for which the token is refused.
    fn open(
        &self,
        session: &RequestSession,
        tokens: &mut OpenedTokens,
        text: &[u8],
    ) -> Result<AcceptedToken, &'static str> {
        let rules = Rules {
            now: session.now,
            scope: &session.scope,
            max_life: self.life.max,
            epoch: self.config.epoch,
        };
        let keys = &self.config.keys;
        let token = match &self.config.carrier {
            Carrier::Envelope(_) => {
                let envelope = tokens.open_envelope(keys, text, &rules);
                let envelope = envelope.map_err(Refused::name)?;
                AcceptedToken {
                    opened: envelope.opened,
                    inner: Some(envelope.inner),
                    given: Some(text.to_vec()),
                }
            }
            Carrier::Cookie(_) | Carrier::Header(_) => AcceptedToken {
                opened: tokens.open(keys, text, &rules).map_err(Refused::name)?,
                inner: None,
                given: None,
            },
        };
        let opened = &token.opened;
        let key = keys.keys().nth(opened.key);
        if key.map(|key| session.subset(key)) != Some(opened.token.subset) {
            // The session belongs to other criteria.
            return Err("subset");
        }
        Ok(token)
    }
}

/// A token that is accepted.
struct AcceptedToken {
    opened: Opened,
    /// The upstream host's own session id, from an envelope.
    inner: Option<Vec<u8>>,
    /// The envelope.
    given: Option<Vec<u8>>,
}

impl RequestSession {
    /// Continues the session of a token.
    fn resume(&mut self, token: AcceptedToken, directory: &HostDirectory) {
        let AcceptedToken {
            opened,
            inner,
            given,
        } = token;
        self.host = directory.find(opened.key, opened.token.cluster, opened.token.host);
        (self.inner, self.given) = (inner, given);
        self.opened = Some(opened);
    }
}

/// The authority in lower case.
fn authority<H: Headers>(headers: &H) -> String {
    let authority = headers.first(":authority").unwrap_or_default();
    String::from_utf8_lossy(authority).to_ascii_lowercase()
}
