//! The whole screen: the losses, the result, zones, the sweep, the matrix and expectations.

use std::rc::Rc;

use crate::{
    state::CommandInput,
    view::parts::{Status, cluster_choice, headline, named, strip},
};
use spillgate_scenario::{EditedScenario, PageMessage};
use yew::prelude::*;

use super::{
    chart::chart, expectations::Expectations, losses::losses, matrix::matrix, pictures::pictures,
    table::table, traffic::Traffic, zones::zones,
};
use crate::view::screens::{
    input::use_input,
    what_if::{Question, Stage, Sweep, ZonesTraffic, answer},
    without_hosts::no_result,
};

#[derive(PartialEq, Properties)]
pub(crate) struct WhatIfProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The question as a text.
    pub(crate) input: String,
    /// Called with a changed question.
    pub(crate) on_input: Callback<String>,
    /// Called with the index of the cluster to show.
    pub(crate) on_cluster: Callback<usize>,
    pub(crate) command: CommandInput,
}

/// The screen.
#[component]
pub(crate) fn WhatIf(props: &WhatIfProps) -> Html {
    let input = use_input(&props.input, &props.on_input);
    let question = Question::from_text(&input.text);
    let latest = use_state(|| usize::MAX);
    let at = (*latest).min(question.losses.len().saturating_sub(1));
    let stage = use_memo(Rc::clone(&props.scenario), |scenario| {
        Stage::new(scenario).map(Rc::new)
    });
    let stage = (*stage).clone();
    // The sweep is most of the work, and it does not depend on the amount of its own loss.
    let sweep = {
        let mut others = question.losses.clone();
        let own = (at < others.len()).then(|| others.remove(at).selector);
        use_memo((stage.clone(), own, others, at), |(stage, ..)| {
            Sweep::new(stage.as_ref()?, &question, at).map(Rc::new)
        })
    };
    let traffic = use_memo(stage.clone(), |stage| {
        stage
            .as_ref()
            .map(|stage| Rc::new(ZonesTraffic::new(stage)))
    });
    let clusters = cluster_choice(&props.scenario, &props.on_cluster);
    let (Some(stage), Some(sweep), Some(traffic)) = (stage, &*sweep, &*traffic) else {
        return no_result(
            "what-if-headline",
            &props.scenario,
            PageMessage::NoHosts,
            clusters,
        );
    };
    let on_question = {
        let set = input.set.clone();
        Callback::from(move |question: Question| set.emit(question.to_text()))
    };
    let on_losses = {
        let (latest, on_question) = (latest.setter(), on_question.clone());
        Callback::from(move |(question, at): (Question, usize)| {
            latest.set(at);
            on_question.emit(question);
        })
    };
    let names = &stage.names;
    let answer = Rc::new(answer(&stage, sweep, &question));
    let after = traffic.after(&stage, &answer.what_if, &question);
    let shown = stage.before.names();
    let status = format!("{}: {}", answer.losses, answer.headline.sentence());
    html! {
        <main class="what-if losses">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <p class="eyebrow" data-test="what-if-losses">{ named(names, &answer.losses) }{ ":" }</p>
                { headline(answer.headline.clone(), &shown, "what-if-headline") }
                <p class="sub" data-test="what-if-reason">{ named(&shown, &answer.headline.reason) }</p>
            </section>
            <div class="left">
                { clusters }
                { losses(&stage, &question, &on_losses) }
                <div class="tables">
                    { table(&answer, names) }
                    if !stage.views.is_mesh() {
                        { zones(&stage, &answer, traffic, &after, names) }
                    }
                    <p class="note" data-test="what-if-lost">{ answer.lost_hosts.clone() }</p>
                </div>
            </div>
            <div class="right">
                { pictures(&stage, &answer, &shown) }
                <div class="further">
                    if sweep.most() > 0 {
                        <div>
                            { chart(&stage, sweep, &question, &answer, &on_losses) }
                            { strip("what-if-facts", answer.facts.clone(), names) }
                        </div>
                    }
                    { matrix(names, sweep, &question, &on_losses) }
                    if stage.views.is_mesh() {
                        <Traffic stage={Rc::clone(&stage)} traffic={Rc::clone(traffic)} {after} on_cluster={props.on_cluster.clone()} />
                    }
                    <Expectations question={question.clone()} {on_question} stage={Rc::clone(&stage)} answer={Rc::clone(&answer)}
                        command={props.command.clone()} />
                </div>
            </div>
            <Status test="what-if-status" text={status} />
        </main>
    }
}
