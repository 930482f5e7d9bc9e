//! Expectations, their results, and the command that checks them in CI.

use std::rc::Rc;

use spillgate_playground::{
    bridge,
    state::{CommandInput, PageScenario},
    view::parts::{Button, note},
};
use yew::prelude::*;

use crate::what_if::{LossAnswer, Question, Stage, check, command, suggestion};

#[derive(PartialEq, Properties)]
pub(super) struct ExpectationsProps {
    pub(super) question: Question,
    pub(super) on_question: Callback<Question>,
    pub(super) stage: Rc<Stage>,
    pub(super) answer: Rc<LossAnswer>,
    pub(super) command: CommandInput,
    pub(super) scenario: Rc<PageScenario>,
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
    let command = command(&props.command, &props.scenario, stage, question);
    let copy = {
        let (line, message) = (command.clone(), message.setter());
        Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            bridge::copy(&line, move |result| message.set(result.to_string()));
        })
    };
    let copy = Button {
        class: "",
        test: Some("command-copy".into()),
        name: Some("Copy the command".into()),
        text: "Copy".into(),
        disabled: false,
        onclick: copy,
    };
    html! {
        <div class="expectations">
            <h3>{ "Expectations" }</h3>
            <ul>{ for rows }</ul>
            <form {onsubmit}>
                <input type="text" data-test="expectation-text" aria-label="Expectation" value={text} {oninput} />
                <button type="submit" data-test="expectation-add">{ "Add" }</button>
            </form>
            { note("For example load(P0) >= 60, share(zone=a) <= 50, overload <= 2, panic_margin >= 2, no panic, no 503, survives n-1.".into()) }
            <p class="note" role="status" data-test="expectation-message">{ (*message).clone() }</p>
            { note(props.command.about.clone()) }
            <div class="command"><pre><code data-test="command">{ for command.split(' ').enumerate().map(word) }</code></pre>{ copy.view() }</div>
        </div>
    }
}

/// A word of a command and the space before it. Only a link may wrap.
fn word((place, text): (usize, &str)) -> Html {
    let space = if place > 0 { " " } else { "" };
    let class = (text.len() > 24).then_some("long");
    html! { <>{ space }<span {class}>{ text }</span></> }
}
