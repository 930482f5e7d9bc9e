//! The Fleet screen, drawn.

mod amount_field;
mod bars;
mod fields;
mod losses;
mod screen;
mod tables;

pub(crate) use screen::FleetScreen;
