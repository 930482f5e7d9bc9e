//! The files of an OCI image layout.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use oci_spec::image::{ImageIndexBuilder, MediaType, OciLayoutBuilder, SCHEMA_VERSION};

use super::blobs::{Blobs, canonical};
use super::image::{FilterImage, ImageForm};

/// The annotation with the tag of a manifest.
pub(super) const TAG: &str = "org.opencontainers.image.ref.name";

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
    let mut files = blobs.into_files();
    files.insert("index.json".into(), canonical(&index)?);
    files.insert("oci-layout".into(), canonical(&version)?);
    Ok(files)
}
