//! HTTP filters before the router.

use crate::proto::Schema;

pub(in crate::envoy) static HTTP_FILTER: Schema =
    Schema::new("HttpFilter", "name typed_config config_discovery disabled").ignored("is_optional");

pub(in crate::envoy) static FILTER_CONFIG: Schema =
    Schema::new("FilterConfig", "@type config disabled").ignored("is_optional");

pub(in crate::envoy) static HEADER_TO_METADATA: Schema =
    Schema::new("header_to_metadata.v3.Config", "@type request_rules")
        .ignored("response_rules stat_prefix");

pub(in crate::envoy) static HEADER_RULE: Schema = Schema::new(
    "header_to_metadata.v3.Config.Rule",
    "header cookie on_header_present on_header_missing remove",
);

pub(in crate::envoy) static KEY_VALUE: Schema = Schema::new(
    "header_to_metadata.v3.Config.KeyValuePair",
    "metadata_namespace key value regex_value_rewrite type encode",
);

pub(in crate::envoy) static SET_METADATA: Schema = Schema::new(
    "set_metadata.v3.Config",
    "@type metadata metadata_namespace value",
);

pub(in crate::envoy) static SET_METADATA_ENTRY: Schema = Schema::new(
    "set_metadata.v3.Metadata",
    "metadata_namespace allow_overwrite value",
)
.ignored("typed_value");

pub(in crate::envoy) static STATEFUL_SESSION: Schema = Schema::new(
    "stateful_session.v3.StatefulSession",
    "@type session_state status_on_strict_destination_not_found strict",
)
.ignored("stat_prefix");

pub(in crate::envoy) static STATEFUL_SESSION_PER_ROUTE: Schema = Schema::new(
    "stateful_session.v3.StatefulSessionPerRoute",
    "@type disabled stateful_session",
);

pub(in crate::envoy) static COOKIE_SESSION: Schema =
    Schema::new("cookie.v3.CookieBasedSessionState", "@type cookie");

pub(in crate::envoy) static HEADER_SESSION: Schema =
    Schema::new("header.v3.HeaderBasedSessionState", "@type name");

pub(in crate::envoy) static SESSION_COOKIE: Schema =
    Schema::new("Cookie", "name ttl path").ignored("attributes");
