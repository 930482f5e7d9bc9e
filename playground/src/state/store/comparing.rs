//! The old side of the comparison in the state and in links.

use std::rc::Rc;

use spillgate_scenario::link::{self, Disclosure, MAXIMUM_LINK_BYTES, SharedPair};

use super::Store;
use crate::state::{CompareChange, ComparedSide, Screen, SideSource};

impl Store {
    /// The fragment with the old side of the comparison; `None` if there is nothing to compare, or if the link would be
    /// too long to open.
    pub(super) fn comparison_fragment(&self, disclosure: Disclosure) -> Option<String> {
        let old = self.linked_side()?;
        let new = self.scenario();
        let mut gaps = old.gaps(new);
        for name in old.left_out(new) {
            if !gaps.dropped.iter().any(|known| known == name) {
                gaps.dropped.push(name.into());
            }
        }
        gaps.generated_addresses |= disclosure != Disclosure::Addresses;
        let shared = SharedPair::new(&old.scenario, new, disclosure);
        let mut view = shared.new.view(self.whole_view());
        view.push(link::old_side_setting(&shared.old, &gaps));
        let fragment = link::with_view(link::write(&shared.new.scenario), &view);
        (fragment.len() <= MAXIMUM_LINK_BYTES).then_some(fragment)
    }

    /// The old side that links have: the kept one, or on its screen the scenario before the user's edits.
    fn linked_side(&self) -> Option<ComparedSide> {
        let old = self.compared();
        let is_shown = old.source != SideSource::Opened || self.view.screen == Screen::Compare;
        (is_shown && !Rc::ptr_eq(&old.scenario, self.scenario())).then_some(old)
    }

    /// The settings that links drop, of both sides if they have a comparison.
    #[must_use]
    pub fn left_out(&self) -> Vec<&'static str> {
        let new = self.scenario();
        let old = self.linked_side();
        old.map_or_else(|| link::left_out(new), |old| old.left_out(new))
    }

    /// Whether the comparison is too long for a link.
    #[must_use]
    pub fn link_omits_old_side(&self) -> bool {
        self.linked_side().is_some() && self.comparison_fragment(self.disclosure).is_none()
    }

    /// The scenario that the current one is compared with.
    #[must_use]
    pub fn compared(&self) -> ComparedSide {
        let step = self.history.present();
        let kept = step.kept.clone();
        kept.unwrap_or_else(|| ComparedSide::opened(Rc::clone(&step.opened)))
    }

    /// Changes the old side of the comparison.
    pub(super) fn compare(&mut self, change: CompareChange, now: f64) {
        let old = self.compared();
        let new = Rc::clone(self.scenario());
        let (scenario, kept) = match change {
            CompareChange::Keep => (new.clone(), Some(ComparedSide::kept(new))),
            CompareChange::Forget => (new, None),
            CompareChange::Swap => (old.scenario.clone(), Some(old.swapped(new))),
        };
        if change == CompareChange::Swap {
            self.replace(scenario, now);
        } else {
            let step = self.step_to(scenario);
            self.history.push(step, None, now);
            self.link_is_live |= self.notice.is_none();
        }
        self.change_step(|step| step.kept = kept);
        self.announcement = match change {
            CompareChange::Keep => "The scenario is the old side of the comparison.",
            CompareChange::Forget => "The comparison shows your edits.",
            CompareChange::Swap => "The sides are exchanged.",
        }
        .into();
    }
}
