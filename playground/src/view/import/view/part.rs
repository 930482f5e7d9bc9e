//! The dialog as a part of the page that is loaded on first use.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, ImportField, ImportTexts, TextPosition};
use yew::prelude::*;

use super::dialog::Dialog;
use crate::{
    lazy::{Loading, lazy},
    view::lazy_part::{LazyPart, PartKind},
};

/// The initial state of the dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DialogStart {
    /// The imported texts; empty without any.
    pub(crate) texts: ImportTexts,
    /// The place of the caret; `None` at the start of the configuration.
    pub(crate) caret: Option<(ImportField, TextPosition)>,
}

/// The dialog.
#[derive(Clone, PartialEq)]
pub(crate) struct DialogPart {
    pub(crate) start: Rc<DialogStart>,
    /// Called with what the user imports.
    pub(crate) on_import: Callback<Rc<EditedScenario>>,
    /// Called after the dialog closed.
    pub(crate) on_close: Callback<()>,
}

lazy! {
    fn load_dialog as import_dialog in import -> fn(&DialogPart) -> Html { dialog }
}

impl LazyPart for DialogPart {
    fn kind(&self) -> PartKind {
        PartKind::Import
    }

    fn load(&self) -> Loading<fn(&Self) -> Html> {
        load_dialog()
    }
}

fn dialog(part: &DialogPart) -> Html {
    html! { <Dialog part={part.clone()} /> }
}
