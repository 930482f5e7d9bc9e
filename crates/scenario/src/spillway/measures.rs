//! The measures of both layouts.

/// The measures of a layout.
pub(super) struct Measures {
    pub(super) width: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) widest: f64,
    pub(super) depth: f64,
    pub(super) bend: f64,
    pub(super) fall: f64,
    pub(super) caption: f64,
    pub(super) captions: usize,
    pub(super) most: usize,
    /// The font sizes of captions and of the words in basins.
    pub(super) caption_font: f64,
    pub(super) word_font: f64,
    /// The font size of members and of spillover.
    pub(super) font: f64,
}

pub(super) const WIDE: Measures = Measures {
    width: 860.0,
    left: 92.0,
    right: 14.0,
    top: 58.0,
    widest: 172.0,
    depth: 150.0,
    bend: 20.0,
    fall: 34.0,
    caption: 20.0,
    captions: 3,
    most: 8,
    caption_font: 15.0,
    word_font: 16.0,
    font: 16.0,
};

pub(super) const NARROW: Measures = Measures {
    width: 340.0,
    left: 26.0,
    right: 4.0,
    top: 44.0,
    widest: 96.0,
    depth: 96.0,
    bend: 10.0,
    fall: 20.0,
    caption: 17.0,
    captions: 0,
    most: 5,
    caption_font: 13.0,
    word_font: 12.0,
    font: 13.0,
};

/// Between two clusters of an aggregate.
pub(super) const GROUP_GAP: f64 = 16.0;
