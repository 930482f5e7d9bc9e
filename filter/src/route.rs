//! The metadata of a request's route, as protobuf.
//!
//! `get_property` on a single value of the metadata returns bytes without a type: eight bytes can
//! be a number or a text. So the whole `core.v3.Metadata` is read, which arrives as typed protobuf.
//! The filter recognizes a known route by these bytes.

use spillgate_core::model::Metadata;
use spillgate_core::proto::{FieldValue, Fields, read_struct};
use spillgate_steer::RouteSettings;
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
    cached: Vec<(Vec<u8>, Rc<RouteSettings>)>,
}

impl Routes {
    /// The route with this metadata.
    pub(crate) fn of(&mut self, bytes: Vec<u8>) -> Rc<RouteSettings> {
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

/// Reads a `core.v3.Metadata`. Criteria that cannot be read must not count as absent.
fn read(bytes: &[u8]) -> RouteSettings {
    read_known(bytes).unwrap_or_else(RouteSettings::unreadable)
}

/// `None` if the bytes are not metadata, or if a namespace of ours cannot be read.
fn read_known(bytes: &[u8]) -> Option<RouteSettings> {
    let (mut criteria, mut settings) = (Metadata::EMPTY, Metadata::EMPTY);
    for field in Fields::of(bytes) {
        // map<string, Struct> filter_metadata = 1
        let (1, FieldValue::Bytes(entry)) = field? else {
            continue;
        };
        let (mut name, mut values) = (&[][..], &[][..]);
        for field in Fields::of(entry) {
            match field? {
                (1, FieldValue::Bytes(bytes)) => name = bytes,
                (2, FieldValue::Bytes(bytes)) => values = bytes,
                _ => {}
            }
        }
        if name == CRITERIA.as_bytes() {
            criteria = read_struct(values)?;
        } else if name == SETTINGS.as_bytes() {
            settings = read_struct(values)?;
        }
    }
    Some(RouteSettings::of_metadata(criteria, &settings))
}
