//! The use cases of `docs/mesh/`, and generated documents of Istio, for measurements with a real Envoy
//! and gRPC's own client: the documents at addresses of this machine, what `convert` writes for them, what `split` predicts,
//! and whether counted requests fit the prediction.

mod cases;
mod converted;
mod counts;
mod files;
mod istio;
mod shares;

pub use cases::{GRPC_CASES, LocalZone, Reading, USE_CASES, UseCase, VARIANTS, WEIGHTLESS};
pub use converted::{ConvertedMesh, MeshForm};
pub use counts::{MeshCounts, fits};
pub use files::MeshFiles;
pub use istio::{ISTIO_CONVERSIONS, RandomIstioMesh};
pub use shares::MeshShares;
