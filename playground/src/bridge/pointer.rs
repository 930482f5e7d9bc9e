//! The position of the pointer.

use web_sys::Element;
use yew::{MouseEvent, PointerEvent, TargetCast as _};

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

/// Sends the later events of a pointer to the picture that it pressed, also when it leaves that.
pub fn hold_pointer(event: &PointerEvent) {
    let target = event.target_dyn_into::<Element>();
    let picture = target.and_then(|target| target.closest("svg").ok().flatten());
    if let Some(picture) = picture {
        // Without it, a drag ends where the pointer leaves the picture.
        let _ = picture.set_pointer_capture(event.pointer_id());
    }
}
