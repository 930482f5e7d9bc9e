//! What a figure consists of, in units of its view box.

/// For which width the figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Beside other columns.
    Wide,
    /// On a phone.
    Narrow,
}

/// The whole figure, in units of its view box.
#[derive(Debug, Clone, PartialEq)]
pub struct Spillway {
    /// The width of the view box.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Where the stream enters, from its upper edge to its lower one.
    pub entry: (f64, f64),
    /// The streams, one for each basin and class of hosts.
    pub streams: Vec<StreamShape>,
    /// The basins from left to right.
    pub basins: Vec<Basin>,
    /// The clusters of an aggregate.
    pub groups: Vec<MemberShape>,
    /// What goes on behind a basin.
    pub spills: Vec<Spill>,
}

/// A part of the traffic on its way to a basin.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamShape {
    /// The place in the line of priorities that gives the colour.
    pub colour: usize,
    /// Whether degraded hosts get it.
    pub degraded: bool,
    /// Its outline.
    pub path: String,
}

/// A priority.
#[derive(Debug, Clone, PartialEq)]
pub struct Basin {
    /// The priorities that it stands for: one, or all that do not fit.
    pub lines: std::ops::Range<usize>,
    /// Its left wall.
    pub x: f64,
    /// Its brim.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its depth.
    pub height: f64,
    /// The walls: broken ones in panic.
    pub walls: String,
    /// The line of 100 percent.
    pub brim: String,
    /// What stands in it: healthy availability, a stripe for each locality.
    pub water: Vec<Water>,
    /// The paler layer above: degraded availability.
    pub pale: Water,
    /// How far it is filled in all, 0 to 1.
    pub filled: f64,
    /// Its name.
    pub name: String,
    /// What it takes of the traffic.
    pub load: String,
    /// Lines below the name.
    pub captions: Vec<String>,
    /// The word on it, if it needs one.
    pub word: Option<&'static str>,
    /// Whether it gets nothing.
    pub dry: bool,
    /// Whether it serves from all its hosts.
    pub panic: bool,
    /// Whether what it gets is lost.
    pub nobody: bool,
}

/// A stripe of water.
#[derive(Debug, Clone, PartialEq)]
pub struct Water {
    /// Which locality it stands for; empty for all.
    pub title: String,
    /// Its outline.
    pub path: String,
}

/// A cluster of an aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberShape {
    /// Its place in the scenario.
    pub cluster: usize,
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its name.
    pub name: String,
    /// What it takes of the traffic.
    pub load: String,
}

/// What a basin could not take.
#[derive(Debug, Clone, PartialEq)]
pub struct Spill {
    /// Where to write it.
    pub x: f64,
    /// The line to write it on.
    pub y: f64,
    /// `30 % spill over`.
    pub text: String,
}
