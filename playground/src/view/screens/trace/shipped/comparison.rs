//! The decisions of the filter and of the model, compared.

use std::collections::BTreeMap;

use spillgate_scenario::ShippedDecision;

/// Two lists of decisions for the same requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShippedComparison {
    /// The result in one sentence.
    pub sentence: String,
    /// The number of requests.
    pub requests: usize,
    /// The number of requests with different decisions.
    pub differing: usize,
    /// The values of the first different decision, or of the first one.
    pub values: Vec<ComparedValue>,
    /// The requests by their first host.
    pub counts: Vec<ComparedCount>,
    /// Both decisions as JSON: the filter's, and the model's if it differs.
    pub json: Vec<String>,
}

/// A value that Envoy gets from the filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedValue {
    /// Its name.
    pub name: &'static str,
    /// The value of the filter.
    pub filter: String,
    /// The value of the model.
    pub model: String,
}

/// The requests to a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedCount {
    /// The first host of the list; empty for requests without a host.
    pub host: String,
    /// The requests that the filter sends to it.
    pub filter: usize,
    /// The requests that the model sends to it.
    pub model: usize,
}

impl ComparedValue {
    /// Whether both sides have the same value.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.filter == self.model
    }
}

impl ShippedComparison {
    /// Compares the decisions of the filter with those of the model. A missing decision differs.
    #[must_use]
    pub fn new(filter: &[ShippedDecision], model: &[ShippedDecision]) -> Self {
        let requests = filter.len().max(model.len());
        let differs = |&at: &usize| filter.get(at) != model.get(at);
        let first = (0..requests).find(differs);
        let differing = (0..requests).filter(differs).count();
        let missing = ShippedDecision::default();
        let at = first.unwrap_or_default();
        let one = filter.get(at).unwrap_or(&missing);
        let other = model.get(at).unwrap_or(&missing);
        let values = values(one, other);
        let mut json = vec![one.json.clone(), other.json.clone()];
        json.retain(|text| !text.is_empty());
        json.dedup();
        Self {
            sentence: sentence(requests, differing, at, &values, one),
            requests,
            differing,
            values,
            counts: counts(filter, model),
            json,
        }
    }
}

fn sentence(
    requests: usize,
    differing: usize,
    at: usize,
    values: &[ComparedValue],
    filter: &ShippedDecision,
) -> String {
    let different: Vec<&str> = values
        .iter()
        .filter(|value| !value.is_equal())
        .map(|value| value.name)
        .collect();
    let different = different.join(", ");
    match (requests, differing) {
        (0, _) => "spillgate.wasm decided no request.".into(),
        (1, 0) => {
            let result = match filter.status {
                None => filter.first_host().to_owned(),
                Some(status) => format!("{status}, no host"),
            };
            format!("spillgate.wasm makes the same decision as the model: {result}.")
        }
        (1, _) => format!("spillgate.wasm and the model differ: {different}."),
        (_, 0) => format!("spillgate.wasm makes the same {requests} decisions as the model."),
        _ => format!(
            "{differing} of {requests} decisions of spillgate.wasm and the model differ. The first is \
             that on request {}: {different}.",
            at + 1
        ),
    }
}

fn values(filter: &ShippedDecision, model: &ShippedDecision) -> Vec<ComparedValue> {
    let response = |decision: &ShippedDecision| match decision.status {
        Some(status) => format!("{status} {}", decision.details),
        None => "not sent".into(),
    };
    let value = |name, of: &dyn Fn(&ShippedDecision) -> String| ComparedValue {
        name,
        filter: of(filter),
        model: of(model),
    };
    let mut values = vec![
        value("local response", &response),
        value("cluster", &|of| of.cluster.clone()),
        value("host list", &|of| of.hosts.replace(',', ", ")),
    ];
    if !filter.json.is_empty() || !model.json.is_empty() {
        let length = |of: &ShippedDecision| format!("{} bytes", of.json.len());
        let mut steps = value("steps", &length);
        if filter.json != model.json && steps.is_equal() {
            steps.model.push_str(" of another text");
        }
        values.push(steps);
    }
    values
}

fn counts(filter: &[ShippedDecision], model: &[ShippedDecision]) -> Vec<ComparedCount> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for decision in filter {
        counts.entry(decision.first_host()).or_default().0 += 1;
    }
    for decision in model {
        counts.entry(decision.first_host()).or_default().1 += 1;
    }
    let counts = counts
        .into_iter()
        .map(|(host, (filter, model))| ComparedCount {
            host: host.to_owned(),
            filter,
            model,
        });
    counts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(hosts: &str, json: &str) -> ShippedDecision {
        ShippedDecision {
            hosts: hosts.into(),
            cluster: "shop".into(),
            json: json.into(),
            ..ShippedDecision::default()
        }
    }

    fn refused() -> ShippedDecision {
        ShippedDecision {
            status: Some(503),
            details: "spillgate_no_host".into(),
            ..ShippedDecision::default()
        }
    }

    #[test]
    fn equal_decisions_are_called_equal() {
        let one = ShippedComparison::new(&[to("a,b", "{}")], &[to("a,b", "{}")]);
        assert_eq!(
            one.sentence,
            "spillgate.wasm makes the same decision as the model: a."
        );
        assert_eq!((one.differing, one.json.len()), (0, 1));
        assert!(one.values.iter().all(ComparedValue::is_equal));
        let none = ShippedComparison::new(&[refused()], &[refused()]);
        assert_eq!(
            none.sentence,
            "spillgate.wasm makes the same decision as the model: 503, no host."
        );
        let many = vec![to("a", ""); 1_000];
        let many = ShippedComparison::new(&many, &many);
        assert_eq!(
            many.sentence,
            "spillgate.wasm makes the same 1000 decisions as the model."
        );
        assert_eq!(many.counts.len(), 1);
    }

    #[test]
    fn every_difference_is_named() {
        let named = |filter: &ShippedDecision, model: &ShippedDecision| {
            let found =
                ShippedComparison::new(std::slice::from_ref(filter), std::slice::from_ref(model));
            assert_eq!(found.differing, 1);
            found.sentence
        };
        let start = "spillgate.wasm and the model differ: ";
        let same = to("a", "{}");
        assert_eq!(named(&to("b", "{}"), &same), format!("{start}host list."));
        let other = ShippedDecision {
            cluster: "stock".into(),
            ..same.clone()
        };
        assert_eq!(named(&other, &same), format!("{start}cluster."));
        assert_eq!(named(&to("a", "{ "), &same), format!("{start}steps."));
        assert_eq!(
            named(&refused(), &to("a", "")),
            format!("{start}local response, cluster, host list.")
        );
    }

    #[test]
    fn many_decisions_are_counted_by_host() {
        let filter = [to("a,b", ""), to("b", ""), refused()];
        let model = [to("a,b", ""), to("a", ""), refused()];
        let found = ShippedComparison::new(&filter, &model);
        assert_eq!(
            found.sentence,
            "1 of 3 decisions of spillgate.wasm and the model differ. The first is that on request 2: \
             host list."
        );
        let counts: Vec<_> = found
            .counts
            .iter()
            .map(|of| (of.host.as_str(), of.filter, of.model))
            .collect();
        assert_eq!(counts, [("", 1, 1), ("a", 1, 2), ("b", 1, 0)]);
        let fewer = ShippedComparison::new(&filter[..2], &filter);
        assert_eq!(fewer.differing, 1);
    }
}
