//! The content of an image: blobs by their sums.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use oci_spec::image::{Descriptor, DescriptorBuilder, Digest, MediaType};
use serde::Serialize;

use crate::hash::sha256_hex;

/// Blobs by their paths in the layout.
#[derive(Debug, Default)]
pub(super) struct Blobs(BTreeMap<String, Vec<u8>>);

impl Blobs {
    /// Adds a blob, and returns its descriptor.
    pub(super) fn add(&mut self, media_type: MediaType, bytes: Vec<u8>) -> Result<Descriptor> {
        let blob = descriptor(media_type, &bytes)?;
        self.0.insert(path(&blob), bytes);
        Ok(blob)
    }

    /// The files of the layout.
    pub(super) fn into_files(self) -> BTreeMap<String, Vec<u8>> {
        self.0
    }
}

/// The path of a blob in the layout.
pub(super) fn path(blob: &Descriptor) -> String {
    let digest = blob.digest();
    format!("blobs/{}/{}", digest.algorithm(), digest.digest())
}

/// JSON with sorted keys: the library keeps annotations in maps whose order differs from run to run.
pub(super) fn canonical(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    Ok(value.to_string().into_bytes())
}

/// The descriptor of these bytes.
fn descriptor(media_type: MediaType, bytes: &[u8]) -> Result<Descriptor> {
    let digest: Digest = format!("sha256:{}", sha256_hex(bytes))
        .parse()
        .context("a digest")?;
    Ok(DescriptorBuilder::default()
        .media_type(media_type)
        .digest(digest)
        .size(u64::try_from(bytes.len())?)
        .build()?)
}
