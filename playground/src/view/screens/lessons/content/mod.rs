//! The lessons, one in each file.

mod aggregates;
mod health;
mod localities;
mod normalization;
mod panic;
mod sessions;
mod spillover;
mod start;
mod subsets;

use super::Lesson;

/// The lessons, in their order.
pub const LESSONS: [&Lesson; 9] = [
    &health::LESSON,
    &spillover::LESSON,
    &start::LESSON,
    &normalization::LESSON,
    &panic::LESSON,
    &localities::LESSON,
    &aggregates::LESSON,
    &subsets::LESSON,
    &sessions::LESSON,
];

/// A value of a control; 0 for a missing one.
fn value(values: &[u32], at: usize) -> u32 {
    values.get(at).copied().unwrap_or_default()
}
