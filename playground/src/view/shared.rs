//! What most components get: the state, and how to change it.

use std::{ops::Deref, rc::Rc};

use spillgate_scenario::{PageFigure, ScenarioEdit};
use yew::{Callback, MouseEvent};

use super::Action;
use crate::{
    bridge,
    state::{Screen, Store},
};

/// The state of the playground; two are equal if no action happened between them.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Rc<Store>);

impl Shared {
    pub(crate) fn new(store: Store) -> Self {
        Self(Rc::new(store))
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Shared {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.0
    }
}

/// Runs actions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Act(pub(super) Callback<Action>);

impl Act {
    /// Runs an action.
    pub(crate) fn run(&self, action: Action) {
        self.0.emit(action);
    }

    /// Shows a screen, so that the Back button returns to the previous one.
    pub(crate) fn show(&self, screen: Screen) {
        bridge::push_screen(screen);
        self.run(Action::Show(screen));
    }

    /// Runs an edit.
    pub(crate) fn edit(&self, edit: ScenarioEdit) {
        self.run(Action::Edit(edit, bridge::now()));
    }

    /// Selects a figure.
    pub(crate) fn choose(&self) -> Callback<PageFigure> {
        self.0.reform(Action::Select)
    }

    /// Selects a figure on click.
    pub(crate) fn select(&self, figure: PageFigure) -> Callback<MouseEvent> {
        let act = self.clone();
        Callback::from(move |_| act.run(Action::Select(figure)))
    }

    /// Runs an edit on click.
    pub(crate) fn editing(&self, edit: ScenarioEdit) -> Callback<MouseEvent> {
        let act = self.clone();
        Callback::from(move |_| act.edit(edit.clone()))
    }
}
