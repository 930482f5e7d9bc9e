//! Runs the `spillgate` command and checks its output and exit status.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod access_log;
mod adopt;
mod adopt_envoy_gateway;
mod adopt_istio;
mod bad_input;
mod canned;
mod capture_secrets;
mod ci;
mod client;
mod client_hash;
mod client_loss;
mod client_routes;
mod client_session;
mod composite;
mod conformance;
mod control_characters;
mod control_planes;
mod convert;
mod diff;
mod diff_doubts;
mod diff_mesh;
mod diff_output;
mod diff_routes;
mod diff_unknown;
mod diff_unread;
mod envoy_gateway;
mod explain;
mod explain_code;
mod export;
mod exporter;
mod field;
mod fleet;
mod fleet_callers;
mod health;
mod help;
mod incident;
mod incident_limits;
mod incident_mesh;
mod incident_sessions;
mod inputs;
mod istio_version;
mod limits;
mod link;
mod lint;
mod lint_filter;
mod live;
mod manual;
mod mesh_health;
mod mesh_http_route;
mod mesh_original_dst;
mod mesh_selection;
mod mesh_warnings;
mod messages;
mod next_cluster;
mod odds;
mod original_dst;
mod page_comparison;
mod page_routes;
mod pick;
mod planted_links;
mod proxy_filters;
mod readme;
mod replies;
mod retries;
mod run;
mod schemas;
mod simulate;
mod split;
mod textproto;
mod token;
mod ui;
mod unknown;
mod unstated;
mod what_if;
mod what_if_change;
mod what_if_rows;
mod widgets;
mod wiring;
