//! Expectations, their results, and the command that checks them in CI.

use std::rc::Rc;

use crate::{
    bridge,
    state::CommandInput,
    view::parts::{Button, note},
};
use yew::prelude::*;

use crate::view::screens::{
    shown_command::ShownCommand,
    what_if::{LossAnswer, Question, Stage, check, command, suggestion},
};

#[derive(PartialEq, Properties)]
pub(super) struct ExpectationsProps {
    pub(super) question: Question,
    pub(super) on_question: Callback<Question>,
    pub(super) stage: Rc<Stage>,
    pub(super) answer: Rc<LossAnswer>,
    pub(super) command: CommandInput,
}

/// The list, a field for another one, and the command.
#[component]
pub(super) fn Expectations(props: &ExpectationsProps) -> Html {
    let ExpectationsProps {
        question,
        on_question,
        stage,
        answer,
        ..
    } = props;
    let draft = use_state(|| None::<String>);
    let message = use_state(String::new);
    let rows = question.expectations.iter().enumerate().map(|(at, text)| {
        let (class, mark, value) = match check(&stage.scene, &answer.what_if, text) {
            Ok(expectation) if expectation.ok => ("good", "\u{2713} ok", expectation.value),
            Ok(expectation) => ("warning", "\u{2717} failed", expectation.value),
            Err(fault) => ("warning", "\u{2717}", fault),
        };
        let remove = {
            let (question, on_question) = (question.clone(), on_question.clone());
            Callback::from(move |_: MouseEvent| {
                let mut next = question.clone();
                if at < next.expectations.len() {
                    next.expectations.remove(at);
                }
                on_question.emit(next);
            })
        };
        let remove = Button {
            class: "quiet",
            test: None,
            name: Some(format!("Remove {text}")),
            text: "remove".into(),
            disabled: false,
            onclick: remove,
        };
        html! {
            <li {class} data-test="expectation">
                <code>{ text }</code><span>{ format!("{mark}: {value}") }</span>{ remove.view() }
            </li>
        }
    });
    let rows: Vec<Html> = rows.collect();
    let text = (*draft).clone().unwrap_or_else(|| suggestion(answer));
    let oninput = {
        let draft = draft.setter();
        Callback::from(move |event: InputEvent| draft.set(Some(bridge::text_of(&event))))
    };
    let onsubmit = {
        let (question, on_question) = (question.clone(), on_question.clone());
        let stage = Rc::clone(stage);
        let (draft, message, text) = (draft.setter(), message.setter(), text.clone());
        let answer = Rc::clone(answer);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            match check(&stage.scene, &answer.what_if, &text) {
                Ok(expectation) => {
                    let mut next = question.clone();
                    next.expectations.push(expectation.text);
                    on_question.emit(next);
                    draft.set(Some(String::new()));
                    message.set(String::new());
                }
                Err(fault) => message.set(fault),
            }
        })
    };
    let command = command(&props.command, stage, question);
    html! {
        <div class="expectations">
            <h3>{ "Expectations" }</h3>
            <ul>{ for rows }</ul>
            <form {onsubmit}>
                <input type="text" data-test="expectation-text" aria-label="Expectation" value={text} {oninput} />
                <button type="submit" data-test="expectation-add">{ "Add" }</button>
            </form>
            { note("For example load(P0) >= 60, share(zone=a) <= 50, overload <= 2, panic_margin >= 2, no panic, no 503, survives n-1.".into()) }
            <p class="note" data-said="yes" data-test="expectation-message">{ (*message).clone() }</p>
            <ShownCommand test="command" about={format!("The same check for CI; {}", props.command.about)} line={command} />
        </div>
    }
}
