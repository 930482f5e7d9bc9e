//! The `spillgate` command as a library: each command is a function from files to text.
//!
//! | module | command |
//! |---|---|
//! | [`split`] | traffic shares of priorities, localities and hosts |
//! | [`pick`] | the host of each request in a list |
//! | [`mod@explain`] | one routing decision step by step |
//! | [`what_if`] | the effect of losing hosts |
//! | [`simulate`] | sessions through failures, drains and key rotations |
//! | [`lint`] | valid settings with unintended effects |
//! | `capture`, `observe` | a running Envoy as a file; its counted requests compared with the prediction |
//! | [`conformance`] | the engine compared with recorded vectors |
//! | `convert` | policies of Kuma and Istio as priority groups and Envoy configuration |
//! | `export`, [`link`], `token` | conversion, links to the page, session keys and tokens |
//! | [`steered`] | the Spillgate filter of a configuration, for `pick` and `explain` |
//!
//! Load balancing is in `spillgate-core`, configuration in `spillgate-config`, the words of a
//! decision in `spillgate-explain`. Only new keys and session ids are random. The clock is read only
//! for the expiry of cookies and tokens, and for repeated reads of a running Envoy. Only the argument
//! `--admin`, `capture` and `observe` open connections, to the named admin interface, and
//! [`conformance::replay`] and `adopt --check`, to addresses of this machine. Only these two start a program.
//!
//! Without the feature `terminal`, the library has no commands and computes only the answers of
//! [`split`] and [`pick`]; it compiles for targets without files and terminal.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "terminal"),
    allow(dead_code, unused_imports, reason = "the commands use it")
)]

pub mod input;
pub mod limits;
pub mod pick;
pub mod split;
pub mod steered;
pub mod unknown;

mod command;
mod names;
mod re2;
mod regex_rewrite;
mod status;
mod time_of;

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
mod adopt;
#[cfg(feature = "terminal")]
mod args;
#[cfg(feature = "terminal")]
mod capture;
#[cfg(feature = "terminal")]
mod client;
#[cfg(feature = "terminal")]
mod client_args;
#[cfg(feature = "terminal")]
mod clock;
#[cfg(feature = "terminal")]
mod color;
#[cfg(feature = "terminal")]
mod completions;
#[cfg(feature = "terminal")]
mod config;
#[cfg(feature = "terminal")]
mod config_source;
#[cfg(feature = "terminal")]
mod control_planes;
#[cfg(feature = "terminal")]
mod convert;
#[cfg(feature = "terminal")]
mod envoy;
#[cfg(feature = "terminal")]
mod export;
#[cfg(feature = "terminal")]
mod failed;
#[cfg(feature = "terminal")]
mod fallback;
#[cfg(feature = "terminal")]
mod folder;
#[cfg(feature = "terminal")]
mod grpc;
#[cfg(feature = "terminal")]
mod inputs;
#[cfg(feature = "terminal")]
mod man;
#[cfg(feature = "terminal")]
mod mesh;
#[cfg(feature = "terminal")]
mod observe;
#[cfg(feature = "terminal")]
mod printed;
#[cfg(feature = "terminal")]
mod progress;
#[cfg(feature = "terminal")]
mod refused;
#[cfg(feature = "terminal")]
mod reported;
#[cfg(feature = "terminal")]
mod root;
#[cfg(feature = "terminal")]
mod run;
#[cfg(feature = "terminal")]
mod running;
#[cfg(feature = "terminal")]
mod sarif;
#[cfg(feature = "terminal")]
mod session_keys;
#[cfg(feature = "terminal")]
mod since_healthy;
#[cfg(feature = "terminal")]
mod spec;
#[cfg(feature = "terminal")]
mod token;
#[cfg(feature = "terminal")]
mod utilization;
#[cfg(feature = "terminal")]
mod version;
#[cfg(feature = "terminal")]
mod watch;
#[cfg(feature = "terminal")]
mod written;

pub use command::{Done, Finished};
pub use regex_rewrite::compile as compile_regex;

#[cfg(feature = "terminal")]
pub use args::Args;
#[cfg(feature = "terminal")]
pub use config::{Config, ConfigArgs};
#[cfg(feature = "terminal")]
pub use refused::refuse;
#[cfg(feature = "terminal")]
pub use run::finish;
