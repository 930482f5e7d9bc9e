//! The configuration of a lesson.

use std::rc::Rc;

use crate::{bridge, view::parts::Button};
use yew::prelude::*;

use super::question::LessonRef;
use crate::view::screens::lessons::{LessonResult, lesson_yaml, yaml_lines};

#[derive(PartialEq, Properties)]
pub(super) struct LessonConfigProps {
    pub(super) lesson: LessonRef,
    pub(super) setup: Rc<LessonResult>,
}

/// The configuration as Envoy reads it; lines with a setting of the lesson are marked.
#[component]
pub(super) fn LessonConfig(props: &LessonConfigProps) -> Html {
    let message = use_state(String::new);
    let LessonRef(lesson) = props.lesson;
    let yaml = use_memo(Rc::clone(&props.setup), |result| lesson_yaml(&result.setup));
    let copy = {
        let (yaml, message) = (Rc::clone(&yaml), message.setter());
        Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            bridge::copy(&yaml, move |result| message.set(result.to_string()));
        })
    };
    // Unmarked lines in a row are one element: a configuration has hundreds of lines.
    let lines = yaml_lines(lesson, &yaml);
    let runs = lines.chunk_by(|a, b| a.marked == b.marked).map(|run| {
        let texts: Vec<&str> = run.iter().map(|line| line.text.as_str()).collect();
        let text = texts.join("\n") + "\n";
        if run.first().is_some_and(|line| line.marked) {
            html! { <mark>{ text }</mark> }
        } else {
            html! { <span class="line">{ text }</span> }
        }
    });
    html! {
        <div class="lesson-config">
            <div class="text-head">
                <h3>{ "As Envoy's configuration" }</h3>
                <span data-said="yes">{ (*message).clone() }</span>
                { Button {
                    class: "",
                    test: Some("lesson-copy".into()),
                    name: Some("Copy the configuration".into()),
                    text: "Copy".into(),
                    disabled: false,
                    onclick: copy,
                }.view() }
            </div>
            <p class="note">{ "Copy takes all hosts. Lines with a setting of this lesson are marked." }</p>
            <pre class="excerpt" data-test="lesson-yaml" tabindex="0" role="region" aria-label="Configuration of the lesson"><code>{ for runs }</code></pre>
        </div>
    }
}
