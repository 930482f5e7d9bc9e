//! A pattern for each priority, because color alone is not enough, and one for panic mode.

use spillgate_scenario::PATTERNS;
use yew::{AttrValue, Html};

/// The definitions for the figure, the bars and the swatches, as static markup.
pub fn patterns() -> Html {
    Html::from_html_unchecked(AttrValue::Static(PATTERNS))
}
