//! A load as a bar: now, at most, and the capacity as a line. The cells next to it have the same figures.

use yew::prelude::*;

use crate::view::{parts::bar, screens::fleet::BarShape};

/// The width of the line of the capacity, in percent.
const LINE: f64 = 1.5;

/// The bar.
pub(super) fn load_bar(shape: BarShape) -> Html {
    let BarShape {
        now,
        most,
        capacity,
    } = shape;
    let over = capacity.filter(|capacity| most > *capacity);
    let over = over.map(|capacity| bar("over", capacity, most - capacity, None));
    let line = capacity.map(|capacity| {
        let from = (capacity - LINE / 2.0).min(100.0 - LINE);
        bar("capacity", from, LINE, None)
    });
    html! {
        <svg class="bar" width="100%" height="12" aria-hidden="true" focusable="false">
            { bar("most", 0.0, most, None) }
            { for over }
            { bar("now", 0.0, now, None) }
            { for line }
        </svg>
    }
}
