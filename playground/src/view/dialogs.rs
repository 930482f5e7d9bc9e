//! The dialogs of the playground and the text next to the picture, whose code is loaded on first use.

use yew::prelude::*;

use super::{
    frame::{Palette, PaletteProps, Share, ShareProps},
    import::{Import, ImportProps},
    lazy_part::{LazyPart, PartKind},
    text_panel::{TextPanel, TextPanelProps},
};
use crate::lazy::{Loading, lazy};

/// An open dialog, or the open text.
#[derive(Clone, PartialEq)]
pub(super) enum OpenDialog {
    Import(ImportProps),
    Share(ShareProps),
    Palette(PaletteProps),
    Text(TextPanelProps),
}

type Draw = fn(&OpenDialog) -> Html;

lazy! {
    fn load_dialogs as page_dialogs in dialogs -> Draw { dialog }
}

impl LazyPart for OpenDialog {
    fn kind(&self) -> PartKind {
        PartKind::Dialog
    }

    fn load(&self) -> Loading<Draw> {
        load_dialogs()
    }

    fn on_close(&self) -> Option<&Callback<()>> {
        Some(match self {
            Self::Import(props) => &props.on_close,
            Self::Share(props) => &props.on_close,
            Self::Palette(props) => &props.on_close,
            Self::Text(props) => &props.on_close,
        })
    }
}

/// Fetches the code, because the user may open a dialog next.
pub(super) fn prepare_dialogs() {
    yew::platform::spawn_local(async {
        // Opening a dialog tries again, and reports a failure.
        let _ = load_dialogs().await;
    });
}

fn dialog(dialog: &OpenDialog) -> Html {
    match dialog.clone() {
        OpenDialog::Import(props) => html! { <Import ..props /> },
        OpenDialog::Share(props) => html! { <Share ..props /> },
        OpenDialog::Palette(props) => html! { <Palette ..props /> },
        OpenDialog::Text(props) => html! { <TextPanel ..props /> },
    }
}
