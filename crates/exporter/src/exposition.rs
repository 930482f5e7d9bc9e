//! The published text.

use std::{borrow::Cow, fmt, sync::Arc, time::Duration};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric as _, prometheus_text},
    metrics::{MetricType, counter::ConstCounter, gauge::ConstGauge},
    registry::Registry,
};

use crate::{
    ClusterFigures, EnvoyFigures, MetricInfo, PriorityFigures, TargetStatus, TargetTable,
    families::{
        AGE, CLUSTER_KNOWN, DISCOVERY_ERRORS, FINDINGS, Family, OF_CLUSTER, OF_ENVOY, OF_PRIORITY,
        READING_ERRORS, READING_SECONDS, READING_SUCCESS, READINGS, TARGETS, TARGETS_LEFT_OUT,
        flag, number,
    },
};

/// The type of the text.
pub const CONTENT_TYPE: &str = prometheus_text::CONTENT_TYPE;

/// All metrics at a time. The table is shared, because a registry keeps what it publishes.
///
/// # Errors
/// None: a `String` accepts everything.
pub fn exposition(table: Arc<TargetTable>, now: Duration) -> Result<String, fmt::Error> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Published { table, now }));
    let mut text = String::new();
    prometheus_text::encode(&mut text, &registry)?;
    Ok(text)
}

/// The table at a time.
#[derive(Debug)]
struct Published {
    table: Arc<TargetTable>,
    now: Duration,
}

type Labels<'l> = Vec<(&'static str, Cow<'l, str>)>;

impl Collector for Published {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let TargetTable {
            targets,
            left_out,
            discovery_errors,
        } = &*self.table;
        let encoder = &mut encoder;
        let alone = |value| [(Labels::new(), value)];
        gauge(encoder, TARGETS, alone(number(targets.len())))?;
        gauge(encoder, TARGETS_LEFT_OUT, alone(number(*left_out)))?;
        counter(
            encoder,
            DISCOVERY_ERRORS,
            [(Labels::new(), *discovery_errors)],
        )?;
        self.encode_readings(encoder)?;
        self.encode_envoys(encoder)?;
        self.encode_clusters(encoder)?;
        self.encode_priorities(encoder)
    }
}

impl Published {
    fn encode_readings(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let of = |value: fn(&TargetStatus) -> Option<f64>| {
            let targets = self.table.targets.iter();
            targets.filter_map(move |(label, status)| Some((target(label), value(status)?)))
        };
        gauge(
            encoder,
            READING_SUCCESS,
            of(|status| Some(flag(status.last?.0))),
        )?;
        gauge(
            encoder,
            READING_SECONDS,
            of(|status| Some(status.last?.1.as_secs_f64())),
        )?;
        let ages = self
            .envoys()
            .map(|(label, at, _)| (target(label), self.now.saturating_sub(at).as_secs_f64()));
        gauge(encoder, AGE, ages)?;
        let counts = |value: fn(&TargetStatus) -> u64| {
            let targets = self.table.targets.iter();
            targets.map(move |(label, status)| (target(label), value(status)))
        };
        counter(encoder, READINGS, counts(|status| status.readings))?;
        counter(encoder, READING_ERRORS, counts(|status| status.errors))
    }

    fn encode_envoys(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        for (info, value) in OF_ENVOY {
            let rows = self
                .envoys()
                .map(|(label, _, envoy)| (target(label), number(value(envoy))));
            gauge(encoder, info, rows)?;
        }
        let findings = self.envoys().flat_map(|(label, _, envoy)| {
            let findings = envoy.findings.iter();
            findings.map(move |found| (severity(label, found.severity), number(found.count)))
        });
        gauge(encoder, FINDINGS, findings)
    }

    fn encode_clusters(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let known = self
            .clusters()
            .map(|(label, of)| (cluster(label, of), flag(of.load.is_some())));
        gauge(encoder, CLUSTER_KNOWN, known)?;
        for Family { info, value } in OF_CLUSTER {
            let rows = self
                .clusters()
                .filter_map(|(label, of)| Some((cluster(label, of), value(of.load.as_ref()?)?)));
            gauge(encoder, info, rows)?;
        }
        Ok(())
    }

    fn encode_priorities(&self, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        for Family { info, value } in OF_PRIORITY {
            let rows = self
                .priorities()
                .filter_map(|(label, of, row)| Some((priority(label, of, row), value(row)?)));
            gauge(encoder, info, rows)?;
        }
        Ok(())
    }

    /// The targets with figures, and the time of these.
    fn envoys(&self) -> impl Iterator<Item = (&str, Duration, &EnvoyFigures)> {
        let targets = self.table.targets.iter();
        targets.filter_map(|(label, status)| {
            let (at, figures) = status.figures.as_ref()?;
            Some((label.as_str(), *at, &**figures))
        })
    }

    fn clusters(&self) -> impl Iterator<Item = (&str, &ClusterFigures)> {
        let clusters = |(label, _, envoy)| {
            let envoy: &EnvoyFigures = envoy;
            envoy.clusters.iter().map(move |cluster| (label, cluster))
        };
        self.envoys().flat_map(clusters)
    }

    fn priorities(&self) -> impl Iterator<Item = (&str, &ClusterFigures, &PriorityFigures)> {
        self.clusters().flat_map(|(label, of)| {
            let rows = of.load.iter().flat_map(|load| &load.priorities);
            rows.map(move |row| (label, of, row))
        })
    }
}

fn target(label: &str) -> Labels<'_> {
    vec![("target", label.into())]
}

fn severity<'l>(label: &'l str, severity: &'static str) -> Labels<'l> {
    vec![("target", label.into()), ("severity", severity.into())]
}

fn cluster<'l>(label: &'l str, of: &'l ClusterFigures) -> Labels<'l> {
    vec![("target", label.into()), ("cluster", (&*of.cluster).into())]
}

fn priority<'l>(label: &'l str, of: &'l ClusterFigures, row: &'l PriorityFigures) -> Labels<'l> {
    let mut labels = cluster(label, of);
    labels.push(("priority", row.place.to_string().into()));
    labels.extend(
        row.member
            .as_deref()
            .map(|member| ("member", member.into())),
    );
    labels
}

/// Writes the values of a gauge; without any, nothing.
fn gauge<'l>(
    encoder: &mut DescriptorEncoder<'_>,
    info: MetricInfo,
    rows: impl IntoIterator<Item = (Labels<'l>, f64)>,
) -> fmt::Result {
    let mut rows = rows.into_iter().peekable();
    if rows.peek().is_none() {
        return Ok(());
    }
    let mut family = encoder.encode_descriptor(info.name, info.help, None, MetricType::Gauge)?;
    for (labels, value) in rows {
        ConstGauge::new(value).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}

/// Writes the values of a counter; without any, nothing.
fn counter<'l>(
    encoder: &mut DescriptorEncoder<'_>,
    info: MetricInfo,
    rows: impl IntoIterator<Item = (Labels<'l>, u64)>,
) -> fmt::Result {
    let mut rows = rows.into_iter().peekable();
    if rows.peek().is_none() {
        return Ok(());
    }
    let mut family = encoder.encode_descriptor(info.name, info.help, None, MetricType::Counter)?;
    for (labels, value) in rows {
        ConstCounter::new(value).encode(family.encode_family(&labels)?)?;
    }
    Ok(())
}
