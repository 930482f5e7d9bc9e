//! Common parts of the views: buttons, fields, tables, shapes, colors.

mod choice;
mod drawing;
mod excerpt;
mod number;
mod patterns;
mod pieces;
mod slider;
mod swatch;

pub(crate) use choice::Choice;
pub(crate) use drawing::{area, bar, bar_label, label, shape};
pub(crate) use excerpt::config_excerpt;
pub(crate) use number::Number;
pub(crate) use patterns::patterns;
pub(crate) use pieces::{Button, FigureButton, cell, head, hidden_caption, note, row};
pub(crate) use slider::{Slider, slider};
pub(crate) use swatch::{color, health_class, paint, swatch};
