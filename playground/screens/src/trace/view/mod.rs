//! The Trace screen on the page. Its inspectors are in a module of their own.

mod change;
#[cfg(feature = "requests")]
mod form;
#[cfg(feature = "inspectors")]
mod further;
#[cfg(feature = "inspectors")]
mod inspector;
#[cfg(feature = "inspectors")]
mod moved;
#[cfg(feature = "requests")]
mod screen;
#[cfg(feature = "requests")]
mod sequence;
#[cfg(feature = "requests")]
mod shipped;
#[cfg(feature = "requests")]
mod steps;
#[cfg(feature = "requests")]
mod text;
#[cfg(feature = "requests")]
mod walk;

#[cfg(feature = "inspectors")]
pub(crate) use further::Further;
#[cfg(feature = "requests")]
pub(crate) use screen::Trace;
