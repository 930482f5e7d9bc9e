//! Routes of the Gateway API: HTTPRoute and GRPCRoute, as Istio reads them (`conversion.go`).

mod backends;
mod filters;
mod matches;
mod route;

pub use matches::RuleRank;
pub(crate) use route::read_route;
pub use route::{GatewayApiParent, GatewayApiRoute, GatewayApiRule};

use crate::proto::Schema;

/// The objects in the routes of the Gateway API of which every field has a class.
pub static GATEWAY_API_MESSAGES: &[&Schema] = &[
    &backends::BACKEND,
    &filters::FILTER,
    &filters::GRPC_FILTER,
    &filters::HEADER_CHANGES,
    &filters::HEADER_VALUE,
    &filters::PATH_CHANGE,
    &filters::REDIRECT,
    &filters::URL_REWRITE,
    &matches::GRPC_MATCH,
    &matches::GRPC_METHOD,
    &matches::HTTP_MATCH,
    &matches::PATH,
    &matches::VALUE_MATCH,
    &route::GRPC_ROUTE,
    &route::GRPC_RULE,
    &route::HTTP_ROUTE,
    &route::HTTP_RULE,
    &route::PARENT,
    &route::RETRY,
    &route::TIMEOUTS,
];
