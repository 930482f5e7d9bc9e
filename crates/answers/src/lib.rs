//! The answers of commands: from texts to rows that a terminal, a file or a browser can show.
//!
//! | module | answer |
//! |---|---|
//! | [`mod@split`] | the traffic shares of priorities, localities and hosts |
//! | [`pick`] | the host of each request in a list |
//! | [`mod@explain`] | one routing decision step by step |
//! | [`access_log`] | a line of Envoy's access log: its request, and what it means for a configuration |
//! | [`grpc`], [`clients`] | what a gRPC client does with the same xDS, also next to Envoy |
//! | [`steered`] | the Spillgate filter of a configuration, for `pick` and `explain` |
//! | [`limits`], [`unknown`], [`unstated`] | what an answer does not cover or assumes, by name |
//! | [`input`], [`located`], [`excerpt`], [`configuration`] | texts with their names, and their errors with places and lines; the configuration in them |
//!
//! Nothing here needs a terminal, a clock or randomness, so it also compiles to WebAssembly.
#![forbid(unsafe_code)]

pub mod access_log;
pub mod clients;
pub mod configuration;
pub mod excerpt;
pub mod explain;
pub mod grpc;
pub mod input;
pub mod limits;
pub mod located;
pub mod names;
pub mod pick;
pub mod split;
pub mod status;
pub mod steered;
pub mod time_of;
pub mod unknown;
pub mod unstated;
