//! The views of both parts. Tests use the attributes that `view/mod.rs` of the playground lists.

mod code;
mod embed;
mod files;

pub(crate) use embed::Embed;
pub(crate) use files::Files;
