//! Events: drawn, scripted or arranged by earlier ones, and what each of them changes.

mod happen;
mod random;
mod time;

pub(in crate::world) use time::Timer;
