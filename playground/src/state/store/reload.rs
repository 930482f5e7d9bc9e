//! What a reload of the page keeps of an import.

use std::rc::Rc;

use spillgate_codec::import::{scenario_from_bytes, scenario_to_bytes};
use spillgate_codec::wire::{from_bytes, to_bytes};
use spillgate_scenario::{
    EditedScenario, KeptImport, KeptState, PageMessage, ReloadLoss,
    byte_text::{bytes_of, text_of},
    link::{Disclosure, gaps_from_text, gaps_to_text},
};

use super::{OpenedLink, Store};
use crate::state::{ComparedSide, PageView, SideSource};

impl Store {
    /// The initial state after a reload: what the browser kept; `None` if the address bar has another link.
    #[must_use]
    pub fn reopen(
        fragment: &str,
        kept: &KeptState,
        import: impl FnOnce() -> KeptImport,
    ) -> Option<Self> {
        if kept.shown.is_empty() || fragment.strip_prefix('#') != Some(&*kept.shown) {
            return None;
        }
        Some(Self::of_kept(kept, import()).unwrap_or_else(|| {
            let mut store = Self::open(fragment);
            store.warn_after(ReloadLoss::Names);
            store
        }))
    }

    fn of_kept(kept: &KeptState, import: KeptImport) -> Option<Self> {
        let view = from_bytes(&bytes_of(&kept.view)?)?;
        let (view, selected) = PageView::from_link(view);
        let scenario: EditedScenario = scenario_from_bytes(&bytes_of(&kept.scenario)?)?;
        let is_import = !import.answer.is_empty();
        let origin = import.import().map(|imported| imported.origin);
        let is_lost = is_import && origin.is_none();
        let scenario = scenario.with_origin(origin.clone());
        let (kept_side, opened) = match kept_side(kept, &scenario) {
            // The import of both is the same one.
            Some((SideSource::Opened, old)) => {
                let opened = Rc::unwrap_or_clone(old.scenario).with_origin(origin);
                (None, Some(Rc::new(opened)))
            }
            Some((source, old)) => (Some(ComparedSide { source, ..old }), None),
            None => (None, None),
        };
        let mut store = Self {
            link_is_live: true,
            ..Self::showing(OpenedLink {
                scenario,
                view,
                selected,
                kept: kept_side,
            })
        };
        if let Some(opened) = opened {
            store.change_step(|step| step.opened = opened);
        }
        if is_lost {
            store.warn_after(ReloadLoss::Text);
        }
        let shown = Disclosure::ALL
            .into_iter()
            .find(|disclosure| store.fragment(*disclosure) == kept.shown);
        store.disclosure = shown.unwrap_or(Disclosure::Shape);
        Some(store)
    }

    /// Says what a reload lost, unless there is another message.
    fn warn_after(&mut self, loss: ReloadLoss) {
        let message = || PageMessage::Lost(loss).to_string();
        self.notice.get_or_insert_with(message);
    }

    /// What the browser keeps of this state; `None` if it was not imported, and the link has all of it.
    #[must_use]
    pub fn state_to_keep(&self) -> Option<KeptState> {
        if self.scenario().origin.is_none() && self.disclosure == Disclosure::Addresses {
            return None;
        }
        let compared = self.compared();
        let is_other = !Rc::ptr_eq(&compared.scenario, self.scenario());
        let (old, old_about) = if is_other {
            let about = gaps_to_text(&compared.gaps(self.scenario()));
            let old = text_of(&scenario_to_bytes(&compared.scenario));
            (old, format!("{}{about}", word(compared.source)))
        } else {
            Default::default()
        };
        Some(KeptState {
            old,
            old_about,
            shown: self.fragment(self.disclosure),
            view: text_of(&to_bytes(&self.whole_view())),
            // A link would drop settings such as subsets.
            scenario: text_of(&scenario_to_bytes(self.scenario())),
        })
    }
}

/// The words for where the old side is from.
const SOURCES: [(SideSource, &str); 3] = [
    (SideSource::Opened, "opened"),
    (SideSource::Kept, "kept"),
    (SideSource::KeptImport, "import"),
];

fn word(source: SideSource) -> &'static str {
    let found = SOURCES.iter().find(|(known, _)| *known == source);
    found.map_or("", |(_, word)| word)
}

/// The old side that the browser kept, and where it is from; `None` without one.
fn kept_side(kept: &KeptState, new: &EditedScenario) -> Option<(SideSource, ComparedSide)> {
    let (word, gaps) = kept
        .old_about
        .split_once('\n')
        .unwrap_or((&kept.old_about, ""));
    let (source, _) = SOURCES.iter().find(|(_, known)| *known == word)?;
    let old = scenario_from_bytes(&bytes_of(&kept.old)?)?;
    let side = ComparedSide::linked(old, &gaps_from_text(gaps), new);
    Some((*source, side))
}
