//! `spillgate explain`: one routing decision step by step.
//!
//! One decision uses the draws of a seed, because a step-by-step explanation needs one, and the exact shares
//! are added, because the draw is not the whole answer. The JSON starts with the filter's own bytes and only
//! appends keys.

mod changes;
mod decision;
mod direct;
mod grpc;
mod grpc_call;
mod grpc_hash;
mod grpc_story;
mod json;
mod routing;
mod secrets;
mod session;
mod success;
mod target;
mod verdict;

pub use decision::{arithmetic_of, decide, steered, undecided};
pub use direct::DirectQuestion;
pub use grpc::{GrpcStories, grpc_stories};
pub use grpc_call::{CallSession, GrpcCall};
pub use grpc_hash::GrpcHash;
pub use grpc_story::GrpcStory;
pub use json::to_json;
pub use routing::{AskedKind, AskedRequest};
pub use session::add_session;
pub use success::{SuccessStory, success_of};
pub use target::{ServingRoutes, XX_HASH, listener_target, straight_to};
pub use verdict::RequestVerdict;
