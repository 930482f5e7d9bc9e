//! What a change of the scenario writes.

use std::rc::Rc;

use spillgate_scenario::EditedScenario;

use crate::state::FileReply;

/// The texts of a change.
pub(crate) struct WrittenTexts {
    /// The scenario of the earlier text.
    pub(super) old_scenario: Option<Rc<EditedScenario>>,
    /// Its text, if it was not written before.
    pub(super) old: Option<FileReply>,
    pub(super) new_scenario: Rc<EditedScenario>,
    pub(super) new: FileReply,
}
