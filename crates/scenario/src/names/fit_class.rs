//! Labels in bars whose width only the browser knows.

use super::text_width;

/// The font size of the labels, and the room at both ends, in pixels.
const FONT: f64 = 12.5;
const MARGIN: f64 = 6.0;

/// Widths of a bar in pixels for which the style sheet has classes.
const WIDTHS: [(u32, &str); 9] = [
    (240, ""),
    (280, "from-280"),
    (320, "from-320"),
    (360, "from-360"),
    (420, "from-420"),
    (560, "from-560"),
    (760, "from-760"),
    (1_000, "from-1000"),
    (1_400, "from-1400"),
];

/// The class of a label in a segment that has a part of a bar, in percent: the style sheet shows the
/// label in bars of some width. `None` if the label has no room in any bar.
#[must_use]
pub fn fit_class(label: &str, percent: f64) -> Option<&'static str> {
    let room = (text_width(label) * FONT + MARGIN) * 100.0;
    let mut widths = WIDTHS.into_iter();
    let fits = widths.find(|&(width, _)| f64::from(width) * percent >= room);
    fits.map(|(_, class)| class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_segments_have_labels_in_wide_bars_only() {
        assert_eq!(fit_class("P0 70 %", 70.0), Some(""));
        assert_eq!(fit_class("P1 10 %", 10.0), Some("from-760"));
        assert_eq!(fit_class("P1 1 %", 1.0), None);
    }
}
