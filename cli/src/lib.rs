//! The `spillgate` command as a library: each command is a function from files to text.
//!
//! | module | command |
//! |---|---|
//! | [`mod@split`], [`pick`] | the answers of `spillgate-answers`: shares, and the host of each request in a list |
//! | [`mod@explain`], `explain_code` | one routing decision step by step; what a code means |
//! | [`what_if`] | the effect of losing hosts |
//! | `diff` | what a change of a configuration does to its traffic, by `spillgate-diff` |
//! | [`simulate`] | sessions through failures, drains and key rotations |
//! | [`lint`] | valid settings with unintended effects |
//! | `capture`, `observe` | a running Envoy as a file; its counted requests compared with the prediction |
//! | `exporter` | margins of running Envoys as metrics, by `spillgate-exporter` |
//! | `conformance` | the engine compared with recorded vectors, by `spillgate-conformance` |
//! | `convert` | policies of Kuma and Istio as priority groups and Envoy configuration |
//! | `export`, [`link`], `token` | conversion, links to the playground, session keys and tokens |
//! | `ui` | the playground, served on this machine |
//!
//! Load balancing is in `spillgate-core`, configuration in `spillgate-config`, the words of a
//! decision in `spillgate-explain`. Only new keys and session ids are random. The clock is read only
//! for the expiry of cookies and tokens, and for repeated reads of a running Envoy. Only the argument
//! `--admin`, `capture`, `observe` and `exporter` open connections, to the named admin interfaces, and
//! `conformance --envoy` and `adopt --check`, to addresses of this machine. Only these two, `ui`, which starts a
//! browser and listens on this machine, as `exporter` does, and `diff --git`, which reads files by git, start a program.
#![forbid(unsafe_code)]

pub mod explain;
pub mod link;
pub mod lint;
pub mod pick;
pub mod simulate;
pub mod split;
pub mod what_if;

mod adopt;
mod args;
mod capture;
mod client;
mod client_args;
mod clock;
mod cluster_names;
mod color;
mod command;
mod completions;
mod config;
mod config_source;
mod conformance;
mod control_planes;
mod convert;
mod diff;
mod explain_code;
mod export;
mod exporter;
mod failed;
mod fallback;
mod fleet;
mod folder;
mod given_link;
mod incident;
mod inputs;
mod man;
mod markdown_text;
mod mesh;
mod observe;
mod page_url;
mod printed;
mod progress;
mod refused;
mod report;
mod reported;
mod root;
mod run;
mod running;
mod sarif;
mod session_keys;
mod sides;
mod since_healthy;
mod spec;
mod svg;
mod token;
mod ui;
mod utilization;
mod version;
mod watch;
mod written;

pub use command::{Done, Finished};

pub use args::Args;
pub use config::{Config, ConfigArgs};
pub use refused::refuse;
pub use report::CommandWarning;
pub use run::finish;
