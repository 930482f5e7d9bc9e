//! What replaces a secret.

/// The replacement of a secret, as in Envoy's dumps.
pub(super) const REDACTED: &str = "[redacted]";
