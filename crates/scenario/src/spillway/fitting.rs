//! Texts that fit their place in the figure.

use super::super::text_width;

/// The first of some forms of a text that fits, the longest first; empty if none does.
pub(super) fn fitting(forms: &[String], room: f64, font: f64) -> String {
    let fits = |form: &&String| text_width(form) * font <= room;
    forms.iter().find(fits).cloned().unwrap_or_default()
}
