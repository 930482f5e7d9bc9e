//! The content of a link that the playground opens.

use spillgate_scenario::{
    EditedScenario, PageFigure,
    link::{self, LinkError, MAXIMUM_UNASKED_WORK, ScenarioWork},
    preset,
};

use crate::state::{ComparedSide, PageView, Screen};

/// The content of a link.
pub(super) struct OpenedLink {
    pub(super) scenario: EditedScenario,
    pub(super) view: PageView,
    pub(super) selected: Option<PageFigure>,
    pub(super) kept: Option<ComparedSide>,
}

impl OpenedLink {
    /// What the playground shows without a link.
    pub(super) fn start() -> Self {
        Self {
            scenario: first_preset(),
            view: PageView::default(),
            selected: None,
            kept: None,
        }
    }

    /// The content of a fragment; `None` if it is not a link but, for example, names an element.
    pub(super) fn read(fragment: &str) -> Result<Option<Self>, LinkError> {
        let scenario: EditedScenario = match link::read(fragment) {
            Err(LinkError::NotALink) => return Ok(None),
            scenario => scenario?,
        };
        let view = link::read_view(fragment)?;
        let old = link::old_side(&view)?;
        let kept = old.map(|old| ComparedSide::linked(old.scenario, &old.gaps, &scenario));
        let (view, selected) = PageView::from_link(view);
        Ok(Some(Self {
            scenario,
            view,
            selected,
            kept,
        }))
    }

    /// The work for the link, if it is too much to be done without asking: its author may be anyone.
    pub(super) fn large_work(&self) -> Option<ScenarioWork> {
        let mut work = ScenarioWork::of(&self.scenario);
        let screen = self.view.screen;
        if screen != Screen::Build {
            work = work.on_screen(self.view.input(screen).lines().count() as u64);
        }
        if let Some(old) = &self.kept {
            work = work.and(ScenarioWork::of(&old.scenario));
        }
        (work.total > MAXIMUM_UNASKED_WORK).then_some(work)
    }
}

/// The first preset, which the playground shows without a link.
fn first_preset() -> EditedScenario {
    let first = spillgate_scenario::PRESETS
        .first()
        .and_then(|entry| preset(entry.id));
    first.unwrap_or_else(EditedScenario::nothing)
}
