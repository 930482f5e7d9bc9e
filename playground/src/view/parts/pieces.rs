//! Small pieces that many views are made of. Each is one function that is called, not repeated
//! markup: every element that is written out costs about half a kilobyte in the module.

use yew::prelude::*;

/// A figure that can be asked why.
pub(crate) struct FigureButton {
    pub(crate) test: Option<String>,
    /// What a screen reader says.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Whether its explanation is open.
    pub(crate) selected: bool,
    pub(crate) onclick: Callback<MouseEvent>,
}

impl FigureButton {
    #[inline(never)]
    pub(crate) fn view(self) -> Html {
        html! {
            <button type="button" class="figure" data-test={self.test} aria-label={self.name}
                aria-pressed={if self.selected { "true" } else { "false" }} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A button with words on it.
pub(crate) struct Button {
    pub(crate) class: &'static str,
    pub(crate) test: Option<String>,
    /// What a screen reader says, where the words alone say too little.
    pub(crate) name: Option<String>,
    pub(crate) text: String,
    pub(crate) disabled: bool,
    pub(crate) onclick: Callback<MouseEvent>,
}

impl Button {
    #[inline(never)]
    pub(crate) fn view(self) -> Html {
        html! {
            <button type="button" class={self.class} data-test={self.test} aria-label={self.name}
                disabled={self.disabled} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A row of column heads: class and text.
#[inline(never)]
pub(crate) fn head(columns: &[(&'static str, &'static str)]) -> Html {
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
pub(crate) fn cell(class: &'static str, test: Option<String>, content: Html) -> Html {
    html! { <td {class} data-test={test}>{ content }</td> }
}

/// A row, marked where it is the selected one.
#[inline(never)]
pub(crate) fn row(key: String, selected: bool, cells: Vec<Html>) -> Html {
    html! { <tr {key} class={selected.then_some("selected")}>{ for cells }</tr> }
}

/// Text that only screen readers get.
#[inline(never)]
pub(crate) fn hidden_caption(text: &'static str) -> Html {
    html! { <caption class="hidden">{ text }</caption> }
}

/// A remark in small print.
#[inline(never)]
pub(crate) fn note(text: String) -> Html {
    html! { <p class="note">{ text }</p> }
}
