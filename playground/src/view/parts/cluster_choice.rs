//! The list of clusters.

use spillgate_scenario::{EditedScenario, ShortNames};
use yew::prelude::*;

use super::Choice;

/// The longest names that are shown whole, relative to the font size.
const LISTED_ROOM: f64 = 20.0;

/// The list of the clusters of a scenario, with the shown one; empty if there is only one.
pub fn cluster_choice(scenario: &EditedScenario, on_cluster: &Callback<usize>) -> Html {
    if scenario.clusters().len() < 2 {
        return html! {};
    }
    let on_cluster = on_cluster.clone();
    let on_value = Callback::from(move |value: String| {
        if let Ok(cluster) = value.parse() {
            on_cluster.emit(cluster);
        }
    });
    let clusters = scenario.clusters().iter();
    let names = clusters.map(|cluster| cluster.name.as_str());
    let short = ShortNames::of(names.clone(), LISTED_ROOM);
    let options: Vec<(String, String)> = names
        .enumerate()
        .map(|(at, name)| (at.to_string(), short.get(name).to_owned()))
        .collect();
    html! {
        <Choice id="cluster" test="cluster" label="cluster" {options} {on_value} value={scenario.root().to_string()} />
    }
}
