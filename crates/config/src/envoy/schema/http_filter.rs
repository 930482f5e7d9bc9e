//! HTTP filters before the router.

use crate::proto::{
    Irrelevance::{Observability, Response, UsedByOthers},
    Schema, limit,
};

/// `envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter`: a filter in a chain.
pub(in crate::envoy) static HTTP_FILTER: Schema = Schema::new(
    "HttpFilter",
    "name typed_config config_discovery disabled is_optional",
)
.of("envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter");

/// `envoy.config.route.v3.FilterConfig`: a route's override of a filter.
pub(in crate::envoy) static FILTER_CONFIG: Schema =
    Schema::new("FilterConfig", "@type config disabled")
        .of("envoy.config.route.v3.FilterConfig")
        .ignored(&[(UsedByOthers, "is_optional")]);

/// `envoy.extensions.filters.http.header_mutation.v3.HeaderMutation`: header changes of all
/// requests.
pub(in crate::envoy) static HEADER_MUTATION: Schema = Schema::new(
    "header_mutation.v3.HeaderMutation",
    "@type mutations most_specific_header_mutations_wins",
)
.of("envoy.extensions.filters.http.header_mutation.v3.HeaderMutation");

/// `envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute`: those of a route.
pub(in crate::envoy) static HEADER_MUTATION_PER_ROUTE: Schema = Schema::new(
    "header_mutation.v3.HeaderMutationPerRoute",
    "@type mutations",
)
.of("envoy.extensions.filters.http.header_mutation.v3.HeaderMutationPerRoute");

/// `envoy.extensions.filters.http.header_mutation.v3.Mutations`: changes of requests, one after the
/// other.
pub(in crate::envoy) static MUTATIONS: Schema = Schema::new(
    "header_mutation.v3.Mutations",
    "request_mutations query_parameter_mutations",
)
.of("envoy.extensions.filters.http.header_mutation.v3.Mutations")
.limits(&[limit("formatters", "headers can have other values")])
.ignored(&[(
    Response,
    "request_trailers_mutations response_mutations response_trailers_mutations",
)]);

/// `envoy.extensions.filters.http.header_to_metadata.v3.Config`: rules from headers to metadata.
pub(in crate::envoy) static HEADER_TO_METADATA: Schema =
    Schema::new("header_to_metadata.v3.Config", "@type request_rules")
        .of("envoy.extensions.filters.http.header_to_metadata.v3.Config")
        .ignored(&[(Observability, "stat_prefix"), (Response, "response_rules")]);

/// `envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule`: a header or cookie, and the
/// metadata from it.
pub(in crate::envoy) static HEADER_RULE: Schema = Schema::new(
    "header_to_metadata.v3.Config.Rule",
    "header cookie on_header_present on_header_missing remove",
)
.of("envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule");

/// `envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair`: the metadata that
/// a rule sets.
pub(in crate::envoy) static KEY_VALUE: Schema = Schema::new(
    "header_to_metadata.v3.Config.KeyValuePair",
    "metadata_namespace key value regex_value_rewrite type encode",
)
.of("envoy.extensions.filters.http.header_to_metadata.v3.Config.KeyValuePair");

/// `envoy.extensions.filters.http.set_metadata.v3.Config`: metadata of every request.
pub(in crate::envoy) static SET_METADATA: Schema = Schema::new(
    "set_metadata.v3.Config",
    "@type metadata metadata_namespace value",
)
.of("envoy.extensions.filters.http.set_metadata.v3.Config");

/// `envoy.extensions.filters.http.set_metadata.v3.Metadata`: a namespace and its values.
pub(in crate::envoy) static SET_METADATA_ENTRY: Schema = Schema::new(
    "set_metadata.v3.Metadata",
    "metadata_namespace allow_overwrite value",
)
.of("envoy.extensions.filters.http.set_metadata.v3.Metadata")
.ignored(&[(UsedByOthers, "typed_value")]);

/// `envoy.extensions.filters.http.stateful_session.v3.StatefulSession`: Envoy's own sessions.
pub(in crate::envoy) static STATEFUL_SESSION: Schema = Schema::new(
    "stateful_session.v3.StatefulSession",
    "@type session_state status_on_strict_destination_not_found strict",
)
.of("envoy.extensions.filters.http.stateful_session.v3.StatefulSession")
.ignored(&[(Observability, "stat_prefix")]);

/// `envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute`: a route's own
/// settings.
pub(in crate::envoy) static STATEFUL_SESSION_PER_ROUTE: Schema = Schema::new(
    "stateful_session.v3.StatefulSessionPerRoute",
    "@type disabled stateful_session",
)
.of("envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute");

/// `envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState`: a cookie with the
/// host.
pub(in crate::envoy) static COOKIE_SESSION: Schema =
    Schema::new("cookie.v3.CookieBasedSessionState", "@type cookie")
        .of("envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState");

/// `envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState`: a header with the
/// host.
pub(in crate::envoy) static HEADER_SESSION: Schema =
    Schema::new("header.v3.HeaderBasedSessionState", "@type name")
        .of("envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState");

/// `envoy.type.http.v3.Cookie`: name, path and lifetime of the cookie.
pub(in crate::envoy) static SESSION_COOKIE: Schema = Schema::new("Cookie", "name ttl path")
    .of("envoy.type.http.v3.Cookie")
    .ignored(&[(Response, "attributes")]);
