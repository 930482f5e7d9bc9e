//! The metadata of a request's route, as protobuf.

use spillgate_core::model::Metadata;
use spillgate_core::proto::{FieldValue, Fields, read_struct};
use spillgate_steer::RouteFacts;
use std::rc::Rc;

/// The namespace of subset criteria.
const CRITERIA: &str = "envoy.lb";
/// The namespace of our own settings.
const SETTINGS: &str = "spillgate";
/// The maximum number of cached routes. Most listeners have fewer.
const MAX_CACHED: usize = 64;

/// Cached routes, by the bytes of their metadata: decoding costs more than comparing.
#[derive(Default)]
pub(crate) struct Routes {
    cached: Vec<(Vec<u8>, Rc<RouteFacts>)>,
}

impl Routes {
    /// The route with this metadata.
    pub(crate) fn of(&mut self, bytes: Vec<u8>) -> Rc<RouteFacts> {
        if let Some((_, route)) = self.cached.iter().find(|(known, _)| *known == bytes) {
            return route.clone();
        }
        let route = Rc::new(read(&bytes));
        if self.cached.len() >= MAX_CACHED {
            self.cached.clear();
        }
        self.cached.push((bytes, route.clone()));
        route
    }
}

/// Reads a `core.v3.Metadata`. Unreadable parts count as absent.
fn read(bytes: &[u8]) -> RouteFacts {
    let (mut criteria, mut settings) = (Metadata::EMPTY, Metadata::EMPTY);
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
            criteria = values;
        } else if name == SETTINGS.as_bytes() {
            settings = values;
        }
    }
    RouteFacts::of_metadata(criteria, &settings)
}
