//! Common parts of the views: buttons, fields, tables, shapes, colors, and the pictures of a result.

mod choice;
mod cluster_choice;
mod drawing;
mod excerpt;
mod explanation;
mod fault_list;
mod headline;
mod named;
mod number;
mod patterns;
mod pieces;
mod slider;
mod spillway;
mod split_bar;
mod status;
mod strip;
mod swatch;
mod term;

pub use choice::{Choice, ChoiceProps};
pub use cluster_choice::cluster_choice;
pub use drawing::{area, bar, bar_label, label, shape};
pub use excerpt::config_excerpt;
pub use explanation::explanation_tree;
pub use fault_list::FaultList;
pub use headline::{headline, verdict};
pub use named::named;
pub use number::{Number, NumberProps};
pub use patterns::patterns;
pub use pieces::{
    Button, FigureButton, cell, head, hidden_caption, note, row, scrolled, text_button,
};
pub use slider::{Slider, slider};
pub use spillway::{DrawnOutcome, spillway_figure};
pub use split_bar::split_bar;
pub use status::{Status, StatusProps};
pub use strip::strip;
pub use swatch::{health_class, paint, swatch};
pub use term::term;

pub use spillgate_scenario::color_class as color;
