//! The list of files.

use std::rc::Rc;

use spillgate_export::FileFormat;
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use crate::{
    bridge,
    state::{FileReply, ShareInput},
    view::parts::{Button, note},
    view::share::{Wanted, prepare_files, write_file},
};

/// The start of the names of files.
const NAME: &str = "spillgate";
/// The name of the image.
const IMAGE: &str = "spillgate.png";

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct FilesProps {
    pub(crate) scenario: Rc<EditedScenario>,
    pub(crate) input: ShareInput,
}

impl FilesProps {
    /// Calls `act` with the text of a file. A message follows, which ends with what the file omits.
    fn write(
        &self,
        wanted: Wanted,
        on_message: &Callback<String>,
        act: impl FnOnce(String, Callback<String>) + 'static,
    ) {
        let on_message = on_message.clone();
        write_file(
            Rc::clone(&self.scenario),
            self.input.clone(),
            wanted,
            move |reply| match reply {
                FileReply::Refused(reason) => on_message.emit(reason),
                FileReply::Written { text, omitted } => {
                    let ended = on_message.reform(move |message: String| {
                        if omitted.is_empty() {
                            message
                        } else {
                            format!("{message} {omitted}")
                        }
                    });
                    act(text, ended);
                }
            },
        );
    }
}

/// Each format with its buttons, and the result of the last one.
#[component]
pub(crate) fn Files(props: &FilesProps) -> Html {
    let message = use_state(String::new);
    let on_message = {
        let message = message.setter();
        Callback::from(move |text: String| message.set(text))
    };
    let rows = FileFormat::ALL.map(|format| {
        let name = format!("{NAME}{}", format.ending());
        let save = {
            let (props, on_message, name) = (props.clone(), on_message.clone(), name.clone());
            Callback::from(move |_: MouseEvent| {
                let name = name.clone();
                props.write(Wanted::File(format), &on_message, move |text, ended| {
                    let saved = bridge::save_text(&name, format.media_type(), &text);
                    ended.emit(match saved {
                        Some(()) => PageMessage::Saved(&name).to_string(),
                        None => PageMessage::NotSaved.to_string(),
                    });
                });
            })
        };
        let copy = {
            let (props, on_message) = (props.clone(), on_message.clone());
            Callback::from(move |_: MouseEvent| {
                props.write(Wanted::File(format), &on_message, |text, ended| {
                    bridge::copy(&text, move |result| ended.emit(result.to_string()));
                });
            })
        };
        let buttons =
            [("download", "Download", save), ("copy", "Copy", copy)].map(|(act, text, onclick)| {
                let test = format!("{act}-{}", format.name());
                button(test, text, format.title(), onclick)
            });
        row(format.title(), format.about(), &name, &buttons)
    });
    let image = {
        let (props, on_message) = (props.clone(), on_message.clone());
        Callback::from(move |_: MouseEvent| {
            props.write(Wanted::Image, &on_message, |svg, ended| {
                bridge::save_png(IMAGE, &svg, move |saved| {
                    ended.emit(if saved {
                        PageMessage::Saved(IMAGE).to_string()
                    } else {
                        PageMessage::NotSaved.to_string()
                    });
                });
            });
        })
    };
    let image = button("download-png".into(), "Download", "PNG", image);
    // The code is on its way before the click: some browsers give a late click no access to the clipboard.
    let ontoggle = |_: Event| prepare_files();
    html! {
        <details class="part" data-test="share-files" {ontoggle}>
            <summary><h3>{ "Files" }</h3><span class="note">{ "Envoy, filter, tables, pictures" }</span></summary>
            <ul class="files">
                { for rows }
                { row("PNG", "the picture in light colors, 2 pixels a unit", IMAGE, &[image]) }
            </ul>
            { note("The page writes files in your browser. spillgate export writes the same.".into()) }
            <p class="note" data-said="yes" data-test="files-message">{ (*message).clone() }</p>
        </details>
    }
}

#[inline(never)]
fn row(title: &'static str, about: &'static str, name: &str, buttons: &[Html]) -> Html {
    html! {
        <li>
            <span class="format"><b>{ title }</b><span class="note">{ about }</span></span>
            <code>{ name.to_owned() }</code>
            <span class="acts">{ for buttons.iter().cloned() }</span>
        </li>
    }
}

#[inline(never)]
fn button(
    test: String,
    text: &'static str,
    title: &'static str,
    onclick: Callback<MouseEvent>,
) -> Html {
    let button = Button {
        class: "",
        test: Some(test),
        name: Some(format!("{text} {title}")),
        text: text.into(),
        disabled: false,
        onclick,
    };
    button.view()
}
