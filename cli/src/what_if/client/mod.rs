//! `what-if --client grpc|both`: the effects of a loss on a gRPC client that receives the same xDS.
//!
//! `client_loss` has the figures of a gRPC client in the form of Envoy's, `both` the two next to each other.

mod both;
mod client_loss;

pub(super) use both::BothAnswers;
