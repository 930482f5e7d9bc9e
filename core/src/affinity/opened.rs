//! What a token must be besides genuine, and when a fresh one is due.

use super::{HostId, Life, Refused, Token, TokenClusterId, TokenKey};

/// How far clocks of gateways may be apart, in seconds.
const CLOCKS_APART: u64 = 60;

/// What is asked of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules<'s> {
    /// The time: seconds since the Unix epoch.
    pub now: u64,
    /// Where it is used: the authority in small letters, or a configured name.
    pub scope: &'s str,
    /// How long a session may live, in seconds from its first token.
    pub max_life: u64,
    /// The oldest generation that is honoured.
    pub epoch: u16,
}

/// A token that was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// What it says, in the ids of its key.
    pub token: Token,
    /// The place of its key in the ring; the key at place 0 seals.
    pub key: usize,
}

impl Rules<'_> {
    /// Whether a genuine token is good here and now.
    ///
    /// # Errors
    /// The first reason why not; the scope is looked at last.
    pub fn check(&self, token: &Token, key: &TokenKey) -> Result<(), Refused> {
        let now = self.now;
        let refused = [
            (token.epoch < self.epoch, Refused::Epoch),
            (
                token.issued > now.saturating_add(CLOCKS_APART),
                Refused::Future,
            ),
            (
                now >= token.issued.saturating_add(self.max_life),
                Refused::TooOld,
            ),
            (now >= token.expires, Refused::Expired),
            (token.scope != key.scope_id(self.scope), Refused::Scope),
        ];
        let first = refused.iter().find(|(refused, _)| *refused);
        first.map_or(Ok(()), |(_, reason)| Err(*reason))
    }
}

impl Opened {
    /// Whether the key that seals has sealed it.
    #[must_use]
    pub const fn is_first_key(&self) -> bool {
        self.key == 0
    }

    /// Whether the client must get a fresh token: the session is somewhere else now, another key
    /// seals, or more than half of the time is over and renewing adds any. The ids are those of
    /// the key that seals.
    #[must_use]
    pub fn is_due(&self, cluster: TokenClusterId, host: HostId, now: u64, life: Life) -> bool {
        let left = self.token.expires.saturating_sub(now);
        !self.is_first_key()
            || (self.token.cluster, self.token.host) != (cluster, host)
            || (left < life.ttl.div_ceil(2)
                && life.expiry(self.token.issued, now) > self.token.expires)
    }
}
