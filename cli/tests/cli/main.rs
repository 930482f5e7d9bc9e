//! The `spillgate` command as its users meet it: files in, text and exit status out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bad_input;
mod conformance;
mod explain;
mod export;
mod health;
mod help;
mod link;
mod lint;
mod manual;
mod pick;
mod run;
mod schemas;
mod simulate;
mod split;
mod token;
mod what_if;
