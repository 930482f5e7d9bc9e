//! Conditions of routes, and hash policies.

use crate::proto::{Irrelevance::NotInForce, Schema};

/// `envoy.config.route.v3.RouteMatch`: path, headers, query parameters, cookies, runtime fraction.
pub(in crate::envoy) static ROUTE_MATCH: Schema = Schema::new(
    "RouteMatch",
    "prefix path safe_regex connect_matcher path_separated_prefix path_match_policy \
     case_sensitive headers runtime_fraction query_parameters cookies grpc tls_context \
     dynamic_metadata filter_state",
)
.of("envoy.config.route.v3.RouteMatch");

/// `envoy.config.route.v3.RouteAction.HashPolicy`: one part of the request hash.
pub(in crate::envoy) static HASH_POLICY: Schema = Schema::new(
    "RouteAction.HashPolicy",
    "header cookie connection_properties query_parameter filter_state terminal",
)
.of("envoy.config.route.v3.RouteAction.HashPolicy");

/// `envoy.config.route.v3.RouteAction.HashPolicy.Header`: the values of a header.
pub(in crate::envoy) static HASH_POLICY_HEADER: Schema =
    Schema::new("RouteAction.HashPolicy.Header", "header_name regex_rewrite")
        .of("envoy.config.route.v3.RouteAction.HashPolicy.Header");

/// `envoy.config.route.v3.HeaderMatcher`: a condition on a header, with deprecated fields.
pub(in crate::envoy) static HEADER_MATCHER: Schema = Schema::new(
    "HeaderMatcher",
    "name exact_match safe_regex_match range_match present_match prefix_match suffix_match \
     contains_match string_match invert_match treat_missing_header_as_empty",
)
.of("envoy.config.route.v3.HeaderMatcher");

/// `envoy.type.matcher.v3.StringMatcher`: exact, prefix, suffix, contained, or a pattern.
pub(in crate::envoy) static STRING_MATCHER: Schema = Schema::new(
    "StringMatcher",
    "exact prefix suffix contains safe_regex custom ignore_case",
)
.of("envoy.type.matcher.v3.StringMatcher");

/// `envoy.config.route.v3.RouteAction.HashPolicy.Cookie`: a cookie, generated if it has a TTL.
pub(in crate::envoy) static HASH_POLICY_COOKIE: Schema =
    Schema::new("RouteAction.HashPolicy.Cookie", "name ttl path attributes")
        .of("envoy.config.route.v3.RouteAction.HashPolicy.Cookie");

/// `envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute`: an attribute of a generated
/// cookie.
pub(in crate::envoy) static COOKIE_ATTRIBUTE: Schema =
    Schema::new("RouteAction.HashPolicy.CookieAttribute", "name value")
        .of("envoy.config.route.v3.RouteAction.HashPolicy.CookieAttribute");

/// `envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties`: the address of the
/// client.
pub(in crate::envoy) static CONNECTION_PROPERTIES: Schema =
    Schema::new("RouteAction.HashPolicy.ConnectionProperties", "source_ip")
        .of("envoy.config.route.v3.RouteAction.HashPolicy.ConnectionProperties");

/// `envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter`: a query parameter by its name.
pub(in crate::envoy) static HASH_POLICY_NAME: Schema =
    Schema::new("RouteAction.HashPolicy.QueryParameter", "name")
        .of("envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter");

/// `envoy.config.route.v3.RouteAction.HashPolicy.FilterState`: a filter state object.
pub(in crate::envoy) static HASH_POLICY_KEY: Schema =
    Schema::new("RouteAction.HashPolicy.FilterState", "key")
        .of("envoy.config.route.v3.RouteAction.HashPolicy.FilterState");

/// `envoy.type.v3.Int64Range`: from `start`, inclusive, to `end`, exclusive.
pub(in crate::envoy) static INT64_RANGE: Schema =
    Schema::new("Int64Range", "start end").of("envoy.type.v3.Int64Range");

/// `envoy.config.route.v3.QueryParameterMatcher`: a condition on a query parameter.
pub(in crate::envoy) static QUERY_MATCHER: Schema =
    Schema::new("QueryParameterMatcher", "name string_match present_match")
        .of("envoy.config.route.v3.QueryParameterMatcher");

/// `envoy.config.route.v3.CookieMatcher`: a condition on a cookie.
pub(in crate::envoy) static COOKIE_MATCHER: Schema =
    Schema::new("CookieMatcher", "name string_match invert_match")
        .of("envoy.config.route.v3.CookieMatcher");

/// `envoy.type.matcher.v3.RegexMatcher`: an RE2 pattern for a whole text.
pub(in crate::envoy) static REGEX_MATCHER: Schema = Schema::new("RegexMatcher", "regex")
    .of("envoy.type.matcher.v3.RegexMatcher")
    .ignored(&[(NotInForce, "google_re2")]);

/// `envoy.type.matcher.v3.RegexMatchAndSubstitute`: a pattern and the replacement of its matches.
pub(in crate::envoy) static REGEX_REWRITE: Schema =
    Schema::new("RegexMatchAndSubstitute", "pattern substitution")
        .of("envoy.type.matcher.v3.RegexMatchAndSubstitute");

/// `envoy.config.core.v3.RuntimeFractionalPercent`: a share of requests; its default is used.
pub(in crate::envoy) static RUNTIME_FRACTION: Schema =
    Schema::new("RuntimeFractionalPercent", "default_value runtime_key")
        .of("envoy.config.core.v3.RuntimeFractionalPercent");
