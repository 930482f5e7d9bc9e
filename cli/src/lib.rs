//! The `spillgate` command as a library: every command is a function from files to text.
//!
//! [`split`] says who gets what, [`what_if`] what losses change in it, [`simulate`] what they do to
//! sessions, [`pick`] what becomes of each request of a list, [`mod@explain`] why, [`lint`] what
//! does not do what it seems to, [`conformance`] whether the engine agrees with recorded vectors,
//! `export` writes a configuration anew, and `token` makes the keys of sessions and reads their
//! tokens. The rules of balancing are in `spillgate-core`, those of configuration in
//! `spillgate-config`; nothing but a fresh key or session is drawn at random, the clock is read for
//! cookies and tokens alone, which may have expired, and only [`conformance::replay`] starts a
//! program and opens connections, to this machine's own addresses.
//!
//! Without the feature `terminal` there are no commands, only what computes the answers of [`split`]
//! and [`pick`]: it compiles for machines that have no files and no terminal.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "terminal"),
    allow(dead_code, unused_imports, reason = "the commands use it")
)]

pub mod input;
pub mod pick;
pub mod split;
pub mod steered;

mod command;
mod names;
mod regex_rewrite;
mod status;

#[cfg(feature = "terminal")]
pub mod conformance;
#[cfg(feature = "terminal")]
pub mod explain;
#[cfg(feature = "terminal")]
pub mod link;
#[cfg(feature = "terminal")]
pub mod lint;
#[cfg(feature = "terminal")]
pub mod simulate;
#[cfg(feature = "terminal")]
pub mod what_if;

#[cfg(feature = "terminal")]
mod args;
#[cfg(feature = "terminal")]
mod clock;
#[cfg(feature = "terminal")]
mod color;
#[cfg(feature = "terminal")]
mod completions;
#[cfg(feature = "terminal")]
mod config;
#[cfg(feature = "terminal")]
mod export;
#[cfg(feature = "terminal")]
mod man;
#[cfg(feature = "terminal")]
mod progress;
#[cfg(feature = "terminal")]
mod run;
#[cfg(feature = "terminal")]
mod spec;
#[cfg(feature = "terminal")]
mod token;

pub use command::{Done, Finished};
pub use regex_rewrite::compile as compile_regex;

#[cfg(feature = "terminal")]
pub use args::Args;
#[cfg(feature = "terminal")]
pub use config::{Config, ConfigArgs};
#[cfg(feature = "terminal")]
pub use run::finish;
