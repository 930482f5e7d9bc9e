//! What a request asks of its host: constants, headers, and what its route says.

use spillgate_config::filter::Criterion;
use spillgate_core::model::{Metadata, Value};
use spillgate_core::route::Headers;
use std::borrow::Cow;
use std::sync::Arc;

/// The criteria of a configuration.
pub(crate) struct Criteria {
    /// All of them where none depends on the request.
    constants: Metadata,
    /// From the least to the most important, where one does.
    asked: Vec<Criterion>,
}

impl Criteria {
    /// Prepares them.
    pub(crate) fn new(criteria: Vec<Criterion>) -> Self {
        let constant = |criterion: &Criterion| match criterion {
            Criterion::Constant { key, value } => Some((key.clone(), value.clone())),
            Criterion::Header { .. } | Criterion::RouteMetadata => None,
        };
        match criteria.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(constants) => Self {
                constants: Metadata::new(constants),
                asked: Vec::new(),
            },
            None => Self {
                constants: Metadata::EMPTY,
                asked: criteria,
            },
        }
    }

    /// Whether headers are looked at.
    pub(crate) fn reads_headers(&self) -> bool {
        let is_header = |criterion: &Criterion| matches!(criterion, Criterion::Header { .. });
        self.asked.iter().any(is_header)
    }

    /// Whether the route's metadata are.
    pub(crate) fn reads_route(&self) -> bool {
        self.asked.contains(&Criterion::RouteMetadata)
    }

    /// Those of a request; `route` is what its route has under `envoy.lb`.
    pub(crate) fn of<H: Headers>(&self, headers: &H, route: &Metadata) -> Cow<'_, Metadata> {
        if self.asked.is_empty() {
            return Cow::Borrowed(&self.constants);
        }
        let mut fields: Vec<(Arc<str>, Value)> = Vec::with_capacity(self.asked.len());
        for criterion in &self.asked {
            match criterion {
                Criterion::Constant { key, value } => fields.push((key.clone(), value.clone())),
                Criterion::Header { key, header } => {
                    let value = joined(headers, header);
                    fields.extend(value.map(|value| (key.clone(), Value::Text(value))));
                }
                Criterion::RouteMetadata => {
                    let own = route.fields().iter();
                    fields.extend(own.map(|field| (field.key.clone(), field.value.clone())));
                }
            }
        }
        Cow::Owned(Metadata::new(fields))
    }
}

/// The value of a header as `header_to_metadata` takes it: several copies with commas between, and
/// an empty one is none. What is no text is no value of any host.
fn joined<H: Headers>(headers: &H, name: &str) -> Option<Arc<str>> {
    let mut values = headers.values(name);
    let first = std::str::from_utf8(values.next()?).ok()?;
    let Some(second) = values.next() else {
        return (!first.is_empty()).then(|| first.into());
    };
    let mut all = first.to_owned();
    for more in std::iter::once(second).chain(values) {
        all.push(',');
        all.push_str(std::str::from_utf8(more).ok()?);
    }
    Some(all.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use spillgate_core::route::HeaderList;

    fn header(key: &str, header: &str) -> Criterion {
        Criterion::Header {
            key: key.into(),
            header: header.to_owned(),
        }
    }

    fn constant(key: &str, value: &str) -> Criterion {
        Criterion::Constant {
            key: key.into(),
            value: Value::Text(value.into()),
        }
    }

    #[test]
    fn later_criteria_override_key_by_key() {
        let criteria = Criteria::new(vec![
            constant("stage", "prod"),
            header("version", "x-version"),
            Criterion::RouteMetadata,
            header("stage", "x-stage"),
        ]);
        let route = Metadata::new([("version", Value::Number(2.0)), ("zone", Value::Bool(true))]);
        let of =
            |headers: &[(&str, &str)]| format!("{}", criteria.of(&HeaderList(headers), &route));
        assert_eq!(of(&[]), "stage=prod, version=2, zone=true");
        assert_eq!(
            of(&[("x-version", "1"), ("x-stage", "dev")]),
            "stage=dev, version=2, zone=true"
        );
        assert!(criteria.reads_headers() && criteria.reads_route());
    }

    #[test]
    fn empty_headers_ask_for_nothing_and_copies_are_joined() {
        let criteria = Criteria::new(vec![header("v", "x-v")]);
        let of = |headers: &[(&str, &str)]| {
            format!("{}", criteria.of(&HeaderList(headers), &Metadata::EMPTY))
        };
        assert_eq!(of(&[("x-v", "")]), "");
        assert_eq!(of(&[("x-v", "a"), ("X-V", "b")]), "v=a,b");
    }
}
