//! The `spillgate` command as a library: every command is a function from files to text.
//!
//! [`split`] says who gets what, [`what_if`] what losses change in it, [`pick`] what becomes of each
//! request of a list, [`mod@explain`] why, [`lint`] what does not do what it seems to, [`conformance`]
//! whether the engine agrees with recorded vectors. The rules of balancing are in
//! `spillgate-core`, those of configuration in `spillgate-config`; nothing here draws at random,
//! reads a clock or opens a connection.
#![forbid(unsafe_code)]

pub mod conformance;
pub mod explain;
pub mod input;
pub mod link;
pub mod lint;
pub mod pick;
pub mod split;
pub mod what_if;

mod args;
mod command;
mod completions;
mod config;
mod man;
mod names;
mod progress;
mod regex_rewrite;
mod run;
mod spec;

pub use args::Args;
pub use command::Done;
pub use config::{Config, ConfigArgs};
pub use regex_rewrite::compile as compile_regex;
pub use run::{Finished, finish};
