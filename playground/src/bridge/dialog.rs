//! Modal dialogs; the browser manages the focus.

use web_sys::HtmlDialogElement;
use yew::NodeRef;

/// Opens a dialog.
pub fn open_dialog(dialog: &NodeRef) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>()
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

/// Closes a dialog.
pub fn close_dialog(dialog: &NodeRef) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>()
        && dialog.open()
    {
        dialog.close();
    }
}
