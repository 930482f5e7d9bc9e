//! The clusters, the worst first, with a search.

use std::rc::Rc;

use spillgate_scenario::{ShortNames, count};
use yew::prelude::*;

use crate::{
    bridge,
    view::{
        parts::{named, note},
        screens::compare::{LISTED, ListedDifference, ScenarioComparison, matching},
    },
};

/// The longest names that are shown whole, relative to the font size.
const NAME_ROOM: f64 = 22.0;

#[derive(PartialEq, Properties)]
pub(super) struct ClusterDiffListProps {
    pub(super) comparison: Rc<ScenarioComparison>,
    pub(super) chosen: Option<String>,
    /// Called with the name of a cluster.
    pub(super) on_choose: Callback<String>,
}

/// The list.
#[component]
pub(super) fn ClusterDiffList(props: &ClusterDiffListProps) -> Html {
    let text = use_state(String::new);
    let (listed, all) = matching(&props.comparison, &text);
    let oninput = {
        let text = text.setter();
        Callback::from(move |event: InputEvent| text.set(bridge::text_of(&event)))
    };
    let names = ShortNames::of(listed.iter().map(|one| one.name.as_str()), NAME_ROOM);
    let more = all.saturating_sub(listed.len());
    let report = &props.comparison.report;
    let total = report.clusters.len() + report.equal_clusters.len();
    let message = match (listed.is_empty(), more) {
        (true, _) if total > 0 => {
            "No cluster has this text in its name, its localities or its policy.".to_owned()
        }
        (true, _) => "No clusters.".to_owned(),
        (false, 0) => String::new(),
        (false, more) => format!("and {} more; search for a name", count(more)),
    };
    html! {
        <section class="differences" aria-label="Clusters">
            if total > LISTED {
                <input type="text" data-test="compare-search" aria-label="Search for a cluster"
                    placeholder="Search for a cluster" value={(*text).clone()} {oninput} />
            }
            <ol data-test="compare-clusters">
                { for listed.into_iter().map(|one| item(one, props, &names)) }
            </ol>
            if !message.is_empty() {
                <div data-said="yes" data-test="compare-more">{ note(message) }</div>
            }
        </section>
    }
}

fn item(one: ListedDifference, props: &ClusterDiffListProps, names: &ShortNames) -> Html {
    let mark = (props.chosen.as_ref() == Some(&one.name)).then_some("true");
    let onclick = {
        let name = one.name.clone();
        props.on_choose.reform(move |_: MouseEvent| name.clone())
    };
    html! {
        <li key={one.name.clone()}>
            <button type="button" data-test="compare-cluster" class={one.is_equal.then_some("equal")}
                aria-current={mark} {onclick}>
                <b>{ named(names, &one.name) }</b>
                <span>{ one.effect }</span>
            </button>
        </li>
    }
}
