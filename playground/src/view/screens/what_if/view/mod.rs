//! The What-if screen on the page.

mod chart;
mod expectations;
mod matrix;
mod screen;
mod table;

pub(crate) use screen::WhatIf;
