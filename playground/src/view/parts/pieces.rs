//! Small common parts. Each is a function, because every repeated element costs about half a kilobyte
//! in the module.

use yew::prelude::*;

/// A figure that opens its explanation.
pub(crate) struct FigureButton {
    pub(crate) test: Option<String>,
    /// The priority, cluster or host, for screen readers.
    pub(crate) of: String,
    pub(crate) text: String,
    /// Whether its explanation is open.
    pub(crate) selected: bool,
    pub(crate) onclick: Callback<MouseEvent>,
}

impl FigureButton {
    #[inline(never)]
    pub(crate) fn view(self) -> Html {
        html! {
            <button type="button" class="figure" data-test={self.test} aria-label={format!("Why {} for {}?", self.text, self.of)}
                aria-pressed={if self.selected { "true" } else { "false" }} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A button with a text.
pub(crate) struct Button {
    pub(crate) class: &'static str,
    pub(crate) test: Option<String>,
    /// The name for screen readers, if the text is not enough.
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

/// A row of column headers: class and text.
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

/// A row of a table.
#[inline(never)]
pub(crate) fn row(key: String, class: Option<&'static str>, cells: Vec<Html>) -> Html {
    html! { <tr {key} {class}>{ for cells }</tr> }
}

/// A caption for screen readers only.
#[inline(never)]
pub(crate) fn hidden_caption(text: &'static str) -> Html {
    html! { <caption class="hidden">{ text }</caption> }
}

/// A note in small print.
#[inline(never)]
pub(crate) fn note(text: String) -> Html {
    html! { <p class="note">{ text }</p> }
}
