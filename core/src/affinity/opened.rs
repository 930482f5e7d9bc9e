//! The rules for authentic tokens, and the renewal of tokens.

use super::{HostId, Life, Refused, Token, TokenCarrier, TokenClusterId, TokenKey};

/// The tolerated clock difference between gateways, in seconds.
const CLOCKS_APART: u64 = 60;

/// The rules that an authentic token must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRules<'s> {
    /// The current time in seconds since the Unix epoch.
    pub now: u64,
    /// The scope of the request: the authority in lower case, or a configured name.
    pub scope: &'s str,
    /// The maximum lifetime of a session, in seconds from its first token.
    pub max_life: u64,
    /// The minimum epoch. Tokens with a lower [`Token::epoch`] are revoked.
    pub epoch: u16,
}

/// A token that was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    /// The content of the token, with the ids of its key.
    pub token: Token,
    /// The index of its key in the ring. The key at index 0 seals.
    pub key: usize,
    /// The only carrier in which it is valid; `None` for any, as earlier versions sealed tokens.
    pub carrier: Option<TokenCarrier>,
}

impl TokenRules<'_> {
    /// Checks an authentic token. A token may be issued at most 60 seconds in the future.
    ///
    /// # Errors
    /// The first rule that the token fails, in this order: epoch, issue time, lifetime, expiry,
    /// scope.
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
    /// The token, if this carrier may have it.
    ///
    /// # Errors
    /// [`Refused::Carrier`], if the token is for another carrier.
    pub fn carried_by(self, carrier: TokenCarrier) -> Result<Self, Refused> {
        if self.carrier.is_none_or(|own| own == carrier) {
            Ok(self)
        } else {
            Err(Refused::Carrier)
        }
    }

    /// Whether the first key of the ring, which seals, sealed this token.
    #[must_use]
    pub const fn is_first_key(&self) -> bool {
        self.key == 0
    }

    /// Whether the client must get a new token: its session moved, another key seals now, or less
    /// than half of the lifetime is left and a renewal would extend it. `cluster` and `host` are
    /// ids of the key that seals; `now` is in seconds since the Unix epoch.
    #[must_use]
    pub fn is_due(&self, cluster: TokenClusterId, host: HostId, now: u64, life: Life) -> bool {
        let left = self.token.expires.saturating_sub(now);
        !self.is_first_key()
            || (self.token.cluster, self.token.host) != (cluster, host)
            || (left < life.ttl.div_ceil(2)
                && life.expiry(self.token.issued, now) > self.token.expires)
    }
}
