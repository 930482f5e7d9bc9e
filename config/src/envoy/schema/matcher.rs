//! Conditions of routes, and hash policies.

use crate::proto::Schema;

pub(in crate::envoy) static ROUTE_MATCH: Schema = Schema::new(
    "RouteMatch",
    "prefix path safe_regex connect_matcher path_separated_prefix path_match_policy \
     case_sensitive headers runtime_fraction query_parameters cookies grpc tls_context \
     dynamic_metadata filter_state",
);

pub(in crate::envoy) static HASH_POLICY: Schema = Schema::new(
    "RouteAction.HashPolicy",
    "header cookie connection_properties query_parameter filter_state terminal",
);

pub(in crate::envoy) static HASH_POLICY_HEADER: Schema =
    Schema::new("RouteAction.HashPolicy.Header", "header_name regex_rewrite");

pub(in crate::envoy) static HEADER_MATCHER: Schema = Schema::new(
    "HeaderMatcher",
    "name exact_match safe_regex_match range_match present_match prefix_match suffix_match \
     contains_match string_match invert_match treat_missing_header_as_empty",
);

pub(in crate::envoy) static STRING_MATCHER: Schema = Schema::new(
    "StringMatcher",
    "exact prefix suffix contains safe_regex custom ignore_case",
);

pub(in crate::envoy) static HASH_POLICY_COOKIE: Schema =
    Schema::new("RouteAction.HashPolicy.Cookie", "name ttl path attributes");

pub(in crate::envoy) static COOKIE_ATTRIBUTE: Schema =
    Schema::new("RouteAction.HashPolicy.CookieAttribute", "name value");

pub(in crate::envoy) static CONNECTION_PROPERTIES: Schema =
    Schema::new("RouteAction.HashPolicy.ConnectionProperties", "source_ip");

pub(in crate::envoy) static HASH_POLICY_NAME: Schema =
    Schema::new("RouteAction.HashPolicy.QueryParameter", "name");

pub(in crate::envoy) static HASH_POLICY_KEY: Schema =
    Schema::new("RouteAction.HashPolicy.FilterState", "key");

pub(in crate::envoy) static INT64_RANGE: Schema = Schema::new("Int64Range", "start end");

pub(in crate::envoy) static QUERY_MATCHER: Schema =
    Schema::new("QueryParameterMatcher", "name string_match present_match");

pub(in crate::envoy) static COOKIE_MATCHER: Schema =
    Schema::new("CookieMatcher", "name string_match invert_match");

pub(in crate::envoy) static REGEX_MATCHER: Schema =
    Schema::new("RegexMatcher", "regex").ignored("google_re2");

pub(in crate::envoy) static REGEX_REWRITE: Schema =
    Schema::new("RegexMatchAndSubstitute", "pattern substitution");

pub(in crate::envoy) static RUNTIME_FRACTION: Schema =
    Schema::new("RuntimeFractionalPercent", "default_value runtime_key");
