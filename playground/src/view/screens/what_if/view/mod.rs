//! The What-if screen in the playground.

mod chart;
mod expectations;
mod losses;
mod matrix;
mod pictures;
mod screen;
mod table;
mod traffic;
mod zone_losses;
mod zones;

pub(crate) use screen::WhatIf;
