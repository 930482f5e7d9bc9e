//! The `spillgate` command as its users meet it: files in, text and exit status out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bad_input;
mod conformance;
mod health;
mod lint;
mod pick;
mod run;
mod split;
