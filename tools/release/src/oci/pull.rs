//! Reads the module of an image by the rules of the agents that pull it: Istio's agent and Envoy Gateway,
//! which have the same ones.
//!
//! Sources: `pkg/wasm/imagefetcher.go` of istio/istio, `internal/wasm/imagefetcher.go` of envoyproxy/gateway.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use flate2::read::GzDecoder;
use oci_spec::image::{Descriptor, ImageIndex, ImageManifest, MediaType, OciLayout};

use super::blobs::path;
use super::image::{MODULE, MODULE_LAYER};
use super::layout::TAG;
use crate::hash::sha256_hex;

/// The module of the image with this tag in an OCI image layout.
///
/// # Errors
/// When the layout is damaged, or an agent would refuse the image.
pub fn pull(layout: &Path, tag: &str) -> Result<Vec<u8>> {
    let version: OciLayout = json(&file(layout, "oci-layout")?)?;
    ensure!(
        version.image_layout_version() == "1.0.0",
        "unknown version of the layout"
    );
    let index: ImageIndex = json(&file(layout, "index.json")?)?;
    let has_tag = |manifest: &&Descriptor| {
        let annotations = manifest.annotations().as_ref();
        annotations.and_then(|all| all.get(TAG)).map(String::as_str) == Some(tag)
    };
    let found = index.manifests().iter().find(has_tag);
    let manifest: ImageManifest = json(&blob(
        layout,
        found.with_context(|| format!("no tag {tag}"))?,
    )?)?;
    // A registry refuses a manifest whose configuration is missing.
    blob(layout, manifest.config())?;
    let layers = manifest.layers();
    // The agents try the forms in this order.
    let compat = match compat(layout, layers) {
        Ok(module) => return Ok(module),
        Err(error) => error,
    };
    artifact(layout, layers)
        .map_err(|error| anyhow!("not the compat form: {compat:#}; not an artifact: {error:#}"))
}

/// The last layer is a compressed archive; the first file with the right name in any folder counts.
fn compat(layout: &Path, layers: &[Descriptor]) -> Result<Vec<u8>> {
    let last = layers.last().context("no layers")?;
    let media_type = last.media_type();
    ensure!(
        *media_type == MediaType::ImageLayerGzip,
        "a layer of type {media_type}"
    );
    let bytes = blob(layout, last)?;
    let mut archive = tar::Archive::new(GzDecoder::new(&*bytes));
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.path()?.file_name().is_some_and(|name| name == MODULE) {
            let mut module = Vec::new();
            entry.read_to_end(&mut module)?;
            return Ok(module);
        }
    }
    bail!("no file {MODULE}")
}

/// Exactly two layers, one of which is the module itself.
fn artifact(layout: &Path, layers: &[Descriptor]) -> Result<Vec<u8>> {
    ensure!(layers.len() == 2, "{} layers, expected 2", layers.len());
    let is_module = |layer: &&Descriptor| layer.media_type().to_string() == MODULE_LAYER;
    let module = layers.iter().find(is_module);
    blob(layout, module.context("no layer with a module")?)
}

/// A blob, with its sum and size compared, as registry clients do.
fn blob(layout: &Path, blob: &Descriptor) -> Result<Vec<u8>> {
    let bytes = file(layout, &path(blob))?;
    let digest = blob.digest();
    ensure!(
        sha256_hex(&bytes) == digest.digest() && bytes.len() as u64 == blob.size(),
        "{digest}: the content has another sum or size"
    );
    Ok(bytes)
}

fn file(layout: &Path, name: &str) -> Result<Vec<u8>> {
    let path = layout.join(name);
    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn json<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).context("not a document of an image layout")
}
