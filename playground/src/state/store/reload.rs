//! What a reload of the page keeps of an import.

use spillgate_codec::import::{scenario_from_bytes, scenario_to_bytes};
use spillgate_codec::wire::{from_bytes, to_bytes};
use spillgate_scenario::{
    EditedScenario, KeptImport, KeptState,
    byte_text::{bytes_of, text_of},
    link::Disclosure,
};

use super::Store;
use crate::state::PageView;

impl Store {
    /// The initial state after a reload: the kept import, if the address bar still has its link.
    #[must_use]
    pub fn reopen(
        fragment: &str,
        kept: &KeptState,
        import: impl FnOnce() -> KeptImport,
    ) -> Option<Self> {
        if kept.shown.is_empty() || fragment.strip_prefix('#') != Some(&*kept.shown) {
            return None;
        }
        let view = from_bytes(&bytes_of(&kept.view)?)?;
        let (view, selected) = PageView::from_link(view);
        let scenario: EditedScenario = scenario_from_bytes(&bytes_of(&kept.scenario)?)?;
        let origin = import().import()?.origin;
        let mut store = Self {
            link_is_live: true,
            ..Self::showing(scenario.with_origin(Some(origin)), view, selected)
        };
        let shown = Disclosure::ALL
            .into_iter()
            .find(|disclosure| store.fragment(*disclosure) == kept.shown);
        store.disclosure = shown.unwrap_or(Disclosure::Shape);
        Some(store)
    }

    /// What the browser keeps of this state; `None` without an import.
    #[must_use]
    pub fn state_to_keep(&self) -> Option<KeptState> {
        self.scenario().origin.as_ref()?;
        Some(KeptState {
            shown: self.fragment(self.disclosure),
            view: text_of(&to_bytes(&self.shared_view())),
            // A link would drop settings such as subsets.
            scenario: text_of(&scenario_to_bytes(self.scenario())),
        })
    }
}
