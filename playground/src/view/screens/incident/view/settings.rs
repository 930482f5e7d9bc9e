//! The settings that decide the times: fields, and their formulas.

use spillgate_codec::import::{IncidentFault, IncidentSetting, TextPosition};
use yew::prelude::*;

use super::text_field::TextField;
use crate::view::{
    parts::{Choice, named, text_button},
    screens::incident::{IncidentInput, ShownIncident, source_text},
};

/// A field for each setting.
pub(super) fn settings(
    run: &ShownIncident,
    input: &IncidentInput,
    faults: &[IncidentFault],
    on_input: &Callback<IncidentInput>,
) -> Html {
    let fields = run.record.settings.iter();
    let fields = fields.map(|of| field(of, input, faults, on_input));
    html! {
        <section class="settings" aria-label="Settings">
            <h3>{ "Settings" }</h3>
            <p class="note">{ "Try other values: the answers change at once, the configuration does not." }</p>
            { for fields }
            { settings_reset(input, on_input) }
        </section>
    }
}

/// The button that removes all changes of settings, if there are any.
pub(super) fn settings_reset(input: &IncidentInput, on_input: &Callback<IncidentInput>) -> Html {
    if input.changes.is_empty() {
        return html! {};
    }
    let input = input.clone();
    let reset = on_input.reform(move |_: MouseEvent| IncidentInput {
        changes: Vec::new(),
        ..input.clone()
    });
    html! {
        <p class="copies">{ text_button("Back to the values of the configuration", "incident-settings-reset", reset) }</p>
    }
}

fn field(
    of: &IncidentSetting,
    input: &IncidentInput,
    faults: &[IncidentFault],
    on_input: &Callback<IncidentInput>,
) -> Html {
    let id = format!("incident-{}", of.name.replace('.', "-"));
    let on_value = {
        let (name, input) = (of.name.clone(), input.clone());
        on_input.reform(move |value: String| input.with_change(&name, value))
    };
    let Some((_, label)) = of.name.split_once('.') else {
        let options = ["on", "off"].map(|value| (value.to_owned(), value.to_owned()));
        return html! {
            <Choice id={id.clone()} test={id} label={of.name.clone()} options={options.to_vec()} value={of.value.clone()} {on_value} />
        };
    };
    let place = input.changes.iter().position(|(name, _)| *name == of.name);
    let fault = faults
        .iter()
        .find(|fault| place.is_some() && fault.change == place);
    let typed = place.and_then(|at| input.changes.get(at));
    let value = typed.map_or_else(|| of.value.clone(), |(_, value)| value.clone());
    html! {
        <TextField {id} label={label.to_owned()} {value} fault={fault.map_or_else(String::new, |of| of.message.clone())}
            about={source_text(of.by)} {on_value} />
    }
}

/// The formulas, with buttons to their lines of the configuration.
pub(super) fn deciding_times(run: &ShownIncident, on_source: &Callback<TextPosition>) -> Html {
    if run.record.times.is_empty() {
        return html! {};
    }
    let times = run.record.times.iter().enumerate().map(|(at, of)| {
        let place = of.position.map(|position| {
            let open = on_source.reform(move |_: MouseEvent| position);
            text_button(&format!("line {}", position.line), &format!("incident-time-{at}"), open)
        });
        html! { <li>{ named(&run.names, &of.text) }{ " (" }<code>{ &of.path }</code>{ ") " }{ for place }</li> }
    });
    html! {
        <section aria-label="What decides the times" class="times-decided">
            <h3>{ "What decides the times" }</h3>
            <ul data-test="incident-times">{ for times }</ul>
        </section>
    }
}
