//! Mesh documents as the input of commands: files, point of view, and the model of a proxy.

mod args;
mod documents;
mod envoy;
mod health;
mod text;

pub(crate) use args::{CompatArg, IstioArgs, MeshArgs, add_istio_version, name_istio_version};
pub(crate) use documents::{MeshInput, gateway_or_zone, no_view};
pub(crate) use envoy::{MeshClusterHealth, config_of, only_for_meshes};
pub(crate) use health::MeshHealth;
pub(crate) use text::{documents_of, has_documents, has_kubernetes_objects, is_mesh};
