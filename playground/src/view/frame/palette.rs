//! The palette: a field that finds a command by its name. Without a text it lists the keys.

use std::rc::Rc;

use yew::prelude::*;

use crate::{
    bridge,
    state::{PageCommand, all_commands, matching},
    view::{Shared, parts::note},
};

/// The maximum number of listed commands.
const LISTED: usize = 14;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct PaletteProps {
    pub(crate) store: Shared,
    /// Runs the chosen command, after the palette is closed.
    pub(crate) on_command: Callback<PageCommand>,
    pub(crate) on_close: Callback<()>,
}

/// A combobox in a dialog: the arrow keys choose, Enter runs.
#[component]
pub(crate) fn Palette(props: &PaletteProps) -> Html {
    let dialog = use_node_ref();
    let field = use_node_ref();
    // The text, and the place of the chosen command.
    let state = use_state(|| (String::new(), 0_usize));
    let (text, chosen) = &*state;
    {
        let (dialog, field) = (dialog.clone(), field.clone());
        use_effect_with((), move |()| {
            bridge::open_dialog(&dialog);
            bridge::focus_field(&field);
        });
    }
    let store = &props.store;
    let mut found = matching(all_commands(store.scenario(), &store.outcome), text);
    found.truncate(LISTED);
    let found = Rc::new(found);
    let current = (*chosen).min(found.len().saturating_sub(1));
    let run = {
        let (dialog, found, on_command) =
            (dialog.clone(), Rc::clone(&found), props.on_command.clone());
        Callback::from(move |at: usize| {
            if let Some(command) = found.get(at) {
                bridge::close_dialog(&dialog);
                on_command.emit(command.command.clone());
            }
        })
    };
    let oninput = {
        let state = state.setter();
        Callback::from(move |event: InputEvent| state.set((bridge::text_of(&event), 0)))
    };
    let onkeydown = {
        let (state, run, last) = (state.clone(), run.clone(), found.len().saturating_sub(1));
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowDown" => (current + 1).min(last),
                "ArrowUp" => current.saturating_sub(1),
                "Enter" => {
                    run.emit(current);
                    current
                }
                _ => return,
            };
            event.prevent_default();
            state.set((state.0.clone(), next));
        })
    };
    let onclick = Callback::from(move |event: MouseEvent| {
        if let Some(at) = bridge::cell_index(&event) {
            run.emit(at);
        }
    });
    let options = found.iter().enumerate().map(|(at, command)| {
        let selected = if at == current { "true" } else { "false" };
        html! {
            <li role="option" id={format!("command-{at}")} data-index={at.to_string()} data-test="palette-option" aria-selected={selected}>
                <span>{ &command.name }</span>
                if !command.key.is_empty() {
                    <kbd>{ command.key }</kbd>
                }
            </li>
        }
    });
    let set_letters =
        Callback::from(|event: Event| bridge::set_letter_keys(bridge::checked(&event)));
    let active = (!found.is_empty()).then(|| format!("command-{current}"));
    let on_close = props.on_close.clone();
    html! {
        <dialog ref={dialog} class="sheet palette" aria-label="Commands" onclose={Callback::from(move |_: Event| on_close.emit(()))}>
            <input ref={field} type="text" role="combobox" data-test="palette-text" aria-label="Command, host or scenario"
                aria-expanded="true" aria-controls="commands" aria-autocomplete="list" aria-activedescendant={active}
                placeholder="Type a command, a host or a scenario" autocomplete="off" value={text.clone()} {oninput} {onkeydown} />
            <ul id="commands" role="listbox" aria-label="Commands" {onclick}>{ for options }</ul>
            if found.is_empty() {
                { note("Nothing has this name.".into()) }
            }
            { note("On a host: h, d, u set its health, w explains it. In a text: F8 goes to the next fault. In Learn: [ and ] choose the lesson.".into()) }
            <label class="tick">
                <input type="checkbox" data-test="letter-keys" checked={bridge::has_letter_keys()} onchange={set_letters} />
                <span>{ "Use the keys without Ctrl" }</span>
            </label>
        </dialog>
    }
}
