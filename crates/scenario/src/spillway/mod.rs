//! The geometry of the spillway figure.
//!
//! Traffic enters at the left; the thickness of a stream is its load. The walls of a basin are as high as
//! the availability of its priority, the water in it is its load, and what the healthy hosts cannot take
//! spills over the edge to the next priority. Paths of one kind always have the same commands, so that the
//! style sheet can animate between them.

mod basin;
mod fitting;
mod groups;
mod layout;
mod measures;
mod paths;
mod shapes;

pub use layout::spillway;
pub use shapes::{
    LoadShape, MemberShape, PageLayout, PriorityShape, SpilloverLabel, Spillway, StreamShape,
};
