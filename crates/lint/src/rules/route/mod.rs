//! Rules about the choice of a route.

mod earlier;
pub(crate) mod fraction;
