//! The same requests in the shipped filter, `spillgate.wasm`, and in the model.
//!
//! A [`ShippedQuestion`] describes the requests to the filter and computes the decisions of the model with
//! the same random numbers; a [`ShippedComparison`] says whether they are equal.

mod comparison;
mod limits;
mod question;

pub use comparison::{ComparedCount, ComparedValue, ShippedComparison};
pub use question::ShippedQuestion;
