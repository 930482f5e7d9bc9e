//! The same requests in the shipped filter, `spillgate.wasm`, and in the model.
//!
//! A [`ShippedQuestion`] describes the requests to the filter and computes the decisions of the model with
//! the same random numbers; a [`ShippedComparison`] says whether they are equal.
//!
//! Criteria are the metadata of a route, so they keep their types and another request needs no
//! other configuration. The random bytes of the host are the seed of the screen: both sides draw
//! the same numbers, and random policies have equal decisions too. A run begins with a new root
//! context, thus with a new worker. With sessions, the filter draws a number for a new session
//! before it decides, and so does the model in this comparison; lists of sessions have one host,
//! because the filter orders further hosts by its token key. `stateful_session` is a filter of
//! Envoy: both sides decide without it, and the playground says so.

mod comparison;
mod limits;
mod question;

pub use comparison::{ComparedCount, ComparedValue, ShippedComparison};
pub use question::ShippedQuestion;
