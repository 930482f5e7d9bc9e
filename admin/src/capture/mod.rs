//! A snapshot of a running Envoy in one file: its `/config_dump` with a section for `/clusters`.

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
