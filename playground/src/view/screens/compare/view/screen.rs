//! The whole screen: the sides, how much differs, the clusters, and one of them on both sides.

use std::rc::Rc;

use spillgate_scenario::{EditedScenario, link::Disclosure};
use yew::prelude::*;

use super::{
    cluster::cluster,
    list::ClusterDiffList,
    routes::{finding_lists, routes, use_routes},
    sides::sides,
};
use crate::{
    state::{ComparedSide, ScreenAction},
    view::{
        parts::{Status, note},
        screens::{
            compare::{
                ComparedCluster, RouteComparison, ScenarioComparison, command, doubts,
                finding_changes, headline_text,
            },
            input::use_input,
            shown_command::ShownCommand,
        },
    },
};

#[derive(PartialEq, Properties)]
pub(crate) struct CompareProps {
    pub(crate) scenario: Rc<EditedScenario>,
    pub(crate) old: ComparedSide,
    /// The name of the chosen cluster; empty for the worst one.
    pub(crate) input: String,
    pub(crate) disclosure: Disclosure,
    /// Called with what the user does.
    pub(crate) on_action: Callback<ScreenAction>,
}

/// The screen.
#[component]
pub(crate) fn Compare(props: &CompareProps) -> Html {
    let on_input = props.on_action.reform(ScreenAction::Input);
    let input = use_input(&props.input, &on_input);
    let sides_of = (props.old.clone(), Rc::clone(&props.scenario));
    let of_clusters = use_memo(sides_of.clone(), |(old, new)| {
        ScenarioComparison::new(old, new)
    });
    let of_routes = use_routes(&props.old.scenario, &props.scenario);
    let comparison = use_memo((of_clusters, of_routes), |(clusters, routes)| {
        clusters.with_routes(routes.clone())
    });
    let findings = use_memo(sides_of.clone(), |(old, new)| {
        finding_changes(&old.scenario, new)
    });
    let chosen = comparison.chosen(&input.text).map(str::to_owned);
    let compared = use_memo((Rc::clone(&comparison), chosen), |(comparison, chosen)| {
        let chosen = chosen.as_deref()?;
        Some(ComparedCluster::new(comparison, chosen))
    });
    let line = use_memo((sides_of, props.disclosure), |((old, new), disclosure)| {
        command(old, new, *disclosure)
    });
    let sentence = headline_text(&comparison);
    let announced = compared.as_ref().as_ref().map_or_else(
        || sentence.clone(),
        |of| format!("{sentence} Cluster {}: {}", of.name, of.effect),
    );
    let shown_name = compared.as_ref().as_ref().map(|of| of.name.clone());
    let command = (*line).clone().map(|(about, line)| {
        html! { <ShownCommand test="compare-command" {about} {line} /> }
    });
    html! {
        <main class="what-if compare">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                { sides(&props.old, &props.scenario, &props.on_action) }
                if comparison.is_same() {
                    <h2 class="headline" data-test="compare-headline">{ "Both sides are the same scenario." }</h2>
                    <p class="sub">{ "Import the new configuration, or edit the scenario. To compare with another scenario, open it and keep it as the old side." }</p>
                } else {
                    <h2 class="headline" data-test="compare-headline">{ sentence }</h2>
                    { for doubts(&comparison).into_iter().map(|doubt| html! {
                        <p class="sub doubt" data-test="compare-doubt">{ doubt }</p>
                    }) }
                }
            </section>
            if !comparison.is_same() {
                <div class="left">
                    <ClusterDiffList comparison={Rc::clone(&comparison)} chosen={shown_name} on_choose={input.set.clone()} />
                </div>
                <div class="right">
                    { for compared.as_ref().as_ref().map(cluster) }
                    { for comparison.routes.answer().map(routes) }
                    { for findings.as_ref().as_ref().map(finding_lists) }
                    <section class="same-report" aria-label="Command">
                        { note(compared_here(&comparison.routes, findings.is_some())) }
                        { for command }
                    </section>
                </div>
                <Status test="compare-status" text={announced} />
            }
        </main>
    }
}

/// What the screen compares, and what only the command does.
fn compared_here(routes: &RouteComparison, has_findings: bool) -> String {
    let with_routes = matches!(routes, RouteComparison::Answered(_));
    let (mut here, mut elsewhere) = (vec!["the clusters"], Vec::new());
    for (is_here, what) in [
        (with_routes, "the routes and settings as imported"),
        (has_findings, "the lint findings of the imports"),
    ] {
        if is_here { &mut here } else { &mut elsewhere }.push(what);
    }
    let mut text = format!("Compared here: {}.", here.join(", "));
    if !with_routes {
        text.push_str(" Requests have no subset criteria and no sessions here.");
    }
    if !elsewhere.is_empty() {
        text.push_str(" The rest is in the report of the command.");
    }
    text
}
