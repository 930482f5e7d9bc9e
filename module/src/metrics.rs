//! The counters of a configuration.
//!
//! Envoy defines metrics only while a configuration is created, so each kind of counter is defined then,
//! with its labels; a request passes the values of the labels.

use std::cell::RefCell;

use spillgate_config::filter::FilterConfig;
use spillgate_steer::{
    COUNTERS,
    port::{CounterName, MetricId},
};

use crate::{
    abi::{Buffer, ConfigHandle, Metric, StreamHandle},
    decision_counters::DecisionCounterIds,
};

/// No kind of counter has more labels.
const MOST_LABELS: usize = 4;

/// Envoy's number of each kind of counter with its labels.
pub(crate) struct CounterIds {
    kinds: Vec<CounterKind>,
    decisions: DecisionCounterIds,
}

struct CounterKind {
    kind: &'static str,
    labels: &'static [&'static str],
    metric: Metric,
}

impl CounterIds {
    /// Defines all counters of the request path.
    pub(crate) fn define(envoy: &ConfigHandle<'_>, config: &FilterConfig) -> Self {
        let defined = COUNTERS.iter().filter_map(|&(kind, labels)| {
            Some(CounterKind {
                kind,
                labels,
                metric: envoy.counter(kind, labels)?,
            })
        });
        Self {
            kinds: defined.collect(),
            decisions: DecisionCounterIds::define(envoy, config),
        }
    }

    /// Adds to a counter without labels.
    pub(crate) fn add(&self, envoy: &StreamHandle<'_>, kind: &'static str, by: u64) {
        if let Some(metric) = self.metric(CounterName { kind, labels: &[] }) {
            envoy.increment(metric, &[], by);
        }
    }

    fn metric(&self, name: CounterName<'_>) -> Option<Metric> {
        let labels = || name.labels.iter().map(|(label, _)| label);
        let is_it =
            |known: &&CounterKind| known.kind == name.kind && known.labels.iter().eq(labels());
        Some(self.kinds.iter().find(is_it)?.metric)
    }
}

/// The counters that a worker has used: the number of each, and the values of its labels.
#[derive(Default)]
pub(crate) struct UsedCounters(RefCell<Vec<(Metric, Vec<String>)>>);

impl UsedCounters {
    /// The number of a counter in this table.
    pub(crate) fn add(&self, ids: &CounterIds, name: CounterName<'_>) -> Option<MetricId> {
        let used = match ids.decisions.get(name) {
            Some(metric) => (metric, Vec::new()),
            None => {
                let values = name.labels.iter().map(|(_, value)| (*value).to_owned());
                (ids.metric(name)?, values.collect())
            }
        };
        let mut table = self.0.try_borrow_mut().ok()?;
        table.push(used);
        MetricId::try_from(table.len() - 1).ok()
    }

    /// Adds one to a counter.
    pub(crate) fn increment(&self, envoy: &StreamHandle<'_>, counter: MetricId) {
        let Ok(table) = self.0.try_borrow() else {
            return;
        };
        let place = usize::try_from(counter).unwrap_or(usize::MAX);
        if let Some((metric, values)) = table.get(place) {
            let mut labels = [Buffer::NONE; MOST_LABELS];
            for (label, value) in labels.iter_mut().zip(values) {
                *label = Buffer::from(&**value);
            }
            let labels = labels.get(..values.len()).unwrap_or(&labels);
            envoy.increment(*metric, labels, 1);
        }
    }
}
