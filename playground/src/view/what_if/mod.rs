//! The What-if screen: lose a part of a zone or a priority, and see the effect on the traffic.

mod chart;
mod expectations;
mod matrix;
mod screen;
mod table;

pub(super) use screen::WhatIf;
