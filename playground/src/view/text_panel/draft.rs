//! The text of the panel, and the scenario that it belongs to. It outlives the panel: closing the panel or opening
//! another screen loses nothing that the user has typed.

use std::{cell::RefCell, rc::Rc};

use spillgate_scenario::{
    EditedScenario, ImportOrigin, ImportTexts, TextRefusal, merge_lines, text_is_complete,
    with_text,
};

use crate::view::Action;

thread_local! {
    /// The text of the closed panel.
    static KEPT: RefCell<TextDraft> = RefCell::default();
}

/// Whether the scenario is that of the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TextState {
    /// The text is written from the scenario, or the scenario follows the text.
    #[default]
    Same,
    /// The user has typed, and the text is not read yet.
    Typed,
    /// The text has errors.
    Rejected,
    /// The scenario cannot follow the text.
    NotFollowed,
}

#[derive(Debug, Clone, Default)]
pub(super) struct TextDraft {
    pub(super) text: String,
    pub(super) state: TextState,
    /// The scenario of the text; of a text that no scenario follows yet, the one that the user has edited.
    pub(super) of: Option<Rc<EditedScenario>>,
    /// The text of that scenario as it is written, without the lines of the user; `None` if it was not written.
    pub(super) written: Option<String>,
    /// The reading of the last text that the scenario and the page agreed on.
    pub(super) agreed: Option<Rc<ImportOrigin>>,
    /// This last text, until it is read.
    pub(super) unread: Option<String>,
}

/// What a change of the scenario makes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergeResult {
    /// The text has the change.
    Merged,
    /// The user has changed the same lines, or the text is that of another cluster; it stays as it is.
    Kept,
}

impl TextDraft {
    /// The text of a scenario, before it is read.
    pub(super) fn agreed(text: String, scenario: &Rc<EditedScenario>) -> Self {
        Self {
            unread: Some(text.clone()),
            text,
            of: Some(Rc::clone(scenario)),
            ..Self::default()
        }
    }

    /// The text of the closed panel.
    pub(super) fn kept() -> Self {
        KEPT.take()
    }

    /// Keeps the text after the panel is closed.
    pub(super) fn keep(self) {
        KEPT.set(self);
    }

    /// Whether the text is that of a scenario.
    pub(super) fn is_of(&self, scenario: &Rc<EditedScenario>) -> bool {
        let of = self.of.as_ref();
        of.is_some_and(|of| Rc::ptr_eq(of, scenario))
    }

    /// What the reader gets: a text that the page and the scenario agreed on before the current one.
    pub(super) fn texts(&self) -> ImportTexts {
        ImportTexts {
            config: self.unread.as_ref().unwrap_or(&self.text).clone(),
            clusters: String::new(),
        }
    }

    /// Makes the change to another scenario, whose text is `new`. A text that is only written has the change in any case.
    pub(super) fn merge(&mut self, scenario: &Rc<EditedScenario>, new: &str) -> MergeResult {
        let of = self.of.as_deref();
        let is_same_cluster = of.is_some_and(|of| shown(of) == shown(scenario));
        let old = self.written.as_ref().filter(|_| is_same_cluster);
        let merged = old.map(|old| merge_lines(old, &self.text, new));
        if self.state == TextState::Same {
            self.text = merged.map_or_else(|| new.to_owned(), |merged| merged.text);
            self.unread = Some(self.text.clone());
        } else {
            match merged.filter(|merged| !merged.has_conflict) {
                Some(merged) => self.text = merged.text,
                None if self.of.is_some() => return MergeResult::Kept,
                None => {}
            }
        }
        self.of = Some(Rc::clone(scenario));
        self.written = Some(new.to_owned());
        MergeResult::Merged
    }

    /// The action after which the scenario follows the text; `None` if it does already. The time is in milliseconds of a
    /// steady clock.
    ///
    /// # Errors
    /// If it cannot follow.
    pub(super) fn follow(
        &mut self,
        now: &Rc<EditedScenario>,
        read: &Rc<ImportOrigin>,
        time: f64,
    ) -> Result<Option<Action>, TextRefusal> {
        let next = with_text(now, self.agreed.as_deref(), read);
        let next = next.inspect_err(|_| self.state = TextState::NotFollowed)?;
        self.state = TextState::Same;
        self.agreed = Some(Rc::clone(read));
        let is_same = next == **now;
        let next = if is_same {
            Rc::clone(now)
        } else {
            Rc::new(next)
        };
        let of = self.of.as_deref();
        let is_same_cluster = of.is_none_or(|of| shown(of) == shown(now));
        // Otherwise, the text is to be written again.
        if is_same_cluster && text_is_complete(&next, read) {
            self.of = Some(Rc::clone(&next));
            self.written = None;
        }
        if is_same {
            return Ok(None);
        }
        let has_same_names = names(&next).eq(names(now));
        Ok(Some(if has_same_names {
            Action::Rewrite(next, time)
        } else {
            Action::Open(next, time)
        }))
    }

    /// Whether a reading of the text, with the lines of the user, is the scenario. A cluster that the text lacks would
    /// stay.
    pub(super) fn is_confirmed(scenario: &EditedScenario, read: &ImportOrigin) -> bool {
        text_is_complete(scenario, read)
            && with_text(scenario, Some(read), read).is_ok_and(|next| next == *scenario)
    }
}

/// The names of the clusters in order.
fn names(scenario: &EditedScenario) -> impl Iterator<Item = &str> {
    let clusters = scenario.clusters().iter();
    clusters.map(|cluster| cluster.name.as_str())
}

/// The name of the cluster that a scenario shows.
fn shown(scenario: &EditedScenario) -> &str {
    scenario.name(scenario.root())
}
