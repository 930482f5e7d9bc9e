//! All inspectors that apply to a decision.

use crate::view::parts::note;
use spillgate_core::snapshot::HostRef;
use spillgate_scenario::HostAt;
use yew::prelude::*;

use super::{
    host::InspectorHosts, maglev::maglev, queue::queue, ring::ring, samples::samples,
    subsets::subsets,
};
use crate::view::screens::trace::{Inspectors, TraceRequest, TraceStage, TracedRequest};

/// The inspectors of a request. `selected` is the host that the user selected; otherwise, the chosen one
/// is selected. `at` is the kind of the current step, whose inspectors are marked.
pub(in crate::view::screens::trace::view) fn inspectors(
    stage: &TraceStage,
    request: &TraceRequest,
    traced: &TracedRequest,
    selected: Option<HostRef>,
    on_host: &Callback<HostAt>,
    at: Option<&'static str>,
) -> Html {
    let chosen = traced.decision.host_ref();
    let selected = selected.or(chosen);
    let found = Inspectors::new(stage, request, traced, selected);
    let hosts = InspectorHosts {
        stage,
        selected,
        number: traced.table_number_name(),
        chosen,
        on_host,
    };
    let Inspectors {
        ring: of_ring,
        maglev: of_maglev,
        queue: of_queue,
        samples: of_samples,
        subsets: of_subsets,
    } = &found;
    let is_empty = of_ring.is_none()
        && of_maglev.is_none()
        && of_queue.is_none()
        && of_samples.is_none()
        && of_subsets.is_none();
    let of_subset = matches!(at, Some("criteria" | "subset")).then_some("at-step");
    let of_host = (at == Some("host")).then_some("at-step");
    html! {
        <div class="inspectors" data-test="inspectors">
            <h3>{ "What the host is chosen from" }</h3>
            <div class={of_subset}>{ for of_subsets.iter().map(|view| subsets(&hosts, view)) }</div>
            <div class={of_host}>
            { for of_ring.iter().map(|view| ring(&hosts, view)) }
            { for of_maglev.iter().map(|view| maglev(&hosts, view)) }
            { for of_queue.iter().map(|view| queue(&hosts, view)) }
            { for of_samples.iter().map(|view| samples(&hosts, view)) }
            </div>
            if is_empty {
                { note("This choice has no table, queue or samples: a session or a random number chooses the host.".into()) }
            }
        </div>
    }
}
