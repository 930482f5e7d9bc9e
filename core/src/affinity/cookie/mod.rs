//! The cookie that carries a session token.

mod find;
mod settings;

pub use find::{FoundToken, TokenCopies};
pub use settings::{CookieFault, CookieSettings, SameSite, SessionCookie};
