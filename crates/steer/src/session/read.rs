//! Reads the session of a request.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::Carrier;
use spillgate_core::{
    affinity::{Opened, OpenedTokens, Refused, TokenCarrier, TokenRules, TokenUses},
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
    /// The time for limits in a window: milliseconds, see [`RequestSession`].
    pub(crate) age_clock: u64,
    /// Computes the request hash, which a request with an accepted token does not need.
    pub(crate) hash: &'a dyn Fn() -> Option<u64>,
}

/// What a worker remembers about tokens.
#[derive(Default)]
pub(crate) struct TokenMemory {
    /// The recently opened or sealed tokens.
    pub(crate) opened: OpenedTokens,
    /// How often tokens were used.
    uses: TokenUses,
}

impl SessionPolicy {
    /// Reads the session of a request. Without a token and a hash, `draw` gives the session its
    /// number.
    pub(crate) fn read<H: Headers>(
        &self,
        query: &SessionQuery<'_, H>,
        memory: &mut TokenMemory,
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
            age_clock: query.age_clock,
            scope,
            criteria,
            cacheable: method.is_some_and(|method| matches!(method, b"GET" | b"HEAD")),
            ..RequestSession::default()
        };
        let outcome = match carried::token(&self.config.carrier, query.headers) {
            CarriedToken::Absent => TokenOutcome::Absent,
            CarriedToken::Refused(reason) => TokenOutcome::Refused(reason),
            CarriedToken::Text(text) => match self.open(&session, &mut memory.opened, text) {
                Ok(token) => self.resume(&mut session, token, query.directory, &mut memory.uses),
                Err(reason) => self.read_foreign(&mut session, query, text, reason),
            },
            CarriedToken::Long(text) => {
                self.read_foreign(&mut session, query, text, carried::TOO_LONG)
            }
            CarriedToken::Several(copies) => {
                let mut first = None;
                for text in copies.values() {
                    // No copy is skipped, so that the time does not show which one is genuine.
                    let opened = self.open(&session, &mut memory.opened, text).ok();
                    first = first.or(opened);
                }
                match first {
                    Some(token) => {
                        self.resume(&mut session, token, query.directory, &mut memory.uses)
                    }
                    None => TokenOutcome::Refused(carried::SEVERAL),
                }
            }
        };
        (session.number, session.keyed) = match &session.opened {
            Some(opened) => (opened.token.session, true),
            // A request hash would choose the same host again.
            None if outcome == TokenOutcome::Overused => (draw(), false),
            None => match (query.hash)() {
                // A client that controls the hash must not be able to choose the host.
                Some(hash) => (self.config.keys.first().session_id(hash), true),
                None => (draw(), false),
            },
        };
        (session, outcome)
    }

    /// Reads a text that is no token of ours as the session of another proxy. If it is not one either,
    /// it is refused for `reason`, or for the limit that it exceeds.
    fn read_foreign<H: Headers>(
        &self,
        session: &mut RequestSession,
        query: &SessionQuery<'_, H>,
        text: &[u8],
        reason: &'static str,
    ) -> TokenOutcome {
        match carried::foreign(self, query.headers, text, query.now) {
            Ok(foreign) if foreign.is_empty() => TokenOutcome::Refused(reason),
            Ok(foreign) => {
                session.foreign = foreign;
                TokenOutcome::Accepted
            }
            Err(reason) => TokenOutcome::Refused(reason),
        }
    }

    /// Opens a token for the criteria of a session.
    ///
    /// # Errors
    /// Why the token has no effect.
    fn open<'t>(
        &self,
        session: &RequestSession,
        tokens: &mut OpenedTokens,
        text: &'t [u8],
    ) -> Result<AcceptedToken<'t>, &'static str> {
        let rules = TokenRules {
            now: session.now,
            scope: &session.scope,
            max_life: self.life.max,
            epoch: self.config.epoch,
        };
        let keys = &self.config.keys;
        let (opened, inner) = match &self.config.carrier {
            Carrier::Envelope(_) => {
                let envelope = tokens
                    .open_envelope(keys, text, &rules)
                    .map_err(Refused::name)?;
                (envelope.opened, Some(envelope.inner))
            }
            carrier @ (Carrier::Cookie(_) | Carrier::Header(_)) => {
                let carrier = match carrier {
                    Carrier::Cookie(_) => TokenCarrier::Cookie,
                    _ => TokenCarrier::Header,
                };
                let opened = tokens.open(keys, carrier, text, &rules);
                (opened.map_err(Refused::name)?, None)
            }
        };
        let key = keys.keys().nth(opened.key);
        // Compared under the key of the token: ids of another key differ for the same criteria.
        if key.map(|key| session.subset(key)) != Some(opened.token.subset) {
            // The session belongs to other criteria.
            return Err("subset");
        }
        Ok(AcceptedToken {
            opened,
            inner,
            text,
        })
    }

    /// Continues the session of a token, unless the token was used too often.
    fn resume(
        &self,
        session: &mut RequestSession,
        token: AcceptedToken<'_>,
        directory: &HostDirectory,
        uses: &mut TokenUses,
    ) -> TokenOutcome {
        let AcceptedToken {
            opened,
            inner,
            text,
        } = token;
        if let Some(limit) = self.config.max_requests_per_token
            && uses.exceeds(
                self.config.keys.first().use_id(text),
                limit,
                session.age_clock / 1_000,
            )
        {
            return TokenOutcome::Overused;
        }
        session.host = directory.find(opened.key, opened.token.cluster, opened.token.host);
        session.given = inner.is_some().then(|| text.to_vec());
        session.inner = inner;
        session.opened = Some(opened);
        TokenOutcome::Accepted
    }
}

/// A token that is accepted.
struct AcceptedToken<'t> {
    opened: Opened,
    /// The upstream host's own session id, from an envelope.
    inner: Option<Vec<u8>>,
    /// The text of the token or envelope.
    text: &'t [u8],
}

/// The authority in lower case.
fn authority<H: Headers>(headers: &H) -> String {
    let authority = headers.first(":authority").unwrap_or_default();
    String::from_utf8_lossy(authority).to_ascii_lowercase()
}
