//! The two sides of a comparison: configurations of any shape, read from files, links, git or a running Envoy.

mod git;
mod given;
mod side;

pub(crate) use given::{GivenSide, GivenSides, read_sides};
pub(crate) use side::Side;
