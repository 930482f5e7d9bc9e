//! Session affinity: sealed tokens that name the host of a session.
//!
//! A [`Token`] contains the session id, the host, the cluster, the scope, the subset and the times
//! of a session. A [`KeyRing`] seals a token into a text of fixed length with AES-256-GCM-SIV (RFC
//! 8452). Only the keys of the ring can open it; every other text is answered with [`Refused`]. The
//! host, cluster, scope and subset are [keyed hashes](ids), so a token contains no address and no
//! name, and clients cannot forge one.
//!
//! Security properties:
//!
//! - A forged or changed token is refused; the tag check takes constant time.
//! - [`Rules`] limit the lifetime, the scope and the epoch of a token on every use.
//! - A token for one [`TokenCarrier`] is refused in another one.
//! - Keys rotate without losing sessions: all keys of a ring open, the first key seals.
//! - The nonce is a keyed hash of the content, so sealing needs no random numbers.
//!
//! # Examples
//! ```
//! use spillgate_core::affinity::{KeyRing, Life, Refused, TokenRules, Token, TokenKey};
//!
//! let ring = KeyRing::new([(1, TokenKey::new(1, b"32 secret bytes of this example!"))]).unwrap();
//! let key = ring.first();
//! let life = Life { ttl: 3_600, max: 86_400 };
//! let now = 1_700_000_000;
//! let token = Token {
//!     session: 7,
//!     host: key.host_id("shop", "10.0.0.1:80"),
//!     cluster: key.cluster_id("shop"),
//!     scope: key.scope_id("shop.example"),
//!     subset: key.subset_id(b""),
//!     issued: now,
//!     expires: life.expiry(now, now),
//!     epoch: 0,
//! };
//! let sealed = ring.seal(&token);
//! assert_eq!(sealed.as_str().len(), 120);
//!
//! let rules = TokenRules { now, scope: "shop.example", max_life: life.max, epoch: 0 };
//! let opened = ring.open(sealed.as_str().as_bytes(), &rules).unwrap();
//! assert_eq!(opened.token, token);
//!
//! // An hour later the token has expired.
//! let later = TokenRules { now: now + 3_600, ..rules };
//! let refused = ring.open(sealed.as_str().as_bytes(), &later);
//! assert_eq!(refused, Err(Refused::Expired));
//! ```

mod cache;
mod carrier;
mod cookie;
mod envelope;
mod ids;
mod key;
mod opened;
mod refused;
mod ring;
mod seal;
mod share;
mod siv;
mod token;
mod uses;
mod wire;

pub use cache::OpenedTokens;
pub use carrier::TokenCarrier;
pub use cookie::{CookieFault, CookieSettings, FoundToken, SameSite, SessionCookie, TokenCopies};
pub use envelope::Envelope;
pub use ids::{HostId, ScopeId, SubsetId, TokenClusterId};
pub use key::{KeyError, TokenKey};
pub use opened::{Opened, TokenRules};
pub use refused::Refused;
pub use ring::{KeyFault, KeyRing, KeyRingError};
pub use seal::{Sealed, key_id};
pub use share::SessionShares;
pub use token::{Life, Token};
pub use uses::{TokenUses, UseLimit};
