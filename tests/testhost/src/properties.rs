//! Properties that tests set and guests read.

use crate::Status;
use std::collections::BTreeMap;

/// What a property look-up answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// The bytes of its value.
    Value(Vec<u8>),
    /// It fails with this status, as some of Envoy's do (`xds.upstream_host_locality_metadata`
    /// without locality metadata: `SerializationFailure`).
    Fails(Status),
}

/// Properties by path. The guest's own writes land here too; Envoy keeps them as filter state.
#[derive(Clone, Debug)]
pub(crate) struct Properties(BTreeMap<Vec<u8>, Property>);

/// Those of a request on a route to a cluster.
impl Default for Properties {
    fn default() -> Self {
        let path = Self::path(&["xds", "cluster_name"]);
        Self(BTreeMap::from([(path, Property::Value(b"shop".to_vec()))]))
    }
}

impl Properties {
    /// The form in which the guest names a path: its parts joined by zero bytes.
    pub(crate) fn path(parts: &[&str]) -> Vec<u8> {
        parts.join("\0").into_bytes()
    }

    pub(crate) fn set(&mut self, path: Vec<u8>, property: Property) {
        self.0.insert(path, property);
    }

    pub(crate) fn remove(&mut self, path: &[u8]) {
        self.0.remove(path);
    }

    pub(crate) fn get(&self, path: &[u8]) -> Result<Vec<u8>, Status> {
        match self.0.get(path) {
            Some(Property::Value(value)) => Ok(value.clone()),
            Some(Property::Fails(status)) => Err(*status),
            None => Err(Status::NotFound),
        }
    }
}
