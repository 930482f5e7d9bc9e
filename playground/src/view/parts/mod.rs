//! Common parts of the views: buttons, fields, tables, shapes, colors.

mod choice;
mod drawing;
mod excerpt;
mod number;
mod patterns;
mod pieces;
mod slider;
mod status;
mod strip;
mod swatch;

pub use choice::{Choice, ChoiceProps};
pub use drawing::{area, bar, bar_label, label, shape};
pub use excerpt::config_excerpt;
pub use number::{Number, NumberProps};
pub use patterns::patterns;
pub use pieces::{Button, FigureButton, cell, head, hidden_caption, note, row};
pub use slider::{Slider, slider};
pub use status::{Status, StatusProps};
pub use strip::strip;
pub use swatch::{color, health_class, paint, swatch};
