//! The settings of a cluster.

use spillgate_scenario::{PolicyKind, ScenarioEdit};
use yew::prelude::*;

use crate::view::{
    Act, Shared,
    parts::{Choice, Slider, slider},
};

/// Overprovisioning factor, panic threshold and load-balancing policy; only the threshold of an
/// aggregate.
pub(crate) fn settings(store: &Shared, act: &Act, cluster: usize) -> Html {
    let scenario = store.scenario();
    let (suffix, of) = if cluster == scenario.root() {
        (String::new(), String::new())
    } else {
        let name = scenario.name(cluster);
        (format!("-{name}"), format!(" of {name}"))
    };
    let edit = |make: fn(usize, u32) -> ScenarioEdit| {
        let act = act.clone();
        Callback::from(move |value| act.edit(make(cluster, value)))
    };
    let threshold = |percent: u32, label: &'static str| {
        html! {
            { slider(Slider {
                test: format!("panic-threshold{suffix}"),
                label,
                name: format!("panic threshold{of}, percent"),
                value: percent,
                range: (0, 100),
                most: 100,
                on_value: edit(ScenarioEdit::Threshold),
            }) }
        }
    };
    if let Some(aggregate) = scenario.aggregate(cluster) {
        return html! {
            <div class="settings">{ threshold(aggregate.panic_threshold.percent(), "panic threshold of the aggregate") }</div>
        };
    }
    let Some(plain) = scenario.plain(cluster) else {
        return html! {};
    };
    let act = act.clone();
    let on_policy = Callback::from(move |name: String| {
        if let Some(kind) = PolicyKind::from_name(&name) {
            act.edit(ScenarioEdit::Policy(cluster, kind));
        }
    });
    let mut policies: Vec<(String, String)> = PolicyKind::ALL
        .into_iter()
        .map(|kind| (kind.name().to_owned(), kind.name().to_owned()))
        .collect();
    let current = plain.policy.name();
    // Another policy stays until the user chooses one of these.
    if PolicyKind::from_name(current).is_none() {
        policies.push((current.to_owned(), current.to_owned()));
    }
    html! {
        <div class="settings">
            { slider(Slider {
                test: format!("overprovisioning{suffix}"),
                label: "overprovisioning",
                name: format!("overprovisioning factor{of}, percent"),
                value: plain.overprovisioning_factor.0,
                range: (100, 300),
                most: 10_000,
                on_value: edit(ScenarioEdit::Factor),
            }) }
            { threshold(plain.panic_threshold.percent(), "panic threshold") }
            <Choice id={format!("policy-{cluster}")} test={format!("policy{suffix}")} label="policy" name={format!("load-balancing policy{of}")}
                options={policies} value={current} on_value={on_policy} />
        </div>
    }
}
