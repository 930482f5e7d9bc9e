//! Counters of decisions without labels.
//!
//! Envoy searches for a counter with labels by its whole name in each request, which took a quarter of the
//! module's instructions. A counter without labels has a number of its own, but only if it is defined while
//! the configuration is created. So each expected combination is defined then, under the name that Envoy
//! would form of the labels. `stats_tags` turn the names into labels again.

use std::{borrow::Cow, collections::BTreeMap};

use spillgate_config::filter::FilterConfig;
use spillgate_core::{
    decide::Reason,
    model::{Cluster, ClusterKind},
};
use spillgate_steer::{DECISIONS, DECISIONS_WITH_STEP, port::CounterName};

use crate::abi::{ConfigHandle, Metric};

/// The most counters of a configuration. The other combinations are counted with labels.
const MOST_COUNTERS: usize = 4_096;
/// The expected priorities, from 0. Envoy permits 128.
const PRIORITIES: usize = 8;

/// Envoy's counters of decisions, by the values of their labels.
#[derive(Default)]
pub(crate) struct DecisionCounterIds(BTreeMap<Vec<String>, Metric>);

/// The label values of a decision.
struct Outcome<'a> {
    cluster: &'a Cluster,
    priority: Option<usize>,
    step: Option<usize>,
    reason: Reason,
}

impl DecisionCounterIds {
    /// Defines the counters.
    pub(crate) fn define(envoy: &ConfigHandle<'_>, config: &FilterConfig) -> Self {
        let has_steps = !config.model.chain().is_empty();
        let (kind, labels) = if has_steps {
            DECISIONS_WITH_STEP
        } else {
            DECISIONS
        };
        let counters = expected(config).take(MOST_COUNTERS).filter_map(|outcome| {
            let values = outcome.values(has_steps);
            let metric = envoy.counter(&full_name(kind, labels, &values), &[])?;
            Some((values, metric))
        });
        Self(counters.collect())
    }

    /// The counter of this name.
    pub(crate) fn get(&self, name: CounterName<'_>) -> Option<Metric> {
        if name.kind != DECISIONS.0 {
            return None;
        }
        let values = name.labels.iter().map(|(_, value)| (*value).to_owned());
        self.0.get(&values.collect::<Vec<_>>()).copied()
    }
}

impl Outcome<'_> {
    fn values(&self, has_steps: bool) -> Vec<String> {
        let number = |number: Option<usize>| match number {
            Some(number) => Cow::Owned(number.to_string()),
            None => Cow::Borrowed("none"),
        };
        let step = has_steps.then(|| number(self.step));
        let mut values = vec![self.cluster.name.to_string(), number(self.priority).into()];
        values.extend(step.map(Cow::into_owned));
        values.push(self.reason.name().to_owned());
        values
    }
}

/// The outcomes of the priorities below [`PRIORITIES`], the first steps and priorities of all clusters first,
/// then those without a priority.
fn expected(config: &FilterConfig) -> impl Iterator<Item = Outcome<'_>> {
    let refused = config.model.clusters().iter().flat_map(|cluster| {
        [Reason::NoHost, Reason::Dropped].map(|reason| Outcome {
            cluster,
            priority: None,
            step: None,
            reason,
        })
    });
    let reasons: &[Reason] = match config.affinity {
        Some(_) => &[
            Reason::Chosen,
            Reason::Session,
            Reason::SessionMoved,
            Reason::NoHost,
        ],
        None => &[Reason::Chosen, Reason::NoHost],
    };
    let steps = 0..config.model.chain().len().max(1);
    let places = steps.flat_map(|step| (0..PRIORITIES).map(move |priority| (step, priority)));
    let served = places.flat_map(move |(step, priority)| {
        let clusters = config.model.clusters().iter();
        // No other cluster has priorities of its own.
        let owners = clusters.filter(|cluster| matches!(cluster.kind, ClusterKind::Plain(_)));
        owners.flat_map(move |cluster| {
            reasons.iter().map(move |&reason| Outcome {
                cluster,
                priority: Some(priority),
                step: Some(step),
                reason,
            })
        })
    });
    served.chain(refused)
}

/// The name that Envoy forms of a counter and its labels.
fn full_name(kind: &str, labels: &[&str], values: &[String]) -> String {
    let labels = labels.iter().zip(values);
    labels.fold(kind.to_owned(), |name, (label, value)| {
        format!("{name}.{label}.{value}")
    })
}
