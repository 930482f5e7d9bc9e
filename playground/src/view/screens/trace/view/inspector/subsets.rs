//! The subset selectors with their subsets.

use crate::view::parts::{Button, note};
use spillgate_scenario::{count, cut, plural};
use yew::prelude::*;

use super::host::InspectorHosts;
use crate::view::screens::trace::{SelectorBranch, SubsetLeaf, SubsetTree};

/// The tree.
pub(super) fn subsets(hosts: &InspectorHosts<'_>, tree: &SubsetTree) -> Html {
    let mut leaves = tree.selectors.iter().flat_map(|branch| &branch.subsets);
    let all: usize = tree
        .selectors
        .iter()
        .map(|branch| branch.subsets.len() + branch.more)
        .sum();
    let chosen = match leaves.find(|leaf| leaf.is_chosen) {
        Some(leaf) => format!("the request uses {}", leaf.criteria),
        None if tree.is_fallback => "the request uses a fallback".into(),
        None => "no subset serves the request".into(),
    };
    let selectors = plural(tree.selectors.len(), "selector");
    let sentence = format!("{selectors} with {}; {chosen}.", plural(all, "subset"));
    let own = tree.hosts.iter().map(|&host| {
        let name = hosts.name(host).to_owned();
        let selected = hosts.selected == Some(host);
        let button = Button {
            class: "figure address",
            test: None,
            name: Some(format!("Select {name}")),
            text: cut(&name, 22.0),
            disabled: false,
            onclick: hosts.select(host),
        };
        html! { <li class={selected.then_some("selected")}>{ button.view() }</li> }
    });
    html! {
        <figure class="inspector" data-test="inspector-subsets">
            <figcaption>{ sentence }</figcaption>
            <ul class="subset-tree">
                { for tree.selectors.iter().map(branch) }
                <li class={tree.is_fallback.then_some("chosen")}>
                    <p><b>{ "fallback policy of the cluster" }</b>{ " " }<code>{ &tree.fallback }</code></p>
                </li>
            </ul>
            if !tree.hosts.is_empty() {
                { note(format!("{} serve the request:", plural(tree.hosts.len() + tree.more, "host"))) }
                <ul class="subset-hosts">{ for own }</ul>
            }
            if tree.more > 0 {
                { note(format!("And {} more hosts.", count(tree.more))) }
            }
        </figure>
    }
}

fn branch(branch: &SelectorBranch) -> Html {
    html! {
        <li>
            <p>
                <b>{ "keys " }<code>{ &branch.keys }</code></b>
                if !branch.fallback.is_empty() {
                    { " fallback " }<code>{ &branch.fallback }</code>
                }
            </p>
            <ul>{ for branch.subsets.iter().map(leaf) }</ul>
            if branch.more > 0 {
                { note(format!("And {} more subsets.", count(branch.more))) }
            }
        </li>
    }
}

fn leaf(leaf: &SubsetLeaf) -> Html {
    let hosts = plural(leaf.hosts, "host");
    let text = if leaf.healthy == leaf.hosts {
        hosts
    } else {
        format!("{hosts}, {} healthy", leaf.healthy)
    };
    html! {
        <li class={leaf.is_chosen.then_some("chosen")} aria-current={leaf.is_chosen.then_some("true")}>
            <code>{ &leaf.criteria }</code>{ " " }<span>{ text }</span>
        </li>
    }
}
