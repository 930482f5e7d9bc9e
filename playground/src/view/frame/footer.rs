//! What the figures rest on.

use yew::{AttrValue, Html};

/// What the page was checked against. It never changes, so it is laid down as it stands.
pub(crate) fn footer() -> Html {
    Html::from_html_unchecked(AttrValue::Static(
        "<footer class=\"foot\">\
         <p>The same engine as in the Spillgate filter and command line, checked against \
         Envoy\u{a0}1.40. Shares are computed exactly, not sampled.</p>\
         <p>Everything happens in this page: nothing that you type or paste leaves it.</p>\
         </footer>",
    ))
}
