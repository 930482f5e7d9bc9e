//! Small common parts. Each is a function, because every repeated element costs about half a kilobyte
//! in the module.

use yew::prelude::*;

/// A figure that opens its explanation.
#[derive(Debug)]
pub struct FigureButton {
    /// Its `data-test`.
    pub test: Option<String>,
    /// The priority, cluster or host, for screen readers.
    pub of: String,
    /// The figure.
    pub text: String,
    /// Whether its explanation is open.
    pub selected: bool,
    /// Called on click.
    pub onclick: Callback<MouseEvent>,
}

impl FigureButton {
    /// The element.
    #[inline(never)]
    pub fn view(self) -> Html {
        html! {
            <button type="button" class="figure" data-test={self.test} aria-label={format!("Why {} for {}?", self.text, self.of)}
                aria-pressed={if self.selected { "true" } else { "false" }} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A button with a text.
#[derive(Debug)]
pub struct Button {
    /// Its class; empty for none.
    pub class: &'static str,
    /// Its `data-test`.
    pub test: Option<String>,
    /// The name for screen readers, if the text is not enough.
    pub name: Option<String>,
    /// The visible text.
    pub text: String,
    /// Whether it cannot be used now.
    pub disabled: bool,
    /// Called on click.
    pub onclick: Callback<MouseEvent>,
}

impl Button {
    /// The element.
    #[inline(never)]
    pub fn view(self) -> Html {
        html! {
            <button type="button" class={self.class} data-test={self.test} aria-label={self.name}
                disabled={self.disabled} onclick={self.onclick}>{ self.text }</button>
        }
    }
}

/// A button with a text and a `data-test` alone.
#[inline(never)]
pub fn text_button(text: &str, test: &str, onclick: Callback<MouseEvent>) -> Html {
    let button = Button {
        class: "",
        test: Some(test.into()),
        name: None,
        text: text.into(),
        disabled: false,
        onclick,
    };
    button.view()
}

/// A row of column headers: class and text.
#[inline(never)]
pub fn head(columns: &[(&'static str, &'static str)]) -> Html {
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
pub fn cell(class: &'static str, test: Option<String>, content: Html) -> Html {
    html! { <td {class} data-test={test}>{ content }</td> }
}

/// A row of a table.
#[inline(never)]
pub fn row(key: String, class: Option<&'static str>, cells: Vec<Html>) -> Html {
    html! { <tr {key} {class}>{ for cells }</tr> }
}

/// A caption for screen readers only.
#[inline(never)]
pub fn hidden_caption(text: &'static str) -> Html {
    html! { <caption class="hidden">{ text }</caption> }
}

/// A table that scrolls if it is wider than its place. It can have the focus, so that keys scroll it.
#[inline(never)]
pub fn scrolled(name: &'static str, table: Html) -> Html {
    html! { <div class="scroll" tabindex="0" role="region" aria-label={name}>{ table }</div> }
}

/// A note in small print.
#[inline(never)]
pub fn note(text: String) -> Html {
    html! { <p class="note">{ text }</p> }
}
