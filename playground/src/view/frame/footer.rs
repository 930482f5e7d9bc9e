//! The footer.

use yew::{AttrValue, Html};

/// The basis of the figures. It never changes, so it is static markup.
pub(crate) fn footer() -> Html {
    Html::from_html_unchecked(AttrValue::Static(
        "<footer class=\"foot\">\
         <p>The engine of the Spillgate filter and CLI, checked against Envoy\u{a0}1.40. Shares are \
         exact, not sampled.</p>\
         <p>Nothing that you type or paste leaves this page.</p>\
         </footer>",
    ))
}
