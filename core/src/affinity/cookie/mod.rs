//! The cookie that carries a session token.

mod find;
mod settings;

pub use find::FoundToken;
pub use settings::{CookieFault, CookieSettings, SameSite, SessionCookie};
