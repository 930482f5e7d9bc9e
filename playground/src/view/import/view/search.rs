//! The search in the configuration.

use spillgate_scenario::count;
use yew::prelude::*;

use crate::{
    bridge::{self, SearchKey},
    state::Direction,
    view::import::text::{MAXIMUM_OCCURRENCES, Occurrence, occurrences},
};

/// A search: the searched text and its places.
#[derive(Debug, Default)]
pub(super) struct TextSearch {
    field: NodeRef,
    wanted: String,
    places: Vec<Occurrence>,
    /// The selected place.
    current: Option<usize>,
}

impl TextSearch {
    /// Searches for another text.
    pub(super) fn look_for(&mut self, wanted: String, text: &str) {
        self.wanted = wanted;
        self.refresh(text);
    }

    /// Searches again after a change of the text.
    pub(super) fn refresh(&mut self, text: &str) {
        self.current = None;
        self.places = occurrences(text, &self.wanted);
    }

    /// Goes to the field, or selects the next place: the one after the caret at first.
    pub(super) fn press(&mut self, key: SearchKey, area: &NodeRef) {
        let SearchKey::Step(direction) = key else {
            return bridge::select_all(&self.field);
        };
        let caret = bridge::caret(area);
        let next = match (self.current, direction) {
            (Some(current), Direction::Forward) => current + 1,
            (Some(current), Direction::Back) => current.wrapping_sub(1),
            (None, Direction::Forward) => self.places.partition_point(|p| p.start < caret),
            (None, Direction::Back) => {
                let before = self.places.partition_point(|p| p.start < caret);
                before.wrapping_sub(1)
            }
        };
        // The first place follows the last one.
        let edge = match direction {
            Direction::Forward => 0,
            Direction::Back => self.places.len().saturating_sub(1),
        };
        let next = if next < self.places.len() { next } else { edge };
        if let Some(place) = self.places.get(next) {
            self.current = Some(next);
            bridge::select_text(area, place.start, place.end, place.line);
        }
    }

    /// The field, and the number of places.
    pub(super) fn view(&self, on_text: Callback<String>, on_key: &Callback<SearchKey>) -> Html {
        let oninput = on_text.reform(|event: InputEvent| bridge::text_of(&event));
        let on_enter = on_key.clone();
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                event.prevent_default();
                let direction = if event.shift_key() {
                    Direction::Back
                } else {
                    Direction::Forward
                };
                on_enter.emit(SearchKey::Step(direction));
            }
        });
        html! {
            <span class="search">
                <input ref={&self.field} type="search" data-test="import-search" aria-label="Search in the configuration" placeholder="Search (Ctrl+F)"
                    title="Enter: next place, Shift+Enter: previous place; in the text F3 and Shift+F3"
                    autocomplete="off" spellcheck="false" {oninput} {onkeydown} />
                <span class="note" data-said="yes" data-test="import-places">{ self.said() }</span>
            </span>
        }
    }

    fn said(&self) -> String {
        let all = match self.places.len() {
            MAXIMUM_OCCURRENCES => format!("more than {}", count(MAXIMUM_OCCURRENCES - 1)),
            all => count(all),
        };
        match self.current {
            _ if self.wanted.is_empty() => String::new(),
            Some(current) => format!("{} of {all}", count(current + 1)),
            None if self.places.is_empty() => "not found".into(),
            None => format!("{all} found"),
        }
    }
}
