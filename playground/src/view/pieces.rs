//! Small pieces that many views are made of. Each is one function that is called, not repeated
//! markup: every element that is written out costs about half a kilobyte in the module.

use yew::prelude::*;

/// A figure that can be asked why.
pub(super) struct FigureButton {
    pub(super) test: Option<String>,
    /// What a screen reader says.
    pub(super) name: String,
    pub(super) text: String,
    /// Whether its explanation is open.
    pub(super) selected: bool,
    pub(super) onclick: Callback<MouseEvent>,
}

impl FigureButton {
    #[inline(never)]
    pub(super) fn view(self) -> Html {
        html! {
            <button type="button" class="figure" data-test={self.test} aria-label={self.name}
                aria-pressed={if self.selected { "true" } else { "false" }} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A button with words on it.
pub(super) struct Button {
    pub(super) class: &'static str,
    pub(super) test: Option<String>,
    /// What a screen reader says, where the words alone say too little.
    pub(super) name: Option<String>,
    pub(super) text: String,
    pub(super) disabled: bool,
    pub(super) onclick: Callback<MouseEvent>,
}

impl Button {
    #[inline(never)]
    pub(super) fn view(self) -> Html {
        html! {
            <button type="button" class={self.class} data-test={self.test} aria-label={self.name}
                disabled={self.disabled} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A row of column heads: class and text.
#[inline(never)]
pub(super) fn head(columns: &[(&'static str, &'static str)]) -> Html {
    html! {
        <thead>
            <tr>
                { for columns.iter().map(|&(class, text)| html! { <th scope="col" {class}>{ text }</th> }) }
            </tr>
        </thead>
    }
}

/// A cell of a table.
#[inline(never)]
pub(super) fn cell(class: &'static str, test: Option<String>, content: Html) -> Html {
    html! { <td {class} data-test={test}>{ content }</td> }
}

/// A row, marked where it is the selected one.
#[inline(never)]
pub(super) fn row(key: String, selected: bool, cells: Vec<Html>) -> Html {
    html! { <tr {key} class={selected.then_some("selected")}>{ for cells }</tr> }
}

/// Text that only screen readers get.
#[inline(never)]
pub(super) fn hidden_caption(text: &'static str) -> Html {
    html! { <caption class="hidden">{ text }</caption> }
}

/// A remark in small print.
#[inline(never)]
pub(super) fn note(text: String) -> Html {
    html! { <p class="note">{ text }</p> }
}
