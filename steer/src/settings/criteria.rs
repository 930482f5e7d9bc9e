//! The subset criteria of a request: constants, headers and route metadata.

use alloc::{
    borrow::{Cow, ToOwned},
    sync::Arc,
    vec::Vec,
};

use spillgate_config::filter::Criterion;
use spillgate_core::{
    model::{Metadata, Value},
    route::Headers,
};

/// The compiled `criteria` of a configuration.
pub(crate) struct Criteria {
    /// All criteria, if none depends on the request.
    constants: Metadata,
    /// Otherwise all criteria; later ones override earlier ones key by key.
    by_request: Vec<Criterion>,
}

impl Criteria {
    /// Compiles criteria.
    pub(crate) fn new(criteria: Vec<Criterion>) -> Self {
        let constant = |criterion: &Criterion| match criterion {
            Criterion::Constant { key, value } => Some((key.clone(), value.clone())),
            Criterion::Header { .. } | Criterion::RouteMetadata => None,
        };
        match criteria.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(constants) => Self {
                constants: Metadata::new(constants),
                by_request: Vec::new(),
            },
            None => Self {
                constants: Metadata::EMPTY,
                by_request: criteria,
            },
        }
    }

    /// Whether any criterion reads headers.
    pub(crate) fn reads_headers(&self) -> bool {
        let is_header = |criterion: &Criterion| matches!(criterion, Criterion::Header { .. });
        self.by_request.iter().any(is_header)
    }

    /// Whether any criterion reads route metadata.
    pub(crate) fn reads_route(&self) -> bool {
        self.by_request.contains(&Criterion::RouteMetadata)
    }

    /// The criteria of a request. `route` is the metadata of its route under `envoy.lb`.
    pub(crate) fn of<H: Headers>(&self, headers: &H, route: &Metadata) -> Cow<'_, Metadata> {
        if self.by_request.is_empty() {
            return Cow::Borrowed(&self.constants);
        }
        let mut fields: Vec<(Arc<str>, Value)> = Vec::with_capacity(self.by_request.len());
        for criterion in &self.by_request {
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

/// The value of a header as `header_to_metadata` reads it: several values are joined with commas,
/// and an empty value counts as absent. A value that is not UTF-8 sets no criterion.
fn joined<H: Headers>(headers: &H, name: &str) -> Option<Arc<str>> {
    let mut values = headers.values(name);
    let first = core::str::from_utf8(values.next()?).ok()?;
    let Some(second) = values.next() else {
        return (!first.is_empty()).then(|| first.into());
    };
    let mut all = first.to_owned();
    for more in core::iter::once(second).chain(values) {
        all.push(',');
        all.push_str(core::str::from_utf8(more).ok()?);
    }
    Some(all.into())
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, format, vec};

    use spillgate_core::route::HeaderList;

    use super::*;

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
    fn empty_headers_set_no_criterion_and_copies_are_joined() {
        let criteria = Criteria::new(vec![header("v", "x-v")]);
        let of = |headers: &[(&str, &str)]| {
            format!("{}", criteria.of(&HeaderList(headers), &Metadata::EMPTY))
        };
        assert_eq!(of(&[("x-v", "")]), "");
        assert_eq!(of(&[("x-v", "a"), ("X-V", "b")]), "v=a,b");
    }
}
