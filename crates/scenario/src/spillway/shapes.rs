//! The shapes of the figure, in units of its view box.

/// The layout of the playground and its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageLayout {
    /// Several columns.
    Wide,
    /// One column, on a phone.
    Narrow,
}

/// The whole figure, in units of its view box.
#[derive(Debug, Clone, PartialEq)]
pub struct Spillway {
    /// The width of the view box.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The upper and lower edge of the entering stream.
    pub entry: (f64, f64),
    /// The streams, one for each basin and class of hosts.
    pub streams: Vec<StreamShape>,
    /// The basins from left to right.
    pub basins: Vec<PriorityShape>,
    /// The clusters of an aggregate.
    pub groups: Vec<MemberShape>,
    /// The labels of the traffic that spills over.
    pub spillovers: Vec<SpilloverLabel>,
}

/// The traffic of a basin.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamShape {
    /// The place of the priority whose color it has.
    pub color: usize,
    /// Whether it goes to degraded hosts.
    pub degraded: bool,
    /// Its outline.
    pub path: String,
}

/// A priority, or the last ones together.
#[derive(Debug, Clone, PartialEq)]
pub struct PriorityShape {
    /// The places of its priorities.
    pub lines: std::ops::Range<usize>,
    /// The place of the priority whose color it has.
    pub color: usize,
    /// Its left wall.
    pub x: f64,
    /// The height of an availability of 100.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its depth.
    pub height: f64,
    /// The walls, as high as the healthy availability; broken and of full height in panic mode, where
    /// availability does not count.
    pub walls: String,
    /// Their extension by the availability of degraded hosts.
    pub extension: String,
    /// The line of 100 percent.
    pub brim: String,
    /// The load of the healthy hosts, one stripe for each locality.
    pub water: Vec<LoadShape>,
    /// The load of the degraded hosts, a paler layer above.
    pub pale: LoadShape,
    /// The load, from 0 to 1.
    pub filled: f64,
    /// The height of the walls, from 0 to 1.
    pub edge: f64,
    /// The water above the walls: loads that are scaled up to 100 in total.
    pub over: Option<String>,
    /// Its name.
    pub name: String,
    /// Its load.
    pub load: String,
    /// Lines below the name.
    pub captions: Vec<String>,
    /// The label in it.
    pub word: Option<&'static str>,
    /// Whether it gets no traffic.
    pub dry: bool,
    /// Whether it is in panic mode.
    pub panic: bool,
    /// Whether it has traffic but no usable host.
    pub unserved: bool,
}

/// A stripe of water.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadShape {
    /// Its locality; empty for all.
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
    /// The lines of its texts: one, or two with the name above the load.
    pub lines: u32,
    /// The short form of its name; empty without room for one.
    pub name: String,
    /// Its load.
    pub load: String,
}

/// The label of the traffic that spills over to later priorities.
#[derive(Debug, Clone, PartialEq)]
pub struct SpilloverLabel {
    /// The center of the text.
    pub x: f64,
    /// Its baseline.
    pub y: f64,
    /// `30 % spillover`.
    pub text: String,
}
