//! The column for editing.

use spillgate_scenario::{PRESETS, PriorityAt, ScenarioEdit, preset};
use yew::prelude::*;

use super::{priority_card::priority_card, settings::settings};
use crate::{
    bridge,
    view::{
        Act, Action, Shared,
        parts::{Button, Choice, cluster_choice, named, note},
    },
};

/// Scenario, clusters, priorities, settings.
pub(crate) fn topology(store: &Shared, act: &Act) -> Html {
    let scenario = store.scenario();
    let shown = scenario.shown();
    let is_aggregate = scenario.aggregate(scenario.root()).is_some();
    let on_cluster = {
        let act = act.clone();
        Callback::from(move |cluster| act.edit(ScenarioEdit::Show(cluster)))
    };
    html! {
        <section class="topology" aria-label="Topology">
            <h2>{ "Topology" }</h2>
            { preset_list(store, act) }
            { cluster_choice(scenario, &on_cluster) }
            { note("Click a host to fail it; a second click makes it degraded, a third healthy. Shift and a click explain its share.".into()) }
            if is_aggregate {
                { settings(store, act, scenario.root()) }
            }
            { for shown.into_iter().map(|cluster| html! {
                <div class="cluster" key={cluster}>
                    if is_aggregate {
                        <h3>{ named(&store.names, scenario.name(cluster)) }</h3>
                    }
                    { priorities(store, act, cluster) }
                    { settings(store, act, cluster) }
                </div>
            }) }
        </section>
    }
}

fn priorities(store: &Shared, act: &Act, cluster: usize) -> Html {
    let scenario = store.scenario();
    let count = scenario
        .plain(cluster)
        .map_or(0, |plain| plain.priorities.len());
    let suffix = if cluster == scenario.root() {
        String::new()
    } else {
        format!("-{}", scenario.name(cluster))
    };
    let button = |test: &str, text: String, disabled: bool, edit: ScenarioEdit| {
        let button = Button {
            class: "",
            test: Some(format!("{test}{suffix}")),
            name: None,
            text,
            disabled,
            onclick: act.editing(edit),
        };
        button.view()
    };
    let cards = (0..count).map(|priority| {
        let at = PriorityAt { cluster, priority };
        priority_card(store, act, at)
    });
    html! {
        <>
            { for cards }
            <div class="priority-acts">
                { button("add-priority", format!("Add P{count}"), false, ScenarioEdit::AddPriority(cluster)) }
                { button("remove-priority", format!("Remove P{}", count.saturating_sub(1)), count < 2, ScenarioEdit::RemovePriority(cluster)) }
            </div>
        </>
    }
}

fn preset_list(store: &Shared, act: &Act) -> Html {
    let act = act.clone();
    let on_value = Callback::from(move |id: String| act.run(Action::Preset(id, bridge::now())));
    let is_imported = store.scenario().origin.is_some();
    let is_shown = |id: &str| !is_imported && preset(id).as_ref() == Some(&**store.scenario());
    let current = PRESETS.iter().find(|entry| is_shown(entry.id));
    let options: Vec<(String, String)> = PRESETS
        .iter()
        .map(|entry| (entry.id.to_owned(), entry.title.to_owned()))
        .collect();
    let otherwise = match store.scenario().origin {
        Some(_) => "imported",
        None => "custom",
    };
    html! {
        <Choice id="preset" test="preset" label="scenario" {options} {otherwise} {on_value}
            value={current.map_or("", |entry| entry.id)} />
    }
}
