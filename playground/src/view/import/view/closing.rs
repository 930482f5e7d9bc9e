//! How the dialog ends: the chosen cluster is used, or the texts are discarded after a question.

use std::rc::Rc;

use spillgate_scenario::select;
use yew::prelude::*;

use super::{dialog::Dialog, footer::KEEP};
use crate::{bridge, view::import::ImportMessage};

impl Dialog {
    pub(super) fn apply(&mut self, ctx: &Context<Self>) {
        let (Some(imported), Some(root)) = (self.imported(), self.root) else {
            return;
        };
        match select(imported, root) {
            Ok(scenario) => {
                ctx.props().on_import.emit(Rc::new(scenario));
                self.close();
            }
            Err(error) => self.fail(&ImportMessage::NotShown(&error)),
        }
    }

    /// Whether there is a text that is not imported.
    pub(super) fn is_unsaved(&self, ctx: &Context<Self>) -> bool {
        let is_empty = self.texts.config.is_empty() && self.texts.clusters.is_empty();
        !is_empty && ctx.props().start.texts != self.texts
    }

    pub(super) fn ask(&mut self) {
        self.asks = true;
        // The button appears with the next rendering.
        bridge::after(0, || bridge::focus_id(KEEP)).forget();
    }

    pub(super) fn keep(&mut self) {
        self.asks = false;
        bridge::focus_field(&self.config.area);
    }

    pub(super) fn close(&mut self) {
        self.is_done = true;
        bridge::close_dialog(&self.dialog);
    }
}
