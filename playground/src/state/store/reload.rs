//! What a reload of the page keeps of an import.

use spillgate_codec::import::{scenario_from_bytes, scenario_to_bytes};
use spillgate_codec::wire::{from_bytes, to_bytes};
use spillgate_scenario::{
    EditedScenario, KeptImport, KeptState, PageMessage, ReloadLoss,
    byte_text::{bytes_of, text_of},
    link::Disclosure,
};

use super::Store;
use crate::state::PageView;

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
        let mut store = Self {
            link_is_live: true,
            ..Self::showing(scenario.with_origin(origin), view, selected)
        };
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
        Some(KeptState {
            shown: self.fragment(self.disclosure),
            view: text_of(&to_bytes(&self.shared_view())),
            // A link would drop settings such as subsets.
            scenario: text_of(&scenario_to_bytes(self.scenario())),
        })
    }
}
