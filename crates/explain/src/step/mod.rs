//! A step of a decision as text: its sentence and its figures.

mod derivation;
mod figure;
mod figures;
mod sentence;
mod session;

pub use derivation::derivation;
pub use figure::{FigureValue, StepFigure};
pub use figures::figures;
pub use sentence::sentence;
