//! The What-if screen: lose a part of a zone or a priority, and see what becomes of the traffic.

mod chart;
mod matrix;
mod promises;
mod screen;
mod table;

pub(super) use screen::WhatIf;
