//! A color and a pattern for each priority, because color alone is not enough.

/// The number of colors with their patterns; they repeat.
const COLORS: usize = 7;

/// The definitions of the patterns, and of the one for panic mode and missing hosts, as SVG. Their ids
/// are those of [`pattern_id`], and `hatch`.
pub const PATTERNS: &str = include_str!("patterns.svg");

/// The class with the color of a priority, by its place.
#[must_use]
pub fn color_class(place: usize) -> String {
    format!("p{}", place % COLORS)
}

/// The id of the pattern in the color of a priority, by its place.
#[must_use]
pub fn pattern_id(place: usize) -> String {
    format!("water-{}", place % COLORS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_its_color() {
        for place in 0..COLORS {
            let definition = format!(
                "id=\"{}\" class=\"{}\"",
                pattern_id(place),
                color_class(place)
            );
            assert!(PATTERNS.contains(&definition), "{definition}");
        }
        assert_eq!(pattern_id(COLORS), pattern_id(0));
    }
}
