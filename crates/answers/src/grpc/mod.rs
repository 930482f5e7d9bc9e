//! What a gRPC client does with the same xDS (`--client grpc`).
//!
//! [`GrpcReading`] is what the client reads of the clusters, [`GrpcView`] the shares that follow for a
//! model.

mod assignment;
mod cluster;
mod lost;
mod messages;
mod policy;
mod reading;
mod report;
mod route;
mod session;
mod view;

pub use lost::{GrpcLosses, GrpcState, model_without};
pub use messages::ParsedTexts;
pub use reading::{GrpcReading, ISTIO_GRPC};
pub use route::GrpcRoute;
pub use session::{SessionHostShare, SessionTarget};
pub use view::{GrpcCluster, GrpcLeaf, GrpcView};
