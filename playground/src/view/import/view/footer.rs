//! The end of the import dialog, which stays visible: the cluster to show, the button, and the question
//! before a text is discarded.

use spillgate_scenario::Imported;
use yew::prelude::*;

use crate::view::{import::ImportMessage, parts::Choice};

/// The identifier of the button that the question focuses.
pub(super) const KEEP: &str = "import-keep";

/// The end of the dialog.
pub(super) struct Footer<'a> {
    /// The clusters, if the texts can be imported.
    pub(super) imported: Option<&'a Imported>,
    /// Whether these are the clusters of the current texts.
    pub(super) is_current: bool,
    /// The cluster to show.
    pub(super) root: usize,
    /// Whether the user must decide about the text.
    pub(super) asks: bool,
    pub(super) on_root: Callback<String>,
    pub(super) on_apply: Callback<MouseEvent>,
    pub(super) on_keep: Callback<MouseEvent>,
    pub(super) on_discard: Callback<MouseEvent>,
}

impl Footer<'_> {
    pub(super) fn view(self) -> Html {
        let disabled = self.imported.is_none() || !self.is_current;
        html! {
            <div class="sheet-acts">
                if self.asks {
                    <div class="ask" role="alert" data-test="import-unsaved">
                        <p>{ ImportMessage::Unsaved.to_string() }</p>
                        <button type="button" id={KEEP} data-test="import-keep" onclick={self.on_keep}>{ "Keep editing" }</button>
                        <button type="button" data-test="import-discard" onclick={self.on_discard}>{ "Discard text" }</button>
                    </div>
                }
                if let Some(imported) = self.imported {
                    <Choice id="import-cluster" test="import-cluster" label="cluster" options={choices(imported)}
                        value={self.root.to_string()} on_value={self.on_root} />
                }
                <button type="button" class="primary" data-test="import-apply" {disabled} onclick={self.on_apply}>{ "Use this cluster" }</button>
            </div>
        }
    }
}

fn choices(imported: &Imported) -> Vec<(String, String)> {
    let choices = imported.choices();
    choices
        .map(|(at, name, what)| (at.to_string(), format!("{name} ({what})")))
        .collect()
}
