//! The content of a token and its binary form.

use super::{HostId, ScopeId, SubsetId, TokenClusterId};

/// The length of a token before sealing, in bytes.
pub(super) const PLAIN: usize = 60;

/// The length of a time in bytes: seconds up to the year 36812.
const TIME: usize = 5;
const LATEST: u64 = (1 << (8 * TIME)) - 1;

/// The content of a session token.
///
/// The ids belong to the key that seals the token. Times are seconds since the Unix epoch, less
/// than 2^40; later times are sealed as 2^40 - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The session id. It stays the same if the session moves to another host.
    pub session: u64,
    /// The host of the session.
    pub host: HostId,
    /// The cluster of the host.
    pub cluster: TokenClusterId,
    /// The scope in which the token is valid.
    pub scope: ScopeId,
    /// The subset criteria of the session.
    pub subset: SubsetId,
    /// When the first token of the session was issued, in seconds since the Unix epoch.
    pub issued: u64,
    /// When the token expires, in seconds since the Unix epoch. At this time it is no longer valid.
    pub expires: u64,
    /// The epoch of the token. Raising the configured epoch revokes all earlier tokens.
    pub epoch: u16,
}

/// The lifetimes of tokens and sessions, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life {
    /// The lifetime of one token; 0 for the lifetime of its session.
    pub ttl: u64,
    /// The maximum lifetime of a session from its first token, including renewals.
    pub max: u64,
}

impl Life {
    /// The expiry time of a token that is issued at `now` for a session that started at `issued`,
    /// all in seconds since the Unix epoch.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::Life;
    ///
    /// let life = Life { ttl: 100, max: 250 };
    /// assert_eq!(life.expiry(1_000, 1_000), 1_100);
    /// assert_eq!(life.expiry(1_000, 1_200), 1_250);
    /// assert_eq!(Life { ttl: 0, max: 250 }.expiry(1_000, 1_200), 1_250);
    /// ```
    #[must_use]
    pub const fn expiry(self, issued: u64, now: u64) -> u64 {
        let end = issued.saturating_add(self.max);
        let next = now.saturating_add(self.ttl);
        if self.ttl == 0 || end < next {
            end
        } else {
            next
        }
    }
}

impl Token {
    /// The same session with a new expiry time, issued at `now` in seconds since the Unix epoch.
    #[must_use]
    pub const fn renewed(self, now: u64, life: Life) -> Self {
        Self {
            expires: life.expiry(self.issued, now),
            ..self
        }
    }

    /// The token with times limited to the range of the binary form.
    pub(super) fn as_sealed(self) -> Self {
        Self {
            issued: self.issued.min(LATEST),
            expires: self.expires.min(LATEST),
            ..self
        }
    }

    pub(super) fn to_bytes(self) -> [u8; PLAIN] {
        let token = self.as_sealed();
        // `as_sealed` has limited the times to five bytes.
        let [_, _, _, issued @ ..] = token.issued.to_be_bytes();
        let [_, _, _, expires @ ..] = token.expires.to_be_bytes();
        let mut fields = token
            .session
            .to_be_bytes()
            .into_iter()
            .chain(token.host.0.to_be_bytes())
            .chain(token.cluster.0.to_be_bytes())
            .chain(token.scope.0.to_be_bytes())
            .chain(token.subset.0.to_be_bytes())
            .chain(issued)
            .chain(expires)
            .chain(token.epoch.to_be_bytes());
        core::array::from_fn(|_| fields.next().unwrap_or_default())
    }

    pub(super) fn from_bytes(bytes: &[u8; PLAIN]) -> Self {
        let mut bytes = bytes.iter().copied();
        let mut number = |length| {
            let field = bytes.by_ref().take(length);
            field.fold(0, |number, byte| number << 8 | u128::from(byte))
        };
        // Each field has this many bytes, so the casts lose nothing.
        Self {
            session: number(8) as u64,
            host: HostId(number(16)),
            cluster: TokenClusterId(number(8) as u64),
            scope: ScopeId(number(8) as u64),
            subset: SubsetId(number(8) as u64),
            issued: number(TIME) as u64,
            expires: number(TIME) as u64,
            epoch: number(2) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: Token = Token {
        session: 0x0102_0304_0506_0708,
        host: HostId(0x1112_1314_1516_1718_191a_1b1c_1d1e_1f20),
        cluster: TokenClusterId(0x2122_2324_2526_2728),
        scope: ScopeId(0x3132_3334_3536_3738),
        subset: SubsetId(0x4142_4344_4546_4748),
        issued: 0x51_5253_5455,
        expires: 0x61_6263_6465,
        epoch: 0x7172,
    };

    #[test]
    fn every_field_is_encoded() {
        let bytes = TOKEN.to_bytes();
        assert_eq!(bytes[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(bytes[8..10], [0x11, 0x12]);
        assert_eq!(
            bytes[48..],
            [
                0x51, 0x52, 0x53, 0x54, 0x55, 0x61, 0x62, 0x63, 0x64, 0x65, 0x71, 0x72
            ]
        );
        assert_eq!(Token::from_bytes(&bytes), TOKEN);
    }

    #[test]
    fn times_beyond_the_range_are_capped() {
        let bytes = Token {
            expires: u64::MAX,
            ..TOKEN
        }
        .to_bytes();
        assert_eq!(Token::from_bytes(&bytes).expires, LATEST);
    }

    #[test]
    fn no_renewal_outlives_the_session() {
        let life = Life { ttl: 100, max: 250 };
        let of = |now| {
            Token {
                issued: 1_000,
                ..TOKEN
            }
            .renewed(now, life)
            .expires
        };
        assert_eq!([of(1_000), of(1_140), of(1_200)], [1_100, 1_240, 1_250]);
        let whole = Life { ttl: 0, max: 250 };
        assert_eq!(whole.expiry(1_000, 1_200), 1_250);
        assert_eq!(
            Life {
                ttl: 1,
                max: u64::MAX
            }
            .expiry(5, u64::MAX),
            u64::MAX
        );
    }
}
