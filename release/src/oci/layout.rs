//! The files of an OCI image layout.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use oci_spec::image::{Descriptor, ImageIndexBuilder, MediaType, OciLayoutBuilder, SCHEMA_VERSION};
use serde::Serialize;

use super::image::{FilterImage, ImageForm, descriptor};

/// The annotation with the tag of a manifest.
pub(super) const TAG: &str = "org.opencontainers.image.ref.name";

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
}

/// The layout with the image in both forms: its files by their paths.
pub(crate) fn layout(image: FilterImage<'_>) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut blobs = Blobs::default();
    let mut manifests = Vec::new();
    for form in [ImageForm::Compat, ImageForm::Artifact] {
        let mut manifest = image.add(form, &mut blobs)?;
        let tag = form.tag(&image.id.version);
        manifest.set_annotations(Some(HashMap::from([(TAG.into(), tag)])));
        manifests.push(manifest);
    }
    let index = ImageIndexBuilder::default()
        .schema_version(SCHEMA_VERSION)
        .media_type(MediaType::ImageIndex)
        .manifests(manifests)
        .build()?;
    let version = OciLayoutBuilder::default()
        .image_layout_version("1.0.0")
        .build()?;
    let mut files = blobs.0;
    files.insert("index.json".into(), canonical(&index)?);
    files.insert("oci-layout".into(), canonical(&version)?);
    Ok(files)
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
