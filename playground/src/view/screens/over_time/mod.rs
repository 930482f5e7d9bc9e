//! What screens with a simulated time share: the scale of the time, its controls and playback, and the frame of pictures.

mod controls;
mod figure;
mod player;
mod scale;
mod time_field;
mod time_text;

pub(super) use controls::{ExactTime, controls};
pub(super) use figure::{TimeFigure, block, event_lines, filtered, on_click, percent};
pub(super) use player::{Player, use_on_share, use_player};
pub(super) use scale::TimeScale;
pub(super) use time_field::TimeField;
pub(super) use time_text::{decimals, seconds, thousandths};
