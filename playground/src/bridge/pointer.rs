//! The position of the pointer.

use web_sys::Element;
use yew::{MouseEvent, TargetCast as _};

/// The position of a click from the left edge of the clicked element, as a share of its width: 0 to 1.
#[must_use]
pub fn share_of_width(event: &MouseEvent) -> Option<f64> {
    let bounds = event
        .target_dyn_into::<Element>()?
        .closest("svg")
        .ok()??
        .get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - bounds.left()) / bounds.width();
    share.is_finite().then_some(share.clamp(0.0, 1.0))
}
