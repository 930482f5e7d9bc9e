//! Pasting a configuration.

use std::rc::Rc;

use yew::prelude::*;

use super::{Act, Action, choice::Choice};
use crate::{
    bridge,
    state::{Fault, Imported, caret_offset, plural, read, select},
};

/// Texts above this many bytes are read after a pause in typing, not at every key.
const LARGE: usize = 200_000;

#[derive(PartialEq, Properties)]
pub(super) struct ImportProps {
    pub(super) act: Act,
    pub(super) on_close: Callback<()>,
}

/// What has become of the text.
#[derive(Clone)]
enum Reading {
    Nothing,
    Waiting,
    Faulty(Rc<Vec<Fault>>),
    Good(Rc<Imported>, usize),
}

/// The dialog: text, faults, choice of a cluster. Nothing is taken over while there are errors.
#[component]
pub(super) fn Import(props: &ImportProps) -> Html {
    let dialog = use_node_ref();
    let area = use_node_ref();
    let text = use_mut_ref(String::new);
    let reading = use_state(|| Reading::Nothing);
    let timer = use_mut_ref(|| None::<bridge::Timer>);
    {
        let (dialog, area) = (dialog.clone(), area.clone());
        use_effect_with((), move |()| {
            bridge::open_dialog(&dialog);
            bridge::focus_field(&area);
        });
    }
    let oninput = {
        let (text, reading, timer) = (Rc::clone(&text), reading.setter(), Rc::clone(&timer));
        Callback::from(move |event: InputEvent| {
            let typed = bridge::text_of(&event);
            let large = typed.len() > LARGE;
            *text.borrow_mut() = typed;
            let look = {
                let (text, reading) = (Rc::clone(&text), reading.clone());
                move || reading.set(look_at(&text.borrow()))
            };
            if large {
                reading.set(Reading::Waiting);
                *timer.borrow_mut() = Some(bridge::after(120, look));
            } else {
                timer.borrow_mut().take();
                look();
            }
        })
    };
    let go_to = {
        let (text, area) = (Rc::clone(&text), area.clone());
        Callback::from(move |fault: Fault| {
            if let Some(position) = fault.position {
                let offset = caret_offset(&text.borrow(), position);
                bridge::place_caret(&area, offset, position.line);
            }
        })
    };
    let choose = {
        let reading = reading.clone();
        Callback::from(move |value: String| {
            if let (Reading::Good(imported, _), Ok(root)) = (&*reading, value.parse()) {
                reading.set(Reading::Good(Rc::clone(imported), root));
            }
        })
    };
    let apply = {
        let (act, dialog, reading) = (props.act.clone(), dialog.clone(), reading.clone());
        Callback::from(move |_: MouseEvent| {
            let Reading::Good(imported, root) = &*reading else {
                return;
            };
            match select(imported, *root) {
                Ok(scenario) => {
                    act.run(Action::Import(Rc::new(scenario), bridge::now()));
                    bridge::close_dialog(&dialog);
                }
                Err(error) => reading.set(Reading::Faulty(Rc::new(vec![error.into()]))),
            }
        })
    };
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| bridge::close_dialog(&dialog))
    };
    let on_close = props.on_close.clone();
    let has_errors = matches!(&*reading, Reading::Faulty(_));
    html! {
        <dialog ref={dialog} class="sheet" aria-labelledby="import-title" onclose={Callback::from(move |_: Event| on_close.emit(()))}>
            <div class="sheet-head">
                <h2 id="import-title">{ "Import an Envoy configuration" }</h2>
                <button type="button" class="icon" aria-label="Close" onclick={close}>{ "\u{d7}" }</button>
            </div>
            <p class="note" id="import-help">
                { "Paste a bootstrap or single clusters, as YAML or JSON. It is read in this page and sent nowhere." }
            </p>
            <textarea ref={area} class="paste" data-test="import-text" aria-label="Configuration" aria-describedby="import-help import-findings"
                aria-invalid={has_errors.to_string()} spellcheck="false" autocomplete="off" rows="14" {oninput} />
            <div id="import-findings" aria-live="polite">{ findings(&reading, &go_to) }</div>
            if let Reading::Good(imported, root) = &*reading {
                <Choice id="import-cluster" test="import-cluster" label="cluster" options={choices(imported)}
                    value={root.to_string()} on_value={choose} />
            }
            <div class="sheet-acts">
                <button type="button" class="primary" data-test="import-apply" disabled={!matches!(&*reading, Reading::Good(..))}
                    onclick={apply}>{ "Use this cluster" }</button>
            </div>
        </dialog>
    }
}

fn choices(imported: &Imported) -> Vec<(String, String)> {
    imported
        .choices()
        .map(|(at, name, what)| (at.to_string(), format!("{name} ({what})")))
        .collect()
}

fn look_at(text: &str) -> Reading {
    if text.trim().is_empty() {
        return Reading::Nothing;
    }
    match read(text) {
        Ok(imported) => {
            let proposed = imported.proposed;
            Reading::Good(Rc::new(imported), proposed)
        }
        Err(faults) => Reading::Faulty(Rc::new(faults)),
    }
}

fn findings(reading: &Reading, go_to: &Callback<Fault>) -> Html {
    let (faults, summary) = match reading {
        Reading::Nothing => return html! {},
        Reading::Waiting => return html! { <p class="note">{ "Reading\u{2026}" }</p> },
        Reading::Faulty(faults) => {
            let errors = faults.iter().filter(|fault| fault.error).count();
            (
                faults.as_slice(),
                format!(
                    "{}; nothing is changed until they are gone.",
                    plural(errors, "error")
                ),
            )
        }
        Reading::Good(imported, _) => {
            let clusters = imported.origin.clusters.len();
            let warnings = imported.warnings.len();
            let mut summary = format!("Read: {}", plural(clusters, "cluster"));
            if warnings > 0 {
                summary.push_str(&format!(", {}", plural(warnings, "warning")));
            }
            (imported.warnings.as_slice(), format!("{summary}."))
        }
    };
    html! {
        <>
            <p class="note" data-test="import-summary">{ summary }</p>
            <ol class="faults">
                { for faults.iter().take(200).map(|fault| draw(fault, go_to)) }
            </ol>
            if faults.len() > 200 {
                <p class="note">{ format!("and {} more", faults.len() - 200) }</p>
            }
        </>
    }
}

fn draw(fault: &Fault, go_to: &Callback<Fault>) -> Html {
    let place = fault.position.map(|position| position.to_string());
    let kind = if fault.error { "error" } else { "warning" };
    let target = fault.clone();
    html! {
        <li class={kind} data-test="import-fault">
            <button type="button" disabled={place.is_none()} onclick={go_to.reform(move |_: MouseEvent| target.clone())}>
                <span class="at">{ place.unwrap_or_else(|| "\u{2013}".into()) }</span>
                <span class="kind">{ kind }</span>
                <span class="what">
                    { &fault.message }
                    if let Some(found) = &fault.found { <span class="found">{ "found " }<code>{ found }</code></span> }
                    if let Some(expected) = &fault.expected { <span class="expected">{ "expected " }{ expected }</span> }
                    if let Some(suggestion) = &fault.suggestion { <span class="suggestion">{ "did you mean " }<code>{ suggestion }</code>{ "?" }</span> }
                    <span class="code">{ fault.code }</span>
                </span>
            </button>
        </li>
    }
}
