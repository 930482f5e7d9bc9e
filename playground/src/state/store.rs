//! Everything that the page remembers, and the only way to change it.

use std::rc::Rc;

use super::{
    History, PageFigure, PageScenario, ScenarioEdit, ScenarioOutcome, apply, headline,
    link::{self, Addresses, LinkError},
    plain_text, preset, priority_at, sentence,
};

/// The state of the page.
#[derive(Debug, Clone)]
pub struct Store {
    history: History<Rc<PageScenario>>,
    /// The result of the scenario that holds.
    pub outcome: Rc<ScenarioOutcome>,
    /// The result before the latest step.
    pub previous: Option<Rc<ScenarioOutcome>>,
    /// The figure that is explained.
    pub selected: Option<PageFigure>,
    /// A message that stays until it is dismissed or overtaken.
    pub notice: Option<Notice>,
    /// What a screen reader is to hear about the latest change.
    pub announcement: String,
    /// Whether the address bar may be written: not before the first edit, and so a bad link stays
    /// there to be looked at.
    pub link_is_live: bool,
    /// Whether links tell the addresses of hosts. Those of an imported configuration stay here
    /// unless the user wants otherwise; those that came with a link are no secret.
    pub addresses: Addresses,
}

/// A message to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What happened.
    pub title: String,
    /// Why, and what to do.
    pub detail: String,
}

/// What can happen to the page.
#[derive(Debug, Clone)]
pub enum Action {
    /// The user changed the scenario; the time is in milliseconds of a steady clock.
    Edit(ScenarioEdit, f64),
    /// A preset was chosen.
    Preset(String, f64),
    /// A configuration was imported.
    Import(Rc<PageScenario>, f64),
    /// The address bar has another fragment.
    OpenLink(String, f64),
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// A figure is to be explained.
    Select(PageFigure),
    /// Links are to tell addresses, or not.
    Tell(Addresses),
    /// The message was read.
    Dismiss,
}

impl Store {
    /// The page as it opens, with the fragment of its address.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        let scenario = match fragment.trim_start_matches('#') {
            "" => Ok(start()),
            text => link::read(text),
        };
        match scenario {
            Ok(scenario) => Self::showing(scenario),
            Err(error) => Self {
                notice: Some(bad_link(&error)),
                ..Self::showing(start())
            },
        }
    }

    fn showing(scenario: PageScenario) -> Self {
        let outcome = Rc::new(ScenarioOutcome::of(&scenario));
        Self {
            selected: telling_figure(&outcome),
            history: History::new(Rc::new(scenario)),
            outcome,
            previous: None,
            notice: None,
            announcement: String::new(),
            link_is_live: false,
            addresses: Addresses::Included,
        }
    }

    /// The scenario that holds.
    #[must_use]
    pub fn scenario(&self) -> &Rc<PageScenario> {
        self.history.present()
    }

    /// How many steps can be undone and redone.
    #[must_use]
    pub const fn depth(&self) -> (usize, usize) {
        self.history.depth()
    }

    /// The state after an action.
    #[must_use]
    pub fn after(&self, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::Edit(edit, now) => {
                if let Some(scenario) = apply(self.scenario(), &edit) {
                    next.step(Rc::new(scenario), edit.control(), now);
                }
            }
            Action::Preset(id, now) => {
                if let Some(scenario) = preset(&id) {
                    next.replace(Rc::new(scenario), now);
                }
            }
            Action::Import(scenario, now) => {
                next.addresses = Addresses::Replaced;
                next.replace(scenario, now);
            }
            Action::Tell(addresses) => next.addresses = addresses,
            Action::OpenLink(fragment, now) => match link::read(&fragment) {
                // What the address bar shows already is no news.
                Ok(scenario) if scenario == **self.scenario() => {}
                Ok(scenario) => {
                    next.addresses = Addresses::Included;
                    next.replace(Rc::new(scenario), now);
                }
                Err(error) => {
                    next.notice = Some(bad_link(&error));
                    next.link_is_live = false;
                }
            },
            Action::Undo => {
                if next.history.undo() {
                    next.travel("Undone. ");
                }
            }
            Action::Redo => {
                if next.history.redo() {
                    next.travel("Redone. ");
                }
            }
            Action::Select(figure) => next.selected = Some(figure),
            Action::Dismiss => next.notice = None,
        }
        next
    }

    fn step(
        &mut self,
        scenario: Rc<PageScenario>,
        control: Option<super::history::Control>,
        now: f64,
    ) {
        // While a slider is dragged, all of it is compared with what was before it.
        if self.history.push(scenario, control, now) {
            self.previous = Some(Rc::clone(&self.outcome));
        }
        self.recompute("");
    }

    /// After a step through the history: what was before has to be found out again.
    fn travel(&mut self, what: &str) {
        let before = self.history.previous();
        self.previous = before.map(|before| Rc::new(ScenarioOutcome::of(before)));
        self.recompute(what);
    }

    /// Another scenario altogether: what was selected means nothing there.
    fn replace(&mut self, scenario: Rc<PageScenario>, now: f64) {
        self.selected = None;
        self.step(scenario, None, now);
        self.previous = None;
    }

    fn recompute(&mut self, what: &str) {
        let scenario = Rc::clone(self.scenario());
        self.outcome = Rc::new(ScenarioOutcome::of(&scenario));
        self.notice = None;
        self.link_is_live = true;
        self.announcement = format!(
            "{what}{} {}",
            plain_text(&headline(&self.outcome)),
            sentence::consequence(&scenario, &self.outcome)
        );
        let still_there = self
            .selected
            .is_some_and(|figure| super::explain(&scenario, &self.outcome, figure).is_some());
        if !still_there {
            self.selected = telling_figure(&self.outcome);
        }
    }
}

fn start() -> PageScenario {
    let first = super::PRESETS.first().and_then(|entry| preset(entry.id));
    first.unwrap_or_else(PageScenario::nothing)
}

/// What deserves an explanation first: the last share that is not 0, since it follows from all
/// others.
fn telling_figure(outcome: &ScenarioOutcome) -> Option<PageFigure> {
    let loaded = outcome
        .priorities()
        .iter()
        .rev()
        .find(|row| row.row.load() > 0);
    let row = loaded.or_else(|| outcome.priorities().first());
    row.map(|row| PageFigure::Priority(priority_at(row.row.at)))
}

fn bad_link(error: &LinkError) -> Notice {
    Notice {
        title: "This link cannot be opened".into(),
        detail: format!(
            "{error}. The start scenario is shown instead; the address stays as it is until you \
             change something."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::PriorityAt;
    use super::*;

    const P0: PriorityAt = PriorityAt {
        cluster: 0,
        priority: 0,
    };

    fn healthy(store: &Store, count: usize, now: f64) -> Store {
        store.after(Action::Edit(ScenarioEdit::HealthyCount(P0, count), now))
    }

    #[test]
    fn the_page_opens_with_the_documented_example() {
        let store = Store::open("");
        assert_eq!(store.outcome.priorities()[0].row.load(), 70);
        assert!(store.notice.is_none() && !store.link_is_live);
        let p1 = PriorityAt {
            cluster: 0,
            priority: 1,
        };
        assert_eq!(store.selected, Some(PageFigure::Priority(p1)));
    }

    #[test]
    fn a_bad_link_is_explained_and_left_alone_until_an_edit() {
        let store = Store::open("#1g.AAAA");
        assert!(store.notice.is_some() && !store.link_is_live);
        assert_eq!(store.outcome.priorities()[0].row.load(), 70);
        let store = healthy(&store, 9, 0.0);
        assert!(store.notice.is_none() && store.link_is_live);
    }

    #[test]
    fn a_link_opens_and_the_same_link_again_is_no_step() {
        let scenario = preset("shop").unwrap();
        let link = link::write(&scenario, Addresses::Included);
        let store = Store::open(&format!("#{link}"));
        assert_eq!(**store.scenario(), scenario);
        let again = store.after(Action::OpenLink(link, 0.0));
        assert_eq!(again.depth(), (0, 0));
    }

    #[test]
    fn changes_are_against_the_step_before() {
        let store = healthy(&healthy(&Store::open(""), 6, 0.0), 7, 100.0);
        assert_eq!(store.depth(), (1, 0), "a drag is one step");
        assert_eq!(
            store.previous.as_ref().unwrap().priorities()[0].row.load(),
            70
        );
        assert_eq!(store.outcome.priorities()[0].row.load(), 98);
        let back = store.after(Action::Undo);
        assert_eq!(back.outcome.priorities()[0].row.load(), 70);
        assert!(back.previous.is_none());
        assert!(back.announcement.starts_with("Undone."));
        let forth = back.after(Action::Redo);
        assert_eq!(forth.outcome.priorities()[0].row.load(), 98);
    }

    #[test]
    fn a_selection_that_is_gone_falls_back() {
        let p2 = PriorityAt {
            cluster: 0,
            priority: 2,
        };
        let store = Store::open("").after(Action::Select(PageFigure::Priority(p2)));
        let store = store.after(Action::Edit(ScenarioEdit::RemovePriority(0), 0.0));
        assert!(matches!(store.selected, Some(PageFigure::Priority(at)) if at != p2));
    }
}
