//! Where requests go while nothing changes: the hosts as workers see them, and the attempts and failures of
//! requests with their retries.

mod breaker;
mod cast;
mod flow;
mod flow_input;
mod outlook;
mod retry_limits;
mod sessions;
mod slow_start;
mod states;
mod view;

pub use breaker::CircuitBreaker;
pub(crate) use breaker::{Admission, FirstLimit, refused_part};
pub(crate) use cast::Cast;
pub(crate) use flow::Flow;
pub(crate) use flow_input::{FlowInput, RequestSettings};
pub use outlook::Timeouts;
pub(crate) use outlook::{FailureKind, Outlook, is_gateway_error, is_server_error};
pub use retry_limits::RetryLimits;
pub use sessions::RouteSessions;
pub(crate) use sessions::{SessionEnds, SessionParts};
pub(crate) use slow_start::SlowStartHosts;
pub(crate) use view::WorkerView;
