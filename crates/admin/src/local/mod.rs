//! An Envoy that a command runs on this machine, and a client of it.

mod client;
mod folder;
mod interrupt;
mod jar;
mod process;

pub(crate) use client::{Client, Response};
pub(crate) use folder::TemporaryFolder;
pub(crate) use interrupt::{InterruptWatch, check as check_interrupt};
pub(crate) use jar::{Headers, Jar};
pub(crate) use process::{Envoy, EnvoyLaunch};
