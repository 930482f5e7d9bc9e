//! The subset criteria of a request: constants, headers and route metadata.
//!
//! A client controls how often it sends a header and with which bytes. If a strange value meant "no
//! criterion", it could leave its subset by sending one. So a value that is not UTF-8, and copies
//! that differ, become a criterion that no host matches (`Value::UNMATCHED`). `header_to_metadata`
//! joins copies instead; a joined value could match a host that neither copy names. An empty header
//! sets no criterion, as there.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};

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
                    let value = value_of(headers, header);
                    fields.extend(value.map(|value| (key.clone(), value)));
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

/// The criterion of a header; `None` if it is absent or empty. Copies with different values, and a
/// value that is not UTF-8, match no host: neither is a reason to drop the criterion, and a client
/// that adds a copy must not override the value of a trusted filter.
fn value_of<H: Headers>(headers: &H, name: &str) -> Option<Value> {
    let mut values = headers.values(name);
    let first = values.next()?;
    if values.any(|more| more != first) {
        return Some(Value::UNMATCHED);
    }
    match core::str::from_utf8(first) {
        Ok("") => None,
        Ok(text) => Some(Value::Text(text.into())),
        Err(_) => Some(Value::UNMATCHED),
    }
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
    fn copies_of_a_header_must_agree() {
        let criteria = Criteria::new(vec![constant("v", "c"), header("v", "x-v")]);
        let of = |headers: &[(&str, &[u8])]| {
            let criteria = criteria.of(&Bytes(headers), &Metadata::EMPTY).into_owned();
            criteria.get("v").cloned().unwrap()
        };
        let text = |value: &str| Value::Text(value.into());
        assert_eq!(of(&[]), text("c"));
        assert_eq!(of(&[("x-v", b"")]), text("c"));
        assert_eq!(of(&[("x-v", b""), ("x-v", b"")]), text("c"));
        assert_eq!(of(&[("x-v", b"a")]), text("a"));
        assert_eq!(of(&[("x-v", b"a"), ("x-v", b"a")]), text("a"));
        for copies in [
            &[("x-v", &b"a"[..]), ("x-v", b"b")][..],
            &[("x-v", b"a"), ("x-v", b"a"), ("x-v", b"")],
            &[("x-v", b""), ("x-v", b"a")],
            &[("x-v", b"\xff")],
            &[("x-v", b"\xff"), ("x-v", b"\xff")],
            &[("x-v", b"a\xc3")],
        ] {
            assert_eq!(of(copies), Value::UNMATCHED, "{copies:?}");
        }
    }

    /// Headers whose values may be any bytes.
    struct Bytes<'a>(&'a [(&'a str, &'a [u8])]);

    impl Headers for Bytes<'_> {
        fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
            let named = self.0.iter().filter(move |(have, _)| *have == name);
            named.map(|(_, value)| *value)
        }
    }
}
