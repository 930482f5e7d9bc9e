//! The state of the playground, and its actions.

mod action;
mod comparing;
mod opened_link;
mod reload;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use spillgate_scenario::{
    EditControl, EditedScenario, Headline, History, PageFigure, PageMessage, ScenarioOutcome,
    ShortNames, apply,
    link::{self, Disclosure, ScenarioWork, SharedScenario},
    preset, priority_at,
};

pub use self::action::Action;
use self::opened_link::OpenedLink;
use super::{ComparedSide, PageView, Screen, SideSource};

/// The kind of control of all inputs of a screen; those of edits are smaller.
const INPUT: u8 = 100;

/// What undo and redo restore.
#[derive(Debug, Clone)]
struct PageStep {
    scenario: Rc<EditedScenario>,
    /// With the screen that was open.
    view: PageView,
    /// The scenario before the user's edits.
    opened: Rc<EditedScenario>,
    /// What comparisons have as the old side instead of that.
    kept: Option<ComparedSide>,
}

/// The state of the playground.
#[derive(Debug, Clone)]
pub struct Store {
    history: History<PageStep>,
    /// The result of the current scenario.
    pub outcome: Rc<ScenarioOutcome>,
    /// The short forms of its names.
    pub names: Rc<ShortNames>,
    /// The result before the latest step that changed the scenario.
    pub previous: Option<Rc<ScenarioOutcome>>,
    /// The figure in the explanation.
    pub selected: Option<PageFigure>,
    /// The figure that the user selected, which links contain.
    chosen: Option<PageFigure>,
    /// The open screen, and the input of the screens.
    pub view: PageView,
    /// A message, until the user dismisses it or edits the scenario.
    pub notice: Option<String>,
    /// The fragment that waits until the user asks for its work.
    pub waiting: Option<Rc<str>>,
    /// The latest change, for screen readers.
    pub announcement: String,
    /// Whether the playground writes the address bar: not before the first edit, so that a bad link is not
    /// replaced.
    pub link_is_live: bool,
    /// What links, files and commands disclose. By default nothing of an imported configuration, and all of
    /// a link.
    pub disclosure: Disclosure,
}

impl Store {
    /// The initial state, for the fragment of the address.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        match OpenedLink::read(fragment) {
            Ok(Some(link)) => match link.large_work() {
                None => Self::showing(link),
                Some(work) => {
                    let mut store = Self::showing(OpenedLink::start());
                    store.wait(fragment, work);
                    store
                }
            },
            Ok(None) => Self::showing(OpenedLink::start()),
            Err(error) => Self {
                notice: Some(PageMessage::BadLink(&error).to_string()),
                ..Self::showing(OpenedLink::start())
            },
        }
    }

    fn showing(link: OpenedLink) -> Self {
        let OpenedLink {
            scenario,
            view,
            selected,
            kept,
        } = link;
        let outcome = Rc::new(ScenarioOutcome::of(&scenario));
        let selected = selected
            .filter(|figure| spillgate_scenario::explain(&scenario, &outcome, *figure).is_some());
        let scenario = Rc::new(scenario);
        Self {
            chosen: selected,
            selected: selected.or_else(|| default_figure(&outcome)),
            history: History::new(PageStep {
                opened: Rc::clone(&scenario),
                scenario,
                view: view.clone(),
                kept,
            }),
            view,
            names: Rc::new(outcome.names()),
            outcome,
            previous: None,
            notice: None,
            waiting: None,
            announcement: String::new(),
            link_is_live: false,
            disclosure: Disclosure::Addresses,
        }
    }

    /// The fragment with this state, without the `#`.
    #[must_use]
    pub fn fragment(&self, disclosure: Disclosure) -> String {
        self.comparison_fragment(disclosure).unwrap_or_else(|| {
            let shared = SharedScenario::new(self.scenario(), disclosure);
            let view = shared.view(self.shared_view());
            link::with_view(link::write(&shared.scenario), &view)
        })
    }

    /// The open screen, its selected figure and the input of each screen, as in links.
    #[must_use]
    pub fn shared_view(&self) -> link::LinkView {
        let mut view = self.whole_view();
        // Only links with both sides replace the name of a cluster that only the old side has.
        let is_new = |name: &str| {
            let mut clusters = self.scenario().clusters().iter();
            clusters.any(|cluster| cluster.name == name)
        };
        view.retain(|(name, value)| name != Screen::Compare.name() || is_new(value));
        view
    }

    /// The same with what belongs to the old side.
    fn whole_view(&self) -> link::LinkView {
        self.view.to_link(self.chosen)
    }

    /// The current scenario.
    #[must_use]
    pub const fn scenario(&self) -> &Rc<EditedScenario> {
        &self.history.present().scenario
    }

    /// The scenario before the latest step that changed it; `None` if that step shows other clusters.
    #[must_use]
    pub fn before(&self) -> Option<&Rc<EditedScenario>> {
        self.previous.as_ref()?;
        self.earlier_scenario()
    }

    /// The latest earlier scenario: other steps change the input of a screen.
    fn earlier_scenario(&self) -> Option<&Rc<EditedScenario>> {
        let mut earlier = self.history.earlier().map(|step| &step.scenario);
        earlier.find(|scenario| !Rc::ptr_eq(scenario, self.scenario()))
    }

    /// The numbers of steps to undo and to redo.
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
            Action::Open(scenario, now) => next.replace(scenario, now),
            Action::Rewrite(scenario, now) => next.step(scenario, None, now),
            Action::Follow(scenario) => {
                let is_live = next.link_is_live;
                next.previous = Some(Rc::clone(&self.outcome));
                let step = self.step_to(scenario);
                next.history.replace(step);
                next.recompute("");
                next.link_is_live = is_live;
            }
            Action::Import(scenario, now) => {
                next.disclosure = Disclosure::Shape;
                let view = scenario.origin.as_ref().map(|origin| origin.view.clone());
                if let Some(view) = view.filter(|view| !view.is_empty()) {
                    let selected;
                    (next.view, selected) = PageView::from_link(view);
                    next.replace(scenario, now);
                    next.choose(selected);
                } else {
                    next.replace(scenario, now);
                }
            }
            Action::Disclose(disclosure) => next.disclosure = disclosure,
            Action::OpenLink(fragment, now) => match OpenedLink::read(&fragment) {
                Ok(None) => {}
                Ok(Some(link)) => {
                    // The playground itself may have written this link.
                    let is_compared =
                        |kept: &ComparedSide| *kept.scenario == *self.compared().scenario;
                    let is_shown = link.scenario == **self.scenario()
                        && link.kept.as_ref().is_none_or(is_compared);
                    let is_open = is_shown && link.view == self.view;
                    if let Some(work) = link.large_work().filter(|_| !is_open) {
                        next.wait(&fragment, work);
                        return next;
                    }
                    if is_shown {
                        next.view = link.view;
                        if let Some(screen) = next.view.changed_input(&self.view) {
                            next.step_of_input(screen, now);
                        }
                        next.choose(link.selected);
                    } else {
                        next.show_link(link, now);
                    }
                }
                Err(error) => {
                    next.notice = Some(PageMessage::BadLink(&error).to_string());
                    next.waiting = None;
                    next.link_is_live = false;
                }
            },
            Action::OpenWaiting(now) => {
                let waiting = next.waiting.take();
                if let Some(Ok(Some(link))) = waiting.map(|text| OpenedLink::read(&text)) {
                    next.show_link(link, now);
                }
            }
            Action::Show(screen) => {
                next.view.screen = screen;
                // A bad link stays in the address bar until an edit.
                next.link_is_live |= next.notice.is_none();
            }
            Action::SetInput(screen, input, now) => {
                if self.view.input(screen) != input {
                    next.view.set_input(screen, input);
                    next.step_of_input(screen, now);
                }
                next.link_is_live |= next.notice.is_none();
            }
            Action::Compare(change, now) => next.compare(change, now),
            Action::Undo => {
                if next.history.undo() {
                    next.travel(self, "Undone. ");
                }
            }
            Action::Redo => {
                if next.history.redo() {
                    next.travel(self, "Redone. ");
                }
            }
            Action::Select(figure) => next.choose(Some(figure)),
            Action::NotKept(loss) => {
                next.notice = Some(PageMessage::NotKept(loss).to_string());
                next.waiting = None;
            }
            Action::Dismiss => (next.notice, next.waiting) = (None, None),
        }
        next
    }

    /// Asks before the work of a link. Like a bad link, it stays in the address bar until an edit.
    fn wait(&mut self, fragment: &str, work: ScenarioWork) {
        self.notice = Some(PageMessage::LargeLink(work).to_string());
        self.waiting = Some(fragment.into());
        self.link_is_live = false;
    }

    /// Shows the content of a link. What it has was disclosed by its author, unlike a kept import.
    fn show_link(&mut self, link: OpenedLink, now: f64) {
        self.view = link.view;
        let is_compared = link.kept.is_some();
        if is_compared || self.compared().source != SideSource::KeptImport {
            self.disclosure = Disclosure::Addresses;
        }
        self.replace(Rc::new(link.scenario), now);
        if is_compared {
            self.change_step(|step| step.kept = link.kept);
        }
        self.choose(link.selected);
    }

    fn change_step(&mut self, change: impl FnOnce(&mut PageStep)) {
        let mut step = self.history.present().clone();
        change(&mut step);
        self.history.complete(step);
    }

    /// The current step with another scenario.
    fn step_to(&self, scenario: Rc<EditedScenario>) -> PageStep {
        PageStep {
            scenario,
            view: self.view.clone(),
            ..self.history.present().clone()
        }
    }

    fn step(&mut self, scenario: Rc<EditedScenario>, control: Option<EditControl>, now: f64) {
        let step = self.step_to(scenario);
        // Changes are relative to the state before a drag.
        if self.history.push(step, control, now) {
            self.previous = Some(Rc::clone(&self.outcome));
        }
        self.recompute("");
    }

    /// Notes a changed input of a screen.
    fn step_of_input(&mut self, screen: Screen, now: f64) {
        let step = self.step_to(Rc::clone(self.scenario()));
        self.history
            .push(step, Some((INPUT, screen as usize, 0)), now);
    }

    /// Shows what undo or redo restored. If that is only the input of a screen, this screen opens.
    fn travel(&mut self, from: &Self, what: &str) {
        let screen = self.view.screen;
        self.view = self.history.present().view.clone();
        self.view.screen = screen;
        if Rc::ptr_eq(self.scenario(), from.scenario()) {
            if let Some(screen) = self.view.changed_input(&from.view) {
                self.view.screen = screen;
                self.announcement = format!("{what}The input of {} is back.", screen.title());
            }
            return;
        }
        let before = self.earlier_scenario();
        self.previous = before.map(|before| Rc::new(ScenarioOutcome::of(before)));
        self.recompute(what);
    }

    /// Shows another scenario; the selection does not apply to it.
    fn replace(&mut self, scenario: Rc<EditedScenario>, now: f64) {
        self.selected = None;
        self.chosen = None;
        self.step(Rc::clone(&scenario), None, now);
        self.previous = None;
        self.change_step(|step| {
            step.kept = step.kept.take().map(|kept| kept.against(&scenario));
            step.opened = scenario;
        });
    }

    fn recompute(&mut self, what: &str) {
        let scenario = Rc::clone(self.scenario());
        self.outcome = Rc::new(ScenarioOutcome::of(&scenario));
        self.names = Rc::new(self.outcome.names());
        (self.notice, self.waiting) = (None, None);
        self.link_is_live = true;
        self.announcement = format!("{what}{}", Headline::of(&self.outcome).text());
        self.chosen = self.chosen.filter(|figure| self.explains(*figure));
        let selected = self.selected.filter(|figure| self.explains(*figure));
        self.selected = selected.or_else(|| default_figure(&self.outcome));
    }

    /// Explains a figure that the user selected; ignores one that the result does not contain.
    fn choose(&mut self, figure: Option<PageFigure>) {
        if let Some(figure) = figure.filter(|figure| self.explains(*figure)) {
            self.chosen = Some(figure);
            self.selected = Some(figure);
        }
    }

    fn explains(&self, figure: PageFigure) -> bool {
        spillgate_scenario::explain(self.scenario(), &self.outcome, figure).is_some()
    }
}

/// The figure to explain first: the last load that is not 0, because it follows from all others.
fn default_figure(outcome: &ScenarioOutcome) -> Option<PageFigure> {
    let loaded = outcome
        .priorities()
        .iter()
        .rev()
        .find(|row| row.row.load() > 0);
    let row = loaded.or_else(|| outcome.priorities().first());
    row.map(|row| PageFigure::Priority(priority_at(row.row.at)))
}
