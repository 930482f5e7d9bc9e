//! Rules about the choice of a route.

pub(crate) mod fraction;
