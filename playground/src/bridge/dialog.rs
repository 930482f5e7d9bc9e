//! Modal dialogs: the browser keeps the focus inside and brings it back.

use web_sys::HtmlDialogElement;
use yew::NodeRef;

/// Shows a dialog above the page.
pub fn open_dialog(dialog: &NodeRef) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>()
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

/// Closes it.
pub fn close_dialog(dialog: &NodeRef) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>()
        && dialog.open()
    {
        dialog.close();
    }
}
