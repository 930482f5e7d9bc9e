//! Reads the session of a request.

use alloc::{string::String, vec::Vec};

use spillgate_config::filter::Carrier;
use spillgate_core::{
    affinity::{OpenedTokens, Refused, Rules, TokenUses},
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
    /// The request hash.
    pub(crate) hash: Option<u64>,
}

/// What a worker remembers about tokens.
#[derive(Default)]
pub(crate) struct TokenMemory {
    /// The recently opened or sealed tokens.
    pub(crate) opened: OpenedTokens,
    /// How often tokens were used.
    uses: TokenUses,
}

/// Why a token has no effect.
enum NoEffect {
    /// The reason is as in [`TokenOutcome::Refused`].
    Refused(&'static str),
    /// It was used too often.
    Overused,
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
            scope,
            criteria,
            cacheable: method.is_some_and(|method| matches!(method, b"GET" | b"HEAD")),
            ..RequestSession::default()
        };
        let outcome = match carried::token(&self.config.carrier, query.headers) {
            CarriedToken::Absent => TokenOutcome::Absent,
            CarriedToken::Refused(reason) => TokenOutcome::Refused(reason),
            CarriedToken::Text(text) => {
                match self.open(&mut session, query.directory, memory, text) {
                    Ok(()) => TokenOutcome::Accepted,
                    Err(NoEffect::Overused) => TokenOutcome::Overused,
                    Err(NoEffect::Refused(reason)) => {
                        session.foreign = carried::foreign(self, query.headers, text, query.now);
                        match session.foreign.is_empty() {
                            true => TokenOutcome::Refused(reason),
                            false => TokenOutcome::Accepted,
                        }
                    }
                }
            }
        };
        (session.number, session.keyed) = match (&session.opened, query.hash) {
            (Some(opened), _) => (opened.token.session, true),
            // A request hash would choose the same host again.
            (None, Some(_)) if outcome == TokenOutcome::Overused => (draw(), false),
            // A client that controls the hash must not be able to choose the host.
            (None, Some(hash)) => (self.config.keys.first().session_id(hash), true),
            (None, None) => (draw(), false),
        };
        (session, outcome)
    }

    /// Opens a token, and finds the host of its session.
    ///
    /// # Errors
    /// Why the token has no effect.
    fn open(
        &self,
        session: &mut RequestSession,
        directory: &HostDirectory,
        memory: &mut TokenMemory,
        text: &[u8],
    ) -> Result<(), NoEffect> {
        let TokenMemory {
            opened: tokens,
            uses,
        } = memory;
        let refused = |refused: Refused| NoEffect::Refused(refused.name());
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
                let envelope = envelope.map_err(refused)?;
                (envelope.opened, Some(envelope.inner))
            }
            Carrier::Cookie(_) | Carrier::Header(_) => {
                let opened = tokens.open(keys, text, &rules);
                (opened.map_err(refused)?, None)
            }
        };
        let key = keys.keys().nth(opened.key);
        if key.map(|key| session.subset(key)) != Some(opened.token.subset) {
            // The session belongs to other criteria.
            return Err(NoEffect::Refused("subset"));
        }
        if let Some(limit) = self.config.max_requests_per_token
            && uses.exceeds(keys.first().use_id(text), limit, session.now)
        {
            return Err(NoEffect::Overused);
        }
        session.host = directory.find(opened.key, opened.token.host);
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
