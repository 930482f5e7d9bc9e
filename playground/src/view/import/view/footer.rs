//! The end of the import dialog, which stays visible: the cluster to show, the button, and the question
//! before a text is discarded.

use yew::prelude::*;

use super::cluster_list::ClusterListView;
use crate::view::import::ImportMessage;

/// The identifier of the button that the question focuses.
pub(super) const KEEP: &str = "import-keep";

/// The end of the dialog.
pub(super) struct Footer<'a> {
    /// The clusters, if the texts can be imported.
    pub(super) clusters: Option<ClusterListView<'a>>,
    /// Whether these are the clusters of the current texts.
    pub(super) is_current: bool,
    /// Whether the user must decide about the text.
    pub(super) asks: bool,
    pub(super) on_apply: Callback<MouseEvent>,
    pub(super) on_keep: Callback<MouseEvent>,
    pub(super) on_discard: Callback<MouseEvent>,
}

impl Footer<'_> {
    pub(super) fn view(self) -> Html {
        let chosen = self
            .clusters
            .as_ref()
            .and_then(|view| Some(view.list.name(view.chosen?).to_owned()));
        let disabled = chosen.is_none() || !self.is_current;
        html! {
            <div class="sheet-acts">
                if self.asks {
                    <div class="ask" role="alert" data-test="import-unsaved">
                        <p>{ ImportMessage::Unsaved.to_string() }</p>
                        <button type="button" id={KEEP} data-test="import-keep" onclick={self.on_keep}>{ "Keep editing" }</button>
                        <button type="button" data-test="import-discard" onclick={self.on_discard}>{ "Discard text" }</button>
                    </div>
                }
                // As one node with or without a list: the question keeps its place, and its button the focus.
                if let Some(clusters) = self.clusters {
                    { clusters.view() }
                }
                <span class="chosen" data-test="import-chosen">{ chosen }</span>
                <button type="button" class="primary" data-test="import-apply" {disabled} onclick={self.on_apply}>{ "Use this cluster" }</button>
            </div>
        }
    }
}
