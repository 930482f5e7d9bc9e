//! The Spillgate engine: which host gets a request, and why.
//!
//! Everything here is a function of its arguments. The crate reads no clock and no randomness,
//! knows no host (Envoy, browser, terminal) and logs nowhere; random draws are passed in. Where
//! Envoy 1.40 is deterministic the same host comes out, bit for bit; where Envoy draws at random
//! the same distribution does.
//!
//! The way of a request: a legal [`Model`](model::Model) is compiled into an immutable
//! [`Snapshot`](snapshot::Snapshot) once; [`decide`](decide::decide) answers one request from it,
//! and [`Snapshot::distribution`](snapshot::Snapshot::distribution) says what shares come out of
//! many.
#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::alloc_instead_of_core
)]

extern crate alloc;

pub mod affinity;
pub mod decide;
pub mod decimal;
pub mod draw;
pub mod hash;
pub mod inspect;
pub mod json;
pub mod load;
pub mod model;
pub mod names;
pub mod order;
pub mod pick;
pub mod plan;
pub mod proto;
pub mod request;
pub mod route;
pub mod shares;
pub mod snapshot;
pub mod subset;
pub mod trace;
pub mod why;
