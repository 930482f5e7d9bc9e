//! Packs the built parts of the project into the files of a release, and opens each file to check it.
//! `cargo xtask release` builds the parts and runs this.
//!
//! The files depend only on the parts, the version and the time of the commit, so that anyone can build the
//! same bytes again. Nothing is uploaded.
//!
//! Libraries write the archives, the Debian package and the image layout: `dpkg-deb`, `npm` and
//! Docker write times, owners and orders of their own, and may be missing. The image is pulled by
//! the rules of the agents of Istio and Envoy Gateway, because a registry accepts many images that
//! an agent refuses: the artifact form needs exactly two layers, the compat form the file
//! `plugin.wasm`.

mod archive;
mod artifact;
mod check;
mod command;
mod debian;
mod filter;
mod glibc;
mod hash;
mod listing;
mod module;
mod npm;
mod oci;
mod pack;
mod page;
mod parts;
mod provenance;
mod sbom;
mod sums;

pub use check::check;
pub use hash::sha256_hex;
pub use oci::{FilterImage, ImageForm, pull};
pub use pack::pack;
pub use parts::{Parts, ReleaseId};
pub use sbom::SHIPPED_PACKAGES;
