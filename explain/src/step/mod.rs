//! A step of a decision as text: its sentence and its figures.

mod figure;
mod figures;
mod sentence;
mod session;

pub use figure::{Figure, FigureValue};
pub use figures::figures;
pub use sentence::sentence;
