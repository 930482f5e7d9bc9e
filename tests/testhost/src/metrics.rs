//! What the guest counted.

use crate::Status;
use std::collections::BTreeMap;

/// What kind of metric a guest defined, with the numbers of proxy-wasm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// Only ever grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Samples; the host keeps all of them.
    Histogram,
}

#[derive(Clone, Debug)]
struct Metric {
    name: String,
    kind: MetricKind,
    value: u64,
    samples: Vec<u64>,
}

/// The metrics of a VM, by the name that the guest gave them (Envoy prefixes `wasmcustom.`).
#[derive(Clone, Debug, Default)]
pub struct Metrics(Vec<Metric>);

impl Metrics {
    /// The value of a counter or gauge; 0 where the guest defined none of this name, which is what
    /// an operator's query would see.
    #[must_use]
    pub fn value(&self, name: &str) -> u64 {
        self.find(name).map_or(0, |metric| metric.value)
    }

    /// Whether the guest defined a metric of this name.
    #[must_use]
    pub fn is_defined(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The samples of a histogram, in order.
    #[must_use]
    pub fn samples(&self, name: &str) -> &[u64] {
        self.find(name).map_or(&[], |metric| &metric.samples)
    }

    /// Counters and gauges by name.
    #[must_use]
    pub fn all(&self) -> BTreeMap<&str, u64> {
        self.0
            .iter()
            .filter(|metric| metric.kind != MetricKind::Histogram)
            .map(|metric| (metric.name.as_str(), metric.value))
            .collect()
    }

    fn find(&self, name: &str) -> Option<&Metric> {
        self.0.iter().find(|metric| metric.name == name)
    }

    fn by_id(&mut self, id: u32) -> Result<&mut Metric, Status> {
        self.0.get_mut(id as usize).ok_or(Status::NotFound)
    }

    /// Defining a name again gives the id that it has, as in Envoy.
    pub(crate) fn define(&mut self, kind: u32, name: &str) -> Result<u32, Status> {
        let kind = match kind {
            0 => MetricKind::Counter,
            1 => MetricKind::Gauge,
            2 => MetricKind::Histogram,
            _ => return Err(Status::BadArgument),
        };
        let known = self
            .0
            .iter()
            .position(|metric| metric.name == name && metric.kind == kind);
        let id = known.unwrap_or_else(|| {
            self.0.push(Metric {
                name: name.to_owned(),
                kind,
                value: 0,
                samples: Vec::new(),
            });
            self.0.len() - 1
        });
        u32::try_from(id).map_err(|_| Status::InternalFailure)
    }

    pub(crate) fn increment(&mut self, id: u32, offset: i64) -> Result<(), Status> {
        let metric = self.by_id(id)?;
        match metric.kind {
            MetricKind::Counter if offset < 0 => Err(Status::BadArgument),
            MetricKind::Counter | MetricKind::Gauge => {
                metric.value = metric.value.wrapping_add_signed(offset);
                Ok(())
            }
            MetricKind::Histogram => Err(Status::BadArgument),
        }
    }

    pub(crate) fn record(&mut self, id: u32, value: u64) -> Result<(), Status> {
        let metric = self.by_id(id)?;
        match metric.kind {
            MetricKind::Counter => metric.value = metric.value.wrapping_add(value),
            MetricKind::Gauge => metric.value = value,
            MetricKind::Histogram => metric.samples.push(value),
        }
        Ok(())
    }

    pub(crate) fn get(&mut self, id: u32) -> Result<u64, Status> {
        let metric = self.by_id(id)?;
        match metric.kind {
            MetricKind::Histogram => Err(Status::BadArgument),
            MetricKind::Counter | MetricKind::Gauge => Ok(metric.value),
        }
    }
}
