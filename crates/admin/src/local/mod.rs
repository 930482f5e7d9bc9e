//! An Envoy that a command runs on this machine, and a client that sends requests through it.

mod client;
mod folder;
mod interrupt;
mod jar;
mod process;

pub use client::{PlainClient, PlainResponse};
pub use folder::TemporaryFolder;
pub use interrupt::{InterruptWatch, check as check_interrupt};
pub use jar::{PlainHeaders, SessionJar};
pub use process::{EnvoyLaunch, LocalEnvoy};
