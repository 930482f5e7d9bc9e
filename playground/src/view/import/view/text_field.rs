//! A field for a text to type, paste, drop or open as files.

use spillgate_scenario::ImportField;
use yew::prelude::*;

use crate::bridge::{self, File};

/// A text area with its label, a button for files, and a search.
pub(super) struct TextField {
    pub(super) field: ImportField,
    pub(super) area: NodeRef,
    /// The place of the line numbers.
    pub(super) numbers: NodeRef,
    pub(super) label: &'static str,
    pub(super) invalid: bool,
    /// The search in the text.
    pub(super) search: Option<Html>,
    /// Fills in an example; offered while the field is empty.
    pub(super) on_example: Option<Callback<MouseEvent>>,
    pub(super) on_scroll: Callback<Event>,
    pub(super) on_text: Callback<(ImportField, String)>,
    pub(super) on_files: Callback<(ImportField, Vec<File>)>,
}

impl TextField {
    pub(super) fn view(self) -> Html {
        let Self { field, area, .. } = self;
        let id = match field {
            ImportField::Config => "import-text",
            ImportField::Clusters => "import-clusters",
        };
        let oninput = self
            .on_text
            .reform(move |event: InputEvent| (field, bridge::text_of(&event)));
        let on_files = self.on_files.clone();
        let onchange = Callback::from(move |event: Event| {
            on_files.emit((field, bridge::chosen_files(&event)));
        });
        let on_files = self.on_files;
        let ondrop = Callback::from(move |event: DragEvent| {
            on_files.emit((field, bridge::dropped_files(&event)));
        });
        let ondragover = Callback::from(|event: DragEvent| bridge::allow_drop(&event));
        html! {
            <div class="text-field" {ondrop} {ondragover}>
                <div class="text-head">
                    <label for={id}>{ self.label }</label>
                    if let Some(onclick) = self.on_example {
                        <button type="button" class="example" data-test="import-example" {onclick}>{ "Fill in an example" }</button>
                    }
                    <label class="file">
                        <input type="file" class="hidden" multiple=true data-test={format!("{id}-file")} {onchange} />
                        <span>{ "Open files" }</span>
                    </label>
                    { self.search }
                </div>
                <div class="numbered">
                    <textarea ref={area} {id} class="paste" data-test={id} aria-describedby="import-help import-summary"
                        aria-invalid={self.invalid.to_string()} spellcheck="false" autocomplete="off" {oninput} onscroll={self.on_scroll} />
                    <div ref={self.numbers} class="numbers" aria-hidden="true" data-test={format!("{id}-lines")} />
                </div>
            </div>
        }
    }
}
