//! `--client grpc`: what a gRPC client does with the same xDS.
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

pub(crate) use lost::{GrpcLosses, model_without};
pub(crate) use messages::Parsed;
pub(crate) use reading::{GrpcReading, ISTIO_GRPC};
pub(crate) use route::GrpcRoute;
pub(crate) use session::SessionTarget;
pub(crate) use view::{GrpcCluster, GrpcLeaf, GrpcView};
