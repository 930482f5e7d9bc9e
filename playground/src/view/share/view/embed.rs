//! The snippet for another page, with a preview.

use std::rc::Rc;

use spillgate_codec::link::{Disclosure, SharedScenario, write};
use spillgate_scenario::{EditedScenario, Headline, PageMessage, ScenarioOutcome};
use yew::{prelude::*, virtual_dom::VTag};

use super::code::code;
use crate::{
    bridge,
    view::parts::{Choice, Number, note},
    view::share::{Generator, Snippet, SnippetControls, SnippetKind, SnippetView},
};

/// The heights of an iframe, in pixels: from that of a bar with its text to that of a long table.
const HEIGHTS: (u32, u32) = (120, 900);
/// Enough for a bar with a slider.
const HEIGHT: u32 = 240;

#[derive(PartialEq, Properties)]
pub(crate) struct EmbedProps {
    pub(crate) scenario: Rc<EditedScenario>,
    pub(crate) disclosure: Disclosure,
}

/// The choices, the code and the preview.
#[component]
pub(crate) fn Embed(props: &EmbedProps) -> Html {
    let choices = use_state(|| Snippet {
        controls: SnippetControls::First,
        height: HEIGHT,
        ..Snippet::default()
    });
    let generator = use_state(Generator::default);
    let message = use_state(String::new);
    let ready = use_state(|| false);
    let content = use_memo(
        (Rc::clone(&props.scenario), props.disclosure),
        |(scenario, disclosure)| {
            let shared = SharedScenario::new(scenario, *disclosure).scenario;
            let words = Headline::of(&ScenarioOutcome::of(&shared)).sentence();
            (write(&shared), words)
        },
    );
    {
        let ready = ready.setter();
        use_effect_with((), move |()| {
            bridge::load_embed(move |loaded| ready.set(loaded))
        });
    }
    let snippet = Snippet {
        state: content.0.clone(),
        words: content.1.replace('\u{a0}', " "),
        playground: address(),
        ..(*choices).clone()
    };
    let change = {
        let choices = choices.clone();
        move |change: fn(&mut Snippet, String)| {
            let choices = choices.clone();
            Callback::from(move |value: String| {
                let mut next = (*choices).clone();
                change(&mut next, value);
                choices.set(next);
            })
        }
    };
    let same = |names: &[&str]| -> Vec<(String, String)> {
        let pair = |name: &&str| ((*name).to_owned(), (*name).to_owned());
        names.iter().map(pair).collect()
    };
    let on_generator = {
        let generator = generator.setter();
        Callback::from(move |name: String| {
            let found = Generator::ALL.into_iter().find(|one| one.name() == name);
            generator.set(found.unwrap_or_default());
        })
    };
    let on_height = {
        let choices = choices.clone();
        Callback::from(move |height: u32| {
            choices.set(Snippet {
                height,
                ..(*choices).clone()
            });
        })
    };
    let on_message = {
        let message = message.setter();
        Callback::from(move |text: String| message.set(text))
    };
    let is_frame = snippet.kind == SnippetKind::Frame;
    let (place, setup) = generator.setup();
    html! {
            <details class="part" data-test="share-embed">
                <summary><h3>{ "Embed" }</h3><span class="note">{ "in another page, with a preview" }</span></summary>
                <div class="choices">
                    <Choice id="embed-kind" test="embed-kind" label="as" value={kind_name(snippet.kind)}
                        options={same(&[kind_name(SnippetKind::Element), kind_name(SnippetKind::Frame)])}
                        on_value={change(|snippet, value| snippet.kind = if value == kind_name(SnippetKind::Frame) {
    SnippetKind::Frame
    } else {
    SnippetKind::Element
    })} />
                    <Choice id="embed-view" test="embed-view" label="view" value={snippet.view.name()}
                        options={same(&SnippetView::ALL.map(SnippetView::name))}
                        on_value={change(|snippet, value| {
                            let found = SnippetView::ALL.into_iter().find(|view| view.name() == value);
                            snippet.view = found.unwrap_or_default();
                        })} />
                    <Choice id="embed-theme" test="embed-theme" label="theme"
                        value={if snippet.theme.is_empty() { "auto".to_owned() } else { snippet.theme.clone() }}
                        options={same(&["auto", "light", "dark"])}
                        on_value={change(|snippet, value| {
                            snippet.theme = if value == "auto" { String::new() } else { value };
                        })} />
                    <Choice id="embed-controls" test="embed-controls" label="sliders" value={snippet.controls.name()}
                        options={same(&SnippetControls::ALL.map(SnippetControls::name))}
                        on_value={change(|snippet, value| {
                            let found = SnippetControls::ALL.into_iter().find(|one| one.name() == value);
                            snippet.controls = found.unwrap_or_default();
                        })} />
                    <Choice id="embed-generator" test="embed-generator" label="site" value={generator.name()}
                        options={same(&Generator::ALL.map(Generator::name))} on_value={on_generator} />
                    if is_frame {
                        <span class="slider">
                            <span>{ "height" }</span>
                            <Number test="embed-height" name="Height of the iframe in pixels" value={snippet.height}
                                min={HEIGHTS.0} max={HEIGHTS.1} on_value={on_height} />
                        </span>
                    }
                </div>
                { code("embed-code", "code for the page", snippet.code(*generator), on_message.clone()) }
                if !is_frame {
                    { note(format!("Once for the site, in {place}:")) }
                    { code("embed-setup", "code for the site", setup.into(), on_message) }
                }
                { needed(&snippet, *ready) }
                <h4>{ "Preview" }</h4>
                { preview(&snippet, *ready) }
                <p class="note" data-said="yes">{ (*message).clone() }</p>
            </details>
        }
}

const fn kind_name(kind: SnippetKind) -> &'static str {
    match kind {
        SnippetKind::Element => "<spillgate-split>",
        SnippetKind::Frame => "<iframe>",
    }
}

/// The address of this page for the link of the element; empty for a file, which other people do not have.
fn address() -> String {
    let link = bridge::link_to("");
    let address = link.trim_end_matches('#');
    let address = address.split('?').next().unwrap_or_default();
    if address.starts_with("http") {
        address.to_owned()
    } else {
        String::new()
    }
}

/// The files of the element, for a site without this page.
fn needed(snippet: &Snippet, ready: bool) -> Html {
    let files = files(snippet);
    let links = files.into_iter().map(|file| {
        // The playground in a single file has no such files.
        let href = ready.then_some(file);
        html! { <a {href} download={file} data-test={format!("embed-file-{file}")}>{ file }</a> }
    });
    html! {
        <p class="element-files">{ "Save on your site, in /spillgate/:" }{ for links }</p>
    }
}

/// The files that a site needs for a snippet.
fn files(snippet: &Snippet) -> Vec<&'static str> {
    let mut files = vec!["embed.js"];
    files.push(match snippet.view {
        SnippetView::Sweep => "embed-sweep.wasm",
        SnippetView::Bars | SnippetView::Table => "embed.wasm",
    });
    if snippet.kind == SnippetKind::Frame {
        files.extend(["embed.html", "embed-frame.js", "embed-page.css"]);
    }
    files
}

/// The element or the frame as on the other page. Their files are not in the single-file page.
fn preview(snippet: &Snippet, ready: bool) -> Html {
    if !ready {
        return note(PageMessage::NoPreview.to_string());
    }
    match snippet.kind {
        SnippetKind::Element => {
            // As a tag without the macro, which knows `controls` as a flag only.
            let mut element = VTag::new("spillgate-split");
            element.add_attribute("view", snippet.view.name());
            element.add_attribute("state", snippet.state.clone());
            element.add_attribute("playground", "");
            if !snippet.theme.is_empty() {
                element.add_attribute("theme", snippet.theme.clone());
            }
            if let Some(controls) = snippet.controls.attribute() {
                element.add_attribute("controls", controls);
            }
            html! { <div class="preview" data-test="embed-preview">{ Html::from(element) }</div> }
        }
        SnippetKind::Frame => html! {
            <div class="preview" data-test="embed-preview">
                <iframe key={snippet.frame_address()} title={snippet.words.clone()} width="100%" height={snippet.height.to_string()}
                    sandbox={Snippet::SANDBOX} src={snippet.frame_address()}></iframe>
            </div>
        },
    }
}
