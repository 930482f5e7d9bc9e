//! Instant queries to Prometheus, or to a server with its HTTP API such as Thanos and Mimir.

mod answer;
mod client;
mod url;

pub use answer::{PrometheusAnswer, PrometheusSample};
pub use client::PrometheusClient;
pub use url::PrometheusUrl;
