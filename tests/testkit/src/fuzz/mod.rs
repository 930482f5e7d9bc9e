//! Fuzz targets: every input that clients, users or other processes provide.
//!
//! A [`FuzzTarget`] reads an input and panics if anything about the result is wrong, such as a
//! position outside the text. libFuzzer (`fuzz/`), the program `fuzz` and the tests of this crate
//! run the same targets. They change inputs in the same way: [`InputKind::changed`] edits a text
//! token by token, so that most inputs get past the first line.
//!
//! A [`Forger`] forges session tokens, for `cargo xtask tokens`.

mod edit;
mod forgery;
mod input;
mod lexer;
mod readers;
mod run;
mod target;

pub use forgery::{Forged, Forger};
pub use input::{InputKind, generated};
pub use readers::links::link_payload;
pub use run::{Ran, run};
pub use target::{FuzzTarget, TARGETS};
