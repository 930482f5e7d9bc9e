//! The views of a widget as markup.

mod bars;
#[cfg(feature = "sweep")]
mod sweep;
mod table;

pub(crate) use bars::bars;
#[cfg(feature = "sweep")]
pub(crate) use sweep::{SweepShown, sweep};
pub(crate) use table::split_table;
