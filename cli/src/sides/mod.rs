//! The two sides of a comparison: configurations of any shape, read from files, links, git or a running Envoy.

mod git;
mod given;
mod limit_values;
mod one_sided;
mod side;

pub(crate) use given::{GivenSide, GivenSides, read_sides};
pub(crate) use one_sided::{OneSided, one_sided};
pub(crate) use side::{Side, StatedLimit};
