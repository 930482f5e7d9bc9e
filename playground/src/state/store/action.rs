//! The changes of the state of the playground.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, PageFigure, ReloadLoss, ScenarioEdit, link::Disclosure};

use crate::state::{CompareChange, Screen};

/// A change of the state.
#[derive(Debug, Clone)]
pub enum Action {
    /// Edits the scenario; the time is in milliseconds of a steady clock.
    Edit(ScenarioEdit, f64),
    /// Shows a preset.
    Preset(String, f64),
    /// Shows a scenario of another screen.
    Open(Rc<EditedScenario>, f64),
    /// Shows the same clusters after an edit of their text.
    Rewrite(Rc<EditedScenario>, f64),
    /// Shows the state of a running Envoy. It is no step to undo, and the address keeps what it has.
    Follow(Rc<EditedScenario>),
    /// Shows an imported configuration.
    Import(Rc<EditedScenario>, f64),
    /// Opens the fragment in the address bar.
    OpenLink(String, f64),
    /// Opens the link that waits.
    OpenWaiting(f64),
    /// Opens a screen.
    Show(Screen),
    /// Keeps the input of a screen; the time is in milliseconds of a steady clock.
    SetInput(Screen, String, f64),
    /// Changes the old side of the comparison; the time is in milliseconds of a steady clock.
    Compare(CompareChange, f64),
    /// Undoes a step.
    Undo,
    /// Redoes a step.
    Redo,
    /// Explains a figure.
    Select(PageFigure),
    /// Chooses what links, files and commands disclose.
    Disclose(Disclosure),
    /// The browser does not keep a part of the import.
    NotKept(ReloadLoss),
    /// Removes the message.
    Dismiss,
}
