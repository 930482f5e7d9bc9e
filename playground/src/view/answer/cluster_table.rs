//! The table of an aggregate's members.

use spillgate_scenario::{ClusterRow, PageFigure, change, count, whole};
use yew::prelude::*;

use crate::view::{
    Act, Shared,
    parts::{FigureButton, cell, head, hidden_caption, named, row, scrolled, swatch},
};

/// One row per member; empty for a plain cluster.
pub(crate) fn cluster_table(store: &Shared, act: &Act) -> Html {
    if store.outcome.clusters.is_empty() {
        return html! {};
    }
    let clusters = store.outcome.clusters.iter();
    let mut columns = vec![
        ("", "cluster"),
        ("minor", "priorities"),
        ("minor", "hosts"),
        ("", "healthy"),
        ("", "share"),
    ];
    if store.previous.is_some() {
        columns.push(("", "change"));
    }
    let table = html! {
        <table class="figures">
            { hidden_caption("Split by cluster") }
            { head(&columns) }
            <tbody>{ for clusters.map(|cluster| draw(cluster, store, act)) }</tbody>
        </table>
    };
    scrolled("Split by cluster", table)
}

fn draw(cluster: &ClusterRow, store: &Shared, act: &Act) -> Html {
    let figure = PageFigure::Cluster(cluster.at);
    let selected = store.selected == Some(figure);
    let name = &cluster.name;
    let share = FigureButton {
        test: Some(format!("share-cluster-{name}")),
        of: name.clone(),
        text: whole(cluster.load),
        selected,
        onclick: act.select(figure),
    };
    // More than three swatches are too many to recognize.
    let swatches = cluster.priorities.iter().take(3).map(|&line| swatch(line));
    let mut cells = vec![
        html! { <th scope="row">{ for swatches }{ named(&store.names, name) }</th> },
        cell("minor", None, count(cluster.priorities.len()).into()),
        cell("minor", None, count(cluster.hosts).into()),
        cell("", None, count(cluster.healthy).into()),
        cell("", None, share.view()),
    ];
    if let Some(before) = &store.previous {
        let mut clusters = before.clusters.iter();
        let before = clusters.find(|one| one.name == *name).map(|one| one.load);
        let change = match before {
            None => "\u{2013}".into(),
            Some(before) => change(f64::from(cluster.load) - f64::from(before)),
        };
        let test = Some(format!("change-cluster-{name}"));
        cells.push(cell("", test, change.into()));
    }
    row(name.clone(), selected.then_some("selected"), cells)
}
