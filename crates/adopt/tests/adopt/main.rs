//! The editor, the diff, and the patched bootstraps.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod admin;
mod bootstraps;
mod common;
mod criteria;
mod diff;
mod edit;
mod files;
mod foreign;
mod istio;
mod listeners;
mod names;
mod present;
mod routes;
mod stats;
mod undo;
