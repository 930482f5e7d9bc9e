//! What each target reads, and what must hold for every input.

pub(super) mod clusters;
pub(super) mod configuration;
pub(super) mod cookies;
mod diagnostics;
pub(super) mod envelopes;
pub(super) mod links;
pub(super) mod mesh;
pub(super) mod published_hosts;
pub(super) mod requests;
pub(super) mod tokens;
