//! What is fuzzed: every text that users provide, with inputs close to legal ones.
//!
//! A [`FuzzTarget`] reads a text and panics if anything about the answer is wrong, such as a position
//! outside the text. A [`FuzzInput`] is a text made of a seed and edits. libFuzzer (`fuzz/`),
//! `cargo xtask fuzz` and the tests of this crate all call [`FuzzTarget::run`] with bytes.
//!
//! A [`Forger`] forges session tokens, for `cargo xtask tokens`.

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
