//! Sessions of our own: sealed tokens that name a host to us and nothing to anybody else.
//!
//! A [`Token`] says which session it is, where it lives and how long. A [`KeyRing`] seals it into
//! a text of fixed length that only its keys open, and answers every other text with a
//! [`Refused`]. What a token names it names by [keyed hashes](ids): neither an address nor the
//! name of a cluster can be read from it or be put into it.

mod cookie;
mod envelope;
mod ids;
mod key;
mod known;
mod opened;
mod refused;
mod ring;
mod seal;
mod share;
mod siv;
mod token;
mod wire;

pub use cookie::{CookieFault, CookieSettings, FoundToken, SameSite, SessionCookie};
pub use envelope::Envelope;
pub use ids::{HostId, ScopeId, SubsetId, TokenClusterId};
pub use key::{KeyError, TokenKey};
pub use known::OpenedTokens;
pub use opened::{Opened, Rules};
pub use refused::Refused;
pub use ring::{KeyFault, KeyRing, KeyRingError};
pub use seal::{Sealed, key_id};
pub use share::SessionShares;
pub use token::{Life, Token};
