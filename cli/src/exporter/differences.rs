//! Predicted shares minus the shares that Envoy counted, as in `spillgate observe`.
//!
//! Each cluster has its own window: the time since its hosts or their health changed. A cluster is not compared if its
//! shares depend on something that is not counted: on the criteria of each request, or on the number of different hash
//! keys.

use std::collections::HashMap;

use spillgate_answers::split::Split;
use spillgate_explain::report::PriorityReport;
use spillgate_exporter::CountedDifference;
use spillgate_observe::{EnvoyReading, ObservedWindow};

use crate::observe::{ComparedCluster, ComparedShare, CountedRequests, PredictedModel, compare};

/// The comparisons of an Envoy's clusters, by name.
#[derive(Debug, Default)]
pub(super) struct Differences(HashMap<String, ClusterDifferences>);

/// The comparison of a cluster.
#[derive(Debug)]
pub(super) struct ClusterDifferences {
    /// All counted requests.
    pub(super) requests: usize,
    /// Whether all shares fit; `None` without requests.
    pub(super) agrees: Option<bool>,
    priorities: Vec<ComparedShare>,
}

/// A percentage as a share from 0 to 1.
pub(super) fn share(percent: impl Into<f64>) -> f64 {
    percent.into() / 100.0
}

impl Differences {
    /// Compares the clusters of a split with their windows at the end of the readings.
    pub(super) fn new(
        predicted: &PredictedModel,
        split: &Split,
        readings: &[EnvoyReading],
    ) -> Self {
        let Some(last) = readings.last() else {
            return Self::default();
        };
        // Without a name, no name is unknown.
        let mut compared = predicted.chosen(&[]).unwrap_or_else(|_| Vec::new());
        predicted.without_criteria(&mut compared);
        compared.retain(|name| predicted.hashing(std::slice::from_ref(name)).is_empty());
        let windows = split.clusters.iter().filter_map(|report| {
            let name = compared.iter().find(|name| **name == report.name)?;
            let counted = predicted.counted(std::slice::from_ref(name));
            let names: Vec<&str> = counted.iter().map(String::as_str).collect();
            let window = ObservedWindow::of(readings, &names, u64::MAX)?;
            let counted = CountedRequests::of(&window, last, &counted);
            (window.length_ms() > 0).then_some((report, counted))
        });
        let windows: Vec<_> = windows.collect();
        let counted = windows.iter().map(|(report, counted)| (*report, counted));
        let clusters = compare(split, counted, None).into_iter();
        Self(clusters.map(|of| (of.name.clone(), of.into())).collect())
    }

    /// The comparison of a cluster, if it is compared.
    pub(super) fn of(&self, cluster: &str) -> Option<&ClusterDifferences> {
        self.0.get(cluster)
    }
}

impl From<ComparedCluster> for ClusterDifferences {
    fn from(of: ComparedCluster) -> Self {
        Self {
            requests: usize::try_from(of.requests).unwrap_or(usize::MAX),
            agrees: (of.requests > 0).then(|| of.agrees()),
            priorities: of.priorities,
        }
    }
}

impl ClusterDifferences {
    /// The difference of a priority; `None` without requests.
    pub(super) fn difference(&self, of: &PriorityReport) -> Option<CountedDifference> {
        let is_same = |share: &&ComparedShare| {
            share.cluster == of.owner && share.priority == of.row.at.priority
        };
        let share = self.priorities.iter().find(is_same)?;
        let (predicted, band) = (share.predicted?, share.band?);
        Some(CountedDifference {
            value: predicted - share.observed.share()?,
            low: predicted - band.high,
            high: predicted - band.low,
        })
    }
}
