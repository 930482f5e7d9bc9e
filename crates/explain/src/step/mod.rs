//! A step of a decision as text: its sentence, its arithmetic and its figures.

mod arithmetic;
mod derivation;
mod figure;
mod figures;
mod sentence;
mod session;

pub use arithmetic::arithmetic;
pub use derivation::derivation;
pub use figure::{FigureValue, StepFigure};
pub use figures::figures;
pub use sentence::{path_match, sentence};
