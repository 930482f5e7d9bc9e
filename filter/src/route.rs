//! What the route of a request says in its metadata.

use crate::host;
use spillgate_core::model::{Metadata, Value};
use spillgate_core::proto::{FieldValue, Fields, read_struct};
use std::rc::Rc;

/// The property that holds them, its parts with zero bytes between.
const PROPERTY: &str = "xds\0route_metadata";
/// Criteria for subsets.
const CRITERIA: &str = "envoy.lb";
/// What is ours.
const SETTINGS: &str = "spillgate";
/// How many routes are remembered. Most listeners have fewer.
const REMEMBERED: usize = 64;

/// What matters of a route's metadata.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Route {
    /// Its criteria (`filter_metadata."envoy.lb"`).
    pub(crate) criteria: Metadata,
    /// The cluster that is balanced (`filter_metadata.spillgate.target`).
    pub(crate) target: Option<String>,
    /// Whether nothing is (`filter_metadata.spillgate.disabled`).
    pub(crate) disabled: bool,
}

/// Routes that were seen, by the bytes of their metadata: reading them is dearer than comparing.
#[derive(Default)]
pub(crate) struct Routes {
    seen: Vec<(Vec<u8>, Rc<Route>)>,
}

impl Routes {
    /// The route of the present request.
    pub(crate) fn current(&mut self) -> Rc<Route> {
        let bytes = host::property(PROPERTY).unwrap_or_default();
        if let Some((_, route)) = self.seen.iter().find(|(seen, _)| *seen == bytes) {
            return route.clone();
        }
        let route = Rc::new(Route::read(&bytes));
        if self.seen.len() >= REMEMBERED {
            self.seen.clear();
        }
        self.seen.push((bytes, route.clone()));
        route
    }
}

impl Route {
    /// Reads a `core.v3.Metadata`. Whatever is none of it is as if it were not there.
    fn read(bytes: &[u8]) -> Self {
        let mut route = Self::default();
        for field in Fields::of(bytes) {
            // map<string, Struct> filter_metadata = 1
            let Some((1, FieldValue::Bytes(entry))) = field else {
                continue;
            };
            let (mut name, mut values) = (&[][..], &[][..]);
            for field in Fields::of(entry) {
                match field {
                    Some((1, FieldValue::Bytes(bytes))) => name = bytes,
                    Some((2, FieldValue::Bytes(bytes))) => values = bytes,
                    _ => {}
                }
            }
            let Some(values) = read_struct(values) else {
                continue;
            };
            if name == CRITERIA.as_bytes() {
                route.criteria = values;
            } else if name == SETTINGS.as_bytes() {
                if let Some(Value::Text(target)) = values.get("target") {
                    route.target = Some(target.as_ref().to_owned());
                }
                route.disabled = values.get("disabled") == Some(&Value::Bool(true));
            }
        }
        route
    }
}
