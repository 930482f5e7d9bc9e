//! `what-if --client grpc|both`: the effects of a loss on a gRPC client that receives the same xDS.
//!
//! [`run`] is the command, `answer` the figures of a gRPC client in the form of Envoy's, `both` the two
//! next to each other.

mod both;
mod client_loss;
mod run;

pub(super) use run::run;
