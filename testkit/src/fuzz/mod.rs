//! What is fuzzed: every text that users bring, and inputs that come near to legal ones.
//!
//! A [`FuzzTarget`] reads a text and panics if anything about the answer is wrong, be it a position
//! outside the text. A [`FuzzInput`] is a text made of a seed and edits. libFuzzer (`fuzz/`),
//! `cargo xtask fuzz` and the tests of this crate all call [`FuzzTarget::run`] with bytes.
//!
//! A [`Forger`] makes tokens of sessions that nobody sealed, for `cargo xtask tokens`.

mod case;
mod forgery;
mod run;
mod session;
mod target;
mod tokens;

pub use case::FuzzInput;
pub use forgery::{Forged, Forger};
pub use run::{Ran, bytes_of, run};
pub use target::{FuzzTarget, TARGETS};
