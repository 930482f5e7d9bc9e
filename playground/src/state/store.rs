//! The state of the page, and its actions.

use std::rc::Rc;

use super::{
    History, KeptImport, KeptLink, PageFigure, PageMessage, PageScenario, PageView, ScenarioEdit,
    ScenarioOutcome, Screen, ShortNames, apply, headline,
    link::{self, Disclosure, LinkError, SharedScenario},
    plain_text, preset, priority_at,
    screen::{scenario_of_text, scenario_text},
    sentence,
};

/// The kind of control of all inputs of a screen; those of edits are smaller.
const INPUT: u8 = 100;

/// What undo and redo restore.
#[derive(Debug, Clone)]
struct PageStep {
    scenario: Rc<PageScenario>,
    /// With the screen that was open.
    view: PageView,
}

/// The state of the page.
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
    /// The latest change, for screen readers.
    pub announcement: String,
    /// Whether the page writes the address bar: not before the first edit, so that a bad link is not
    /// replaced.
    pub link_is_live: bool,
    /// What links, files and commands disclose. By default nothing of an imported configuration, and all of
    /// a link.
    pub disclosure: Disclosure,
}

/// A change of the state.
#[derive(Debug, Clone)]
pub enum Action {
    /// Edits the scenario; the time is in milliseconds of a steady clock.
    Edit(ScenarioEdit, f64),
    /// Shows a preset.
    Preset(String, f64),
    /// Shows a scenario of another screen.
    Open(Rc<PageScenario>, f64),
    /// Shows the state of a running Envoy. It is no step to undo, and the address keeps what it has.
    Follow(Rc<PageScenario>),
    /// Shows an imported configuration.
    Import(Rc<PageScenario>, f64),
    /// Opens the fragment in the address bar.
    OpenLink(String, f64),
    /// Opens a screen.
    Show(Screen),
    /// Keeps the input of a screen; the time is in milliseconds of a steady clock.
    SetInput(Screen, String, f64),
    /// Undoes a step.
    Undo,
    /// Redoes a step.
    Redo,
    /// Explains a figure.
    Select(PageFigure),
    /// Chooses what links, files and commands disclose.
    Disclose(Disclosure),
    /// The browser does not keep the import.
    NotKept,
    /// Removes the message.
    Dismiss,
}

impl Store {
    /// The initial state, for the fragment of the address.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        match opened(fragment) {
            Ok(Some((scenario, view, selected))) => Self::showing(scenario, view, selected),
            Ok(None) => Self::showing(start(), PageView::default(), None),
            Err(error) => Self {
                notice: Some(PageMessage::BadLink(&error).to_string()),
                ..Self::showing(start(), PageView::default(), None)
            },
        }
    }

    /// The initial state after a reload: the kept import, if the address bar still has its link.
    #[must_use]
    pub fn reopen(
        fragment: &str,
        link: &KeptLink,
        import: impl FnOnce() -> KeptImport,
    ) -> Option<Self> {
        if link.shown.is_empty() || fragment.strip_prefix('#') != Some(&*link.shown) {
            return None;
        }
        let (_, view, selected) = opened(&link.full).ok()??;
        let scenario = scenario_of_text(&link.scenario)?;
        let origin = import().import()?.origin;
        let mut store = Self {
            link_is_live: true,
            ..Self::showing(scenario.with_origin(Some(origin)), view, selected)
        };
        let shown = Disclosure::ALL
            .into_iter()
            .find(|disclosure| store.fragment(*disclosure) == link.shown);
        store.disclosure = shown.unwrap_or(Disclosure::Shape);
        Some(store)
    }

    /// The links of this state, to keep; `None` without an import.
    #[must_use]
    pub fn link_to_keep(&self) -> Option<KeptLink> {
        self.scenario().origin.as_ref()?;
        Some(KeptLink {
            shown: self.fragment(self.disclosure),
            full: self.fragment(Disclosure::Addresses),
            scenario: scenario_text(self.scenario()),
        })
    }

    fn showing(scenario: PageScenario, view: PageView, selected: Option<PageFigure>) -> Self {
        let outcome = Rc::new(ScenarioOutcome::of(&scenario));
        let selected =
            selected.filter(|figure| super::explain(&scenario, &outcome, *figure).is_some());
        Self {
            chosen: selected,
            selected: selected.or_else(|| default_figure(&outcome)),
            history: History::new(PageStep {
                scenario: Rc::new(scenario),
                view: view.clone(),
            }),
            view,
            names: Rc::new(outcome.names()),
            outcome,
            previous: None,
            notice: None,
            announcement: String::new(),
            link_is_live: false,
            disclosure: Disclosure::Addresses,
        }
    }

    /// The fragment with this state, without the `#`.
    #[must_use]
    pub fn fragment(&self, disclosure: Disclosure) -> String {
        let shared = SharedScenario::new(self.scenario(), disclosure);
        let view = shared.view(self.shared_view());
        link::with_view(link::write(&shared.scenario), &view)
    }

    /// The open screen, its selected figure and the input of each screen, as in links.
    #[must_use]
    pub fn shared_view(&self) -> link::LinkView {
        self.view.to_link(self.chosen)
    }

    /// The current scenario.
    #[must_use]
    pub const fn scenario(&self) -> &Rc<PageScenario> {
        &self.history.present().scenario
    }

    /// The scenario before the latest step that changed it; `None` if that step shows other clusters.
    #[must_use]
    pub fn before(&self) -> Option<&Rc<PageScenario>> {
        self.previous.as_ref()?;
        self.earlier_scenario()
    }

    /// The latest earlier scenario: other steps change the input of a screen.
    fn earlier_scenario(&self) -> Option<&Rc<PageScenario>> {
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
            Action::Follow(scenario) => {
                let is_live = next.link_is_live;
                next.previous = Some(Rc::clone(&self.outcome));
                let view = self.view.clone();
                next.history.replace(PageStep { scenario, view });
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
            Action::OpenLink(fragment, now) => match opened(&fragment) {
                Ok(None) => {}
                Ok(Some((scenario, view, selected))) => {
                    next.view = view;
                    // The page itself may have written this link.
                    if scenario != **self.scenario() {
                        next.disclosure = Disclosure::Addresses;
                        next.replace(Rc::new(scenario), now);
                    } else if let Some(screen) = next.view.changed_input(&self.view) {
                        next.step_of_input(screen, now);
                    }
                    next.choose(selected);
                }
                Err(error) => {
                    next.notice = Some(PageMessage::BadLink(&error).to_string());
                    next.link_is_live = false;
                }
            },
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
            Action::NotKept => next.notice = Some(PageMessage::NotKept.to_string()),
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
        let view = self.view.clone();
        // Changes are relative to the state before a drag.
        if self.history.push(PageStep { scenario, view }, control, now) {
            self.previous = Some(Rc::clone(&self.outcome));
        }
        self.recompute("");
    }

    /// Notes a changed input of a screen.
    fn step_of_input(&mut self, screen: Screen, now: f64) {
        let step = PageStep {
            scenario: Rc::clone(self.scenario()),
            view: self.view.clone(),
        };
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
    fn replace(&mut self, scenario: Rc<PageScenario>, now: f64) {
        self.selected = None;
        self.chosen = None;
        self.step(scenario, None, now);
        self.previous = None;
    }

    fn recompute(&mut self, what: &str) {
        let scenario = Rc::clone(self.scenario());
        self.outcome = Rc::new(ScenarioOutcome::of(&scenario));
        self.names = Rc::new(self.outcome.names());
        self.notice = None;
        self.link_is_live = true;
        self.announcement = format!(
            "{what}{} {}",
            plain_text(&headline(&self.outcome)),
            sentence::consequence(&scenario, &self.outcome)
        );
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
        super::explain(self.scenario(), &self.outcome, figure).is_some()
    }
}

/// The content of a fragment; `None` if it is not a link but, for example, names an element.
fn opened(
    fragment: &str,
) -> Result<Option<(PageScenario, PageView, Option<PageFigure>)>, LinkError> {
    let scenario = match link::read(fragment) {
        Err(LinkError::NotALink) => return Ok(None),
        scenario => scenario?,
    };
    let (view, selected) = PageView::from_link(link::read_view(fragment)?);
    Ok(Some((scenario, view, selected)))
}

fn start() -> PageScenario {
    let first = super::PRESETS.first().and_then(|entry| preset(entry.id));
    first.unwrap_or_else(PageScenario::nothing)
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
    fn a_bad_link_is_reported_and_kept_until_an_edit() {
        let store = Store::open("#1g.AAAA");
        assert!(store.notice.is_some() && !store.link_is_live);
        assert_eq!(store.outcome.priorities()[0].row.load(), 70);
        let store = healthy(&store, 9, 0.0);
        assert!(store.notice.is_none() && store.link_is_live);
    }

    #[test]
    fn a_link_opens_and_the_same_link_again_is_no_step() {
        let scenario = preset("shop").unwrap();
        let link = link::write(&scenario);
        let store = Store::open(&format!("#{link}"));
        assert_eq!(**store.scenario(), scenario);
        let again = store.after(Action::OpenLink(link, 0.0));
        assert_eq!(again.depth(), (0, 0));
    }

    #[test]
    fn an_opened_scenario_is_one_step_that_undo_reverts() {
        let scenario = Rc::new(preset("shop").unwrap());
        let store = Store::open("").after(Action::Open(Rc::clone(&scenario), 0.0));
        assert_eq!(store.scenario(), &scenario);
        assert_eq!(store.depth(), (1, 0));
        let back = store.after(Action::Undo);
        assert_eq!(back.scenario(), Store::open("").scenario());
    }

    #[test]
    fn a_followed_state_is_no_step_and_keeps_the_address() {
        let scenario = Rc::new(preset("panic").unwrap());
        let store = Store::open("").after(Action::Follow(Rc::clone(&scenario)));
        assert_eq!(store.scenario(), &scenario);
        assert_eq!(store.depth(), (0, 0));
        assert!(!store.link_is_live, "a reload follows again");
        let edited = healthy(&store, 3, 0.0);
        assert!(edited.link_is_live);
        assert_eq!(edited.after(Action::Undo).scenario(), &scenario);
    }

    #[test]
    fn other_fragments_are_ignored() {
        let store = healthy(&Store::open("#answer"), 9, 0.0);
        let after = store.after(Action::OpenLink("#answer".into(), 0.0));
        assert!(after.notice.is_none());
        assert_eq!(after.depth(), (1, 0), "the edit stays");
    }

    #[test]
    fn a_link_has_the_screen_its_input_and_the_figure() {
        let p0 = PageFigure::Priority(P0);
        let store = Store::open("")
            .after(Action::Select(p0))
            .after(Action::Show(Screen::WhatIf))
            .after(Action::SetInput(Screen::WhatIf, "zone=a:40%".into(), 0.0));
        assert!(store.link_is_live);
        let again = Store::open(&store.fragment(Disclosure::Addresses));
        assert_eq!(again.view, store.view);
        assert_eq!(again.selected, Some(p0));
        let start = Store::open("").fragment(Disclosure::Addresses);
        assert_eq!(start.matches('.').count(), 1, "no view: {start}");
    }

    #[test]
    fn undo_restores_the_input_of_a_screen_and_opens_it() {
        let set = |store: &Store, input: &str, now| {
            store.after(Action::SetInput(Screen::WhatIf, input.into(), now))
        };
        let edited = healthy(&Store::open(""), 6, 0.0);
        let store = set(
            &edited.after(Action::Show(Screen::WhatIf)),
            "zone=a:40%",
            0.0,
        );
        let store = set(&set(&store, "zone=a:41%", 100.0), "zone=a:50%", 9_000.0);
        assert_eq!(store.depth(), (3, 0), "a drag is one step");
        assert_eq!(store.before(), edited.before(), "of the scenario");

        let back = store.after(Action::Show(Screen::Build)).after(Action::Undo);
        assert_eq!(back.view.input(Screen::WhatIf), "zone=a:41%");
        assert_eq!(back.view.screen, Screen::WhatIf);
        assert_eq!(back.announcement, "Undone. The input of What-if is back.");
        assert_eq!(back.scenario(), edited.scenario());
        let first = back.after(Action::Undo);
        assert_eq!(first.view.input(Screen::WhatIf), "");
        let scenario = first.after(Action::Undo);
        assert_eq!(scenario.outcome.priorities()[0].row.load(), 70);
        let again = (0..3).fold(scenario, |store, _| store.after(Action::Redo));
        assert_eq!(again.view, store.view);
        assert_eq!(again.scenario(), store.scenario());
        let same = set(&again, "zone=a:50%", 20_000.0);
        assert_eq!(same.depth(), (3, 0), "an equal input is no step");
    }

    #[test]
    fn changes_are_against_the_step_before() {
        let store = healthy(&healthy(&Store::open(""), 6, 0.0), 7, 100.0);
        assert_eq!(store.depth(), (1, 0), "a drag is one step");
        assert_eq!(store.before(), Some(Store::open("").scenario()));
        assert_eq!(
            store.previous.as_ref().unwrap().priorities()[0].row.load(),
            70
        );
        assert_eq!(store.outcome.priorities()[0].row.load(), 98);
        let back = store.after(Action::Undo);
        assert_eq!(back.outcome.priorities()[0].row.load(), 70);
        assert!(back.previous.is_none() && back.before().is_none());
        assert!(back.announcement.starts_with("Undone."));
        let again = back.after(Action::Redo);
        assert_eq!(again.outcome.priorities()[0].row.load(), 98);
        let other = again.after(Action::Preset("panic".into(), 0.0));
        assert!(other.before().is_none(), "another scenario is no change");
    }

    #[test]
    fn a_removed_selection_falls_back() {
        let p2 = PriorityAt {
            cluster: 0,
            priority: 2,
        };
        let store = Store::open("").after(Action::Select(PageFigure::Priority(p2)));
        let store = store.after(Action::Edit(ScenarioEdit::RemovePriority(0), 0.0));
        assert!(matches!(store.selected, Some(PageFigure::Priority(at)) if at != p2));
    }

    #[test]
    fn a_reload_keeps_the_import() {
        let subsets =
            "lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [v]}]}\n";
        let text = format!(
            "{subsets}name: shop\nload_assignment: {{cluster_name: shop, endpoints: [{}]}}\n",
            "{lb_endpoints: [\
            {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}, \
            {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}}]}"
        );
        let imported = super::super::import_of(&text).imported.unwrap();
        let scenario = super::super::select(&imported, 0).unwrap();
        let store = Store::open("");
        assert_eq!(store.link_to_keep(), None);
        let store = store.after(Action::Import(Rc::new(scenario), 0.0));
        let store = healthy(&store, 1, 1.0);
        for disclosure in Disclosure::ALL {
            let store = store.after(Action::Disclose(disclosure));
            a_reload_keeps(&store, &imported.origin);
        }
    }

    fn a_reload_keeps(store: &Store, imported: &Rc<crate::state::ImportOrigin>) {
        let disclosure = store.disclosure;
        let link = store.link_to_keep().unwrap();
        let import = KeptImport::of(imported);
        let fragment = format!("#{}", link.shown);
        let again = Store::reopen(&fragment, &link, || import.clone()).unwrap();
        assert_eq!(
            again.scenario(),
            store.scenario(),
            "with its addresses and subsets"
        );
        assert_eq!(again.disclosure, disclosure);
        assert_eq!(again.fragment(again.disclosure), link.shown);
        let origin = again.scenario().origin.as_ref().unwrap();
        assert_eq!(origin.texts.config, imported.texts.config);
        // Another link is not a reload.
        assert!(Store::reopen("#1g.AAAA", &link, || import.clone()).is_none());
        assert!(Store::reopen("", &KeptLink::default(), || import).is_none());
    }
}
