//! The shapes of figures. Geometry is in attributes, style is in classes.

use spillgate_scenario::fixed;
use yew::prelude::*;

/// A text at a point.
#[inline(never)]
pub fn label(class: &'static str, x: f64, y: f64, text: &str) -> Html {
    html! { <text {class} x={fixed(x)} y={fixed(y)}>{ text }</text> }
}

/// A rectangle.
#[inline(never)]
pub fn area(
    class: &'static str,
    corner: (f64, f64),
    size: (f64, f64),
    fill: Option<String>,
) -> Html {
    html! {
        <rect {class} x={fixed(corner.0)} y={fixed(corner.1)} width={fixed(size.0)} height={fixed(size.1)} rx="5" {fill} />
    }
}

/// An outline.
#[inline(never)]
pub fn shape(class: &'static str, fill: Option<String>, d: String, title: &str) -> Html {
    html! {
        <path {class} {fill} {d}>
            if !title.is_empty() {
                <title>{ title }</title>
            }
        </path>
    }
}

/// A rectangle with the full height of its figure, in percent of the width.
#[inline(never)]
pub fn bar(class: &'static str, from: f64, width: f64, fill: Option<String>) -> Html {
    html! {
        <rect {class} x={percent(from)} width={percent(width)} y="0" height="100%" {fill} />
    }
}

/// A text in the middle of the height, at a position in percent of the width.
#[inline(never)]
pub fn bar_label(class: &'static str, at: f64, text: String) -> Html {
    html! { <text {class} x={percent(at)} y="50%">{ text }</text> }
}

fn percent(number: f64) -> String {
    format!("{}%", fixed(number))
}
