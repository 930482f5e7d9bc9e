//! What a token says, and the bytes it says it in.

use super::{HostId, ScopeId, SubsetId, TokenClusterId};

/// Bytes of a token before it is sealed.
pub(super) const PLAIN: usize = 60;

/// Bytes of a time: seconds up to the year 36812.
const TIME: usize = 5;
const LATEST: u64 = (1 << (8 * TIME)) - 1;

/// A session: which one, where it lives, how long.
///
/// Its ids are those of the key that seals it. Times are seconds since the Unix epoch, below 2^40;
/// later ones are sealed as the latest that can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Which session; it stays when the session moves.
    pub session: u64,
    /// The host it lives on.
    pub host: HostId,
    /// The cluster of that host.
    pub cluster: TokenClusterId,
    /// Where the token may be used.
    pub scope: ScopeId,
    /// The criteria that the session came with.
    pub subset: SubsetId,
    /// When its first token was issued.
    pub issued: u64,
    /// From when on this token is not good any more.
    pub expires: u64,
    /// The generation of tokens: those of earlier ones can be refused all at once.
    pub epoch: u16,
}

/// How long tokens are good, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life {
    /// Of one token; 0 for as long as its session may live.
    pub ttl: u64,
    /// Of a session, from its first token on, whatever is renewed.
    pub max: u64,
}

impl Life {
    /// When a token that is issued now ends, of a session that began at `issued`.
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
    /// The token, issued anew.
    #[must_use]
    pub const fn renewed(self, now: u64, life: Life) -> Self {
        Self {
            expires: life.expiry(self.issued, now),
            ..self
        }
    }

    /// The token with the times that a text can hold.
    pub(super) fn as_sealed(self) -> Self {
        Self {
            issued: self.issued.min(LATEST),
            expires: self.expires.min(LATEST),
            ..self
        }
    }

    pub(super) fn to_bytes(self) -> [u8; PLAIN] {
        let token = self.as_sealed();
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
        // What is taken of a number fits: it has that many bytes.
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
    fn every_field_has_its_bytes() {
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
    fn what_is_too_late_is_the_latest() {
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
