//! A screen without a result, because the shown cluster has no hosts or they are not known.

use spillgate_scenario::{EditedScenario, PageMessage, ScenarioOutcome};
use yew::prelude::*;

/// The reason, and the fields that choose another cluster. `otherwise` is the reason if the cluster has no hosts.
pub(super) fn no_result(
    test: &'static str,
    scenario: &EditedScenario,
    otherwise: PageMessage<'_>,
    clusters: Html,
) -> Html {
    html! {
        <main class="what-if">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <p data-test={test}>{ reason(scenario, otherwise) }</p>
                { clusters }
            </section>
        </main>
    }
}

/// That the hosts are not known, or `otherwise`.
fn reason(scenario: &EditedScenario, otherwise: PageMessage<'_>) -> String {
    match ScenarioOutcome::of(scenario).unknown_hosts {
        Some(cluster) => PageMessage::HostsUnknown(&cluster).to_string(),
        None => otherwise.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use spillgate_scenario::select;

    use super::*;
    use crate::{
        state::import_text::import_of,
        view::screens::{fleet::FleetStage, incident::IncidentStage, trace::TraceStage, what_if},
    };

    #[test]
    fn unknown_hosts_are_not_the_same_as_none() {
        let text = "- {name: eds, type: EDS}\n\
             - {name: own, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: envoy.clusters.dynamic_forward_proxy}}\n\
             - {name: empty}\n";
        let imported = import_of(text, "").imported.unwrap();
        for (at, expected) in [
            (0, PageMessage::HostsUnknown("eds")),
            (1, PageMessage::HostsUnknown("own")),
            (2, PageMessage::NoHosts),
        ] {
            let scenario: EditedScenario = select(&imported, at).unwrap();
            let scenario = Rc::new(scenario);
            assert!(what_if::Stage::new(&scenario).is_none());
            assert!(
                FleetStage::new(&scenario).is_none() && IncidentStage::new(&scenario).is_none()
            );
            assert!(TraceStage::new(&scenario).is_none());
            let found = reason(&scenario, PageMessage::NoHosts);
            assert_eq!(found, expected.to_string());
        }
    }
}
