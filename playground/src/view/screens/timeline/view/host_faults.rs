//! Buttons that change hosts, a priority or a cluster at the shown time.

use std::collections::BTreeSet;

use crate::view::parts::{Button, Choice, note};
use yew::prelude::*;

use super::run::ShownRun;
use crate::view::screens::{over_time::seconds, timeline::HostFault};

#[derive(PartialEq, Properties)]
pub(super) struct HostFaultsProps {
    pub(super) run: ShownRun,
    pub(super) shown: usize,
    pub(super) on_fault: Callback<(String, HostFault)>,
}

/// The list of selectors and the buttons.
#[component]
pub(super) fn HostFaults(props: &HostFaultsProps) -> Html {
    let recording = &props.run.recording;
    let names = &props.run.names;
    let chosen = use_state(String::new);
    let hosts = recording.hosts.iter();
    let clusters: BTreeSet<&str> = hosts.clone().map(|host| &*host.cluster).collect();
    let clusters = clusters
        .into_iter()
        .filter(|name| !name.contains(','))
        .map(|name| {
            (
                format!("cluster={name}"),
                format!("cluster {}", names.get(name)),
            )
        });
    let hosts = hosts.filter(|host| !host.selector.is_empty()).map(|host| {
        (
            host.selector.clone(),
            format!("host {}", names.get(&host.address)),
        )
    });
    let options: Vec<(String, String)> = clusters.chain(hosts).collect();
    let known = options.iter().find(|(selector, _)| *selector == *chosen);
    let Some((selector, title)) = known.or_else(|| options.first()).cloned() else {
        return html! {};
    };
    let at = seconds((props.shown as u64).saturating_mul(recording.width));
    let button = |fault: HostFault| {
        let selector = selector.clone();
        Button {
            class: "",
            test: Some(format!("timeline-{}", fault.verb().to_lowercase())),
            name: Some(format!("{} {title} at {at}", fault.verb())),
            text: fault.verb().into(),
            disabled: !recording.has_script,
            onclick: props
                .on_fault
                .reform(move |_: MouseEvent| (selector.clone(), fault)),
        }
        .view()
    };
    let on_value = {
        let chosen = chosen.setter();
        Callback::from(move |value| chosen.set(value))
    };
    html! {
        <>
            <Choice id="timeline-hosts" test="timeline-hosts" label={format!("change at {at}")} name="Hosts to change" {options}
                value={selector.clone()} {on_value} />
            <div class="playback">{ for HostFault::ALL.into_iter().map(button) }</div>
            if recording.has_script {
                { note("Fail: the hosts fail their health checks. Remove: they disappear from the configuration. Each change is an event of the script. The names of hosts below are buttons for one host.".into()) }
            }
        </>
    }
}
