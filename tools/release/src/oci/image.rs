//! The manifest, configuration and layers of an image.

use std::collections::HashMap;

use anyhow::Result;
use oci_spec::image::{
    Arch, ConfigBuilder, Descriptor, ImageConfigurationBuilder, ImageManifest,
    ImageManifestBuilder, MediaType, Os, RootFsBuilder, SCHEMA_VERSION,
};
use serde_json::json;

use super::blobs::{Blobs, canonical};
use crate::archive::{ArchiveFile, ArchiveFiles, gzip, tar};
use crate::hash::sha256_hex;
use crate::parts::ReleaseId;

/// The file with the module in the layer of [`ImageForm::Compat`].
pub(super) const MODULE: &str = "plugin.wasm";
/// The layer with the module in [`ImageForm::Artifact`].
pub(super) const MODULE_LAYER: &str = "application/vnd.module.wasm.content.layer.v1+wasm";
/// Facts about the module: its type, its binary interface and its roots.
const RUNTIME_CONFIG: &str = "runtime-config.json";
const RUNTIME_CONFIG_LAYER: &str = "application/vnd.module.wasm.config.v1+json";

/// A form of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageForm {
    /// A usual image with the module as a file of its only layer. Every registry and tool takes it.
    Compat,
    /// An artifact with the module itself as a layer.
    Artifact,
}

impl ImageForm {
    /// The tag of a version in this form.
    #[must_use]
    pub fn tag(self, version: &str) -> String {
        match self {
            Self::Compat => version.to_owned(),
            Self::Artifact => format!("{version}-artifact"),
        }
    }
}

/// An image of the filter.
#[derive(Debug, Clone, Copy)]
pub struct FilterImage<'a> {
    /// The module.
    pub module: &'a [u8],
    /// The release that it belongs to.
    pub id: &'a ReleaseId,
}

impl FilterImage<'_> {
    /// Adds the image to the blobs, and returns the descriptor of its manifest.
    pub(super) fn add(self, form: ImageForm, blobs: &mut Blobs) -> Result<Descriptor> {
        let manifest = match form {
            ImageForm::Compat => self.compat(blobs)?,
            ImageForm::Artifact => self.artifact(blobs)?,
        };
        blobs.add(MediaType::ImageManifest, canonical(&manifest)?)
    }

    fn compat(self, blobs: &mut Blobs) -> Result<ImageManifest> {
        let files = ArchiveFiles::from([
            (MODULE.to_owned(), ArchiveFile::data(self.module)),
            (
                RUNTIME_CONFIG.to_owned(),
                ArchiveFile::data(runtime_config()),
            ),
        ]);
        let layer = tar(&files, self.id.time)?;
        let contents = format!("sha256:{}", sha256_hex(&layer));
        let layer = blobs.add(MediaType::ImageLayerGzip, gzip(&layer)?)?;
        let root = RootFsBuilder::default()
            .typ("layers")
            .diff_ids(vec![contents])
            .build()?;
        // Docker and containerd do not accept a platform of WebAssembly; the specification says nothing
        // about it, and its agents do not read it.
        let config = ImageConfigurationBuilder::default()
            .created(self.id.rfc3339()?)
            .architecture(Arch::Amd64)
            .os(Os::Linux)
            .config(ConfigBuilder::default().build()?)
            .rootfs(root)
            .history(vec![])
            .build()?;
        let config = blobs.add(MediaType::ImageConfig, canonical(&config)?)?;
        let mut annotations = self.annotations();
        annotations.insert("module.wasm.image/variant".into(), "compat".into());
        Ok(ImageManifestBuilder::default()
            .schema_version(SCHEMA_VERSION)
            .media_type(MediaType::ImageManifest)
            .config(config)
            .layers(vec![layer])
            .annotations(annotations)
            .build()?)
    }

    fn artifact(self, blobs: &mut Blobs) -> Result<ImageManifest> {
        let config = MediaType::Other(RUNTIME_CONFIG_LAYER.into());
        let config = titled(blobs.add(config, runtime_config())?, RUNTIME_CONFIG);
        let module = MediaType::Other(MODULE_LAYER.into());
        let module = titled(
            blobs.add(module, self.module.to_vec())?,
            crate::filter::FILE,
        );
        // Agents want exactly two layers. The manifest's configuration names the type of the artifact to
        // registries; it is the same blob.
        Ok(ImageManifestBuilder::default()
            .schema_version(SCHEMA_VERSION)
            .media_type(MediaType::ImageManifest)
            .config(config.clone())
            .layers(vec![config, module])
            .annotations(self.annotations())
            .build()?)
    }

    /// The annotations of both forms.
    fn annotations(self) -> HashMap<String, String> {
        let pairs = [
            ("title", "spillgate"),
            ("version", &self.id.version),
            ("revision", &self.id.commit),
            ("licenses", "Apache-2.0"),
        ];
        let named = pairs.map(|(key, value)| {
            let key = format!("org.opencontainers.image.{key}");
            (key, value.to_owned())
        });
        HashMap::from(named)
    }
}

/// The content of `runtime-config.json`.
fn runtime_config() -> Vec<u8> {
    let config = json!({
        "type": "envoy_proxy",
        "abiVersions": ["0.2.1"],
        "config": {"root_ids": ["", "spillgate-poller"]},
    });
    config.to_string().into_bytes()
}

fn titled(mut blob: Descriptor, title: &str) -> Descriptor {
    let title = ("org.opencontainers.image.title".into(), title.into());
    blob.set_annotations(Some(HashMap::from([title])));
    blob
}
