//! A snapshot of a running Envoy in one file: its `/config_dump` with a section for `/clusters`.
//!
//! The section is Envoy's own message `Clusters`, so the reader needs no second format and other
//! tools read the file too. Whatever no reader uses is removed, not only what is known as a secret:
//! the bootstrap is reduced to two fields. Token keys become `keys_from_env`, which keeps the
//! filter's configuration valid.

mod anonymous;
mod bootstrap;
mod envoy_fields;
mod filter_texts;
mod plugins;
mod redact;
mod redacted;
mod secret_names;
mod secrets;
mod snapshot;
mod statuses;
mod walk;

pub use snapshot::{CapturedNames, capture};
