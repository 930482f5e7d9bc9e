//! The number of callers in each zone, from the series of a query to Prometheus.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_admin::PrometheusSample;
use spillgate_config::{Diagnostic, node::quote};
use spillgate_core::model::Locality;
use spillgate_sim::fleet::{CallerCounts, MOST_CALLERS, named_locality};

use super::stated::unplaced;

/// The label with the zone unless an option names it.
const ZONE: &str = "zone";

/// Other names of this label: the one that Prometheus makes of the label of a Kubernetes node, and Envoy's.
const OTHERS: [&str; 2] = ["topology_kubernetes_io_zone", "locality_zone"];

/// Sums the series of each zone, and rounds to whole callers. `label` is the value of `--zone-label`.
///
/// # Errors
/// Every series without a zone or with a value that is no number of callers, every unknown zone, and series that
/// together count no callers.
pub(super) fn counts(
    samples: &[PrometheusSample],
    label: Option<&str>,
    known: &[Locality],
) -> Result<CallerCounts, Vec<Diagnostic>> {
    let wrong = |what: &str| Diagnostic::error("prometheus/result", what);
    if samples.is_empty() {
        let fault = wrong("query selects no series");
        return Err(vec![fault.expected("a series for each zone")]);
    }
    let label = match label {
        Some(label) => label,
        None => zone_label(samples)?,
    };
    let mut faults = Vec::new();
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    for sample in samples {
        let zone = sample.labels.get(label).filter(|zone| !zone.is_empty());
        let Some(zone) = zone else {
            let fault = wrong("series has no zone").found(series(sample));
            faults.push(fault.expected(format!("the label {label}, or --zone-label NAME")));
            continue;
        };
        if sample.value.is_finite() && sample.value >= 0.0 {
            *sums.entry(zone).or_default() += sample.value;
        } else {
            let fault = wrong("value of a series is not a number of callers");
            let found = format!("{} of {}", sample.value, series(sample));
            faults.push(fault.found(found).expected("a number from 0"));
        }
    }
    let callers = sums.values().fold(0.0, |all, sum| all + sum.round());
    if faults.is_empty() && callers < 1.0 {
        let sum: f64 = sums.values().sum();
        let fault = wrong("series count no callers").found(format!("{sum} in all zones"));
        faults.push(fault.expected("at least one caller"));
    }
    let mut counts = CallerCounts::default();
    for (zone, sum) in sums {
        if sum > MOST_CALLERS as f64 {
            let fault = wrong("too many callers").found(format!("{sum} in zone {zone}"));
            faults.push(fault.expected(format!("at most {MOST_CALLERS}")));
        }
        match named_locality(zone, known) {
            Ok(locality) => counts.add(&locality, sum.round() as u64),
            Err(fault) => faults.push(unplaced(&fault)),
        }
    }
    if faults.is_empty() {
        Ok(counts)
    } else {
        Err(faults)
    }
}

/// The label that has the zone.
fn zone_label(samples: &[PrometheusSample]) -> Result<&'static str, Vec<Diagnostic>> {
    let has = |label: &str| samples.iter().any(|of| of.labels.contains_key(label));
    let others: Vec<&'static str> = OTHERS.into_iter().filter(|label| has(label)).collect();
    match others.as_slice() {
        _ if has(ZONE) => Ok(ZONE),
        [only] => Ok(*only),
        found => {
            let what = if found.is_empty() {
                "no series has a label with the zone"
            } else {
                "several labels can have the zone"
            };
            let labels = samples.iter().flat_map(|of| of.labels.keys());
            let labels: BTreeSet<&str> = labels.map(String::as_str).collect();
            let labels: Vec<&str> = labels.into_iter().take(8).collect();
            let found = match labels.as_slice() {
                [] => String::from("no labels"),
                labels => labels.join(", "),
            };
            let fault = Diagnostic::error("prometheus/result", what).found(found);
            let expected = "--zone-label NAME, or a query such as `count by (zone) (up)`";
            Err(vec![fault.expected(expected)])
        }
    }
}

/// The labels of a series, as Prometheus writes them.
fn series(sample: &PrometheusSample) -> String {
    let labels = sample.labels.iter();
    let labels: Vec<String> = labels
        .map(|(name, value)| format!("{name}={}", quote(value)))
        .collect();
    format!("{{{}}}", labels.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Locality> {
        ["a", "b"]
            .map(|zone| Locality {
                region: "eu".into(),
                zone: zone.into(),
                sub_zone: String::new(),
            })
            .into()
    }

    fn sample(labels: &[(&str, &str)], value: f64) -> PrometheusSample {
        let labels = labels.iter().map(|&(name, of)| (name.into(), of.into()));
        PrometheusSample {
            labels: labels.collect(),
            value,
        }
    }

    fn messages(samples: &[PrometheusSample], label: Option<&str>) -> Vec<String> {
        let faults = counts(samples, label, &known()).unwrap_err();
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn series_of_a_zone_are_summed_and_rounded() {
        let samples = [
            sample(&[("zone", "b"), ("job", "x")], 10.0),
            sample(&[("zone", "a"), ("job", "x")], 1.3),
            sample(&[("zone", "eu/b"), ("job", "y")], 2.0),
            sample(&[("zone", "a"), ("job", "y")], 1.3),
        ];
        let found = counts(&samples, None, &known()).unwrap();
        let found: Vec<_> = found
            .all()
            .iter()
            .map(|(of, count)| (of.zone.as_str(), *count))
            .collect();
        assert_eq!(found, [("a", 3), ("b", 12)]);
    }

    #[test]
    fn the_label_is_named_or_the_only_one() {
        let [one, other] = OTHERS;
        let of = |labels: &[(&str, &str)], label| {
            let found = counts(&[sample(labels, 1.0)], label, &known())?;
            Ok::<_, Vec<Diagnostic>>(found.all()[0].0.zone.clone())
        };
        assert_eq!(of(&[(one, "a")], None).unwrap(), "a");
        assert_eq!(of(&[(other, "b")], None).unwrap(), "b");
        assert_eq!(of(&[("zone", "a"), (other, "b")], None).unwrap(), "a");
        assert_eq!(of(&[("az", "b"), ("zone", "a")], Some("az")).unwrap(), "b");
        for labels in [&[(one, "a"), (other, "b")][..], &[("az", "a")], &[]] {
            let faults = of(labels, None).unwrap_err();
            assert_eq!(faults[0].code, "prometheus/result");
            assert!(faults[0].to_string().contains("--zone-label"));
        }
    }

    #[test]
    fn no_callers_are_an_error() {
        let samples = [
            sample(&[("zone", "a")], 0.0),
            sample(&[("zone", "b")], 0.25),
        ];
        let found = messages(&samples, None);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("no callers; found 0.25"), "{found:?}");
        let enough = [sample(&[("zone", "a")], 0.0), sample(&[("zone", "b")], 0.5)];
        assert!(counts(&enough, None, &known()).is_ok());
    }

    #[test]
    fn all_faults_are_reported() {
        let samples = [
            sample(&[("zone", "a")], f64::NAN),
            sample(&[("zone", "a"), ("job", "x")], -1.0),
            sample(&[("zone", "b")], f64::INFINITY),
            sample(&[("job", "y")], 1.0),
            sample(&[("zone", "")], 1.0),
            sample(&[("zone", "c")], 1.0),
            sample(&[("zone", "b")], 1e9),
        ];
        let messages = messages(&samples, None);
        for (at, has) in [
            "NaN of {zone=\"a\"}",
            "-1 of {job=\"x\", zone=\"a\"}",
            "inf of",
            "series has no zone; found {job=\"y\"}",
            "series has no zone",
            "1000000000 in zone b",
            "unknown zone; found \"c\", expected one of a, b",
        ]
        .into_iter()
        .enumerate()
        {
            assert!(messages[at].contains(has), "{has}: {messages:?}");
        }
        assert_eq!(messages.len(), 7);
        assert!(self::messages(&[], None)[0].contains("selects no series"));
    }
}
