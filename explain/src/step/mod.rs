//! A step of a decision as text: its sentence and its figures.

mod figures;
mod sentence;
mod session;

pub use figures::{Figure, FigureValue, figures};
pub use sentence::sentence;
