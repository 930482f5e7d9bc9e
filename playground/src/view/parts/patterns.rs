//! The paints: one for each priority colour, so that colour never speaks alone, and one for panic.

use yew::{AttrValue, Html};

/// Definitions that the figure, the bars and the swatches refer to. They never change, so they
/// are laid down as they stand.
pub(crate) fn patterns() -> Html {
    Html::from_html_unchecked(AttrValue::Static(include_str!("patterns.svg")))
}
