//! Changes of requests: headers, the client's address, the scheme.

use crate::proto::{Schema, limit};

/// `envoy.config.core.v3.HeaderValueOption`: a header that is added or replaced.
pub(in crate::envoy) static HEADER_VALUE_OPTION: Schema = Schema::new(
    "HeaderValueOption",
    "header append append_action keep_empty_value",
)
.of("envoy.config.core.v3.HeaderValueOption");

/// `envoy.config.core.v3.HeaderValue`: its name and value.
pub(in crate::envoy) static HEADER_VALUE: Schema =
    Schema::new("HeaderValue", "key value raw_value").of("envoy.config.core.v3.HeaderValue");

/// `envoy.config.common.mutation_rules.v3.HeaderMutation`: one change in a list.
pub(in crate::envoy) static HEADER_MUTATION_STEP: Schema = Schema::new(
    "mutation_rules.v3.HeaderMutation",
    "remove append remove_on_match",
)
.of("envoy.config.common.mutation_rules.v3.HeaderMutation");

/// `envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation`: changes before
/// all others.
pub(in crate::envoy) static EARLY_HEADER_MUTATION: Schema = Schema::new(
    "early_header_mutation.header_mutation.v3.HeaderMutation",
    "@type mutations",
)
.of("envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation");

/// `envoy.config.core.v3.SchemeHeaderTransformation`: the scheme of all requests.
pub(in crate::envoy) static SCHEME_TRANSFORMATION: Schema = Schema::new(
    "SchemeHeaderTransformation",
    "scheme_to_overwrite match_upstream",
)
.of("envoy.config.core.v3.SchemeHeaderTransformation");

/// `HttpConnectionManager.InternalAddressConfig`: the addresses of internal clients.
pub(in crate::envoy) static INTERNAL_ADDRESS_CONFIG: Schema =
    Schema::new("InternalAddressConfig", "cidr_ranges")
        .of("envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.InternalAddressConfig")
        .limits(&[limit(
            "unix_sockets",
            "clients of Unix sockets are internal: other headers remain, and other routes can match",
        )]);

/// `envoy.extensions.http.original_ip_detection.xff.v3.XffConfig`: the client in
/// `x-forwarded-for`.
pub(in crate::envoy) static XFF_DETECTION: Schema = Schema::new(
    "xff.v3.XffConfig",
    "@type xff_num_trusted_hops xff_trusted_cidrs skip_xff_append",
)
.of("envoy.extensions.http.original_ip_detection.xff.v3.XffConfig");

/// `envoy.extensions.http.original_ip_detection.xff.v3.XffTrustedCidrs`: trusted proxies.
pub(in crate::envoy) static XFF_TRUSTED_CIDRS: Schema = Schema::new("XffTrustedCidrs", "cidrs")
    .of("envoy.extensions.http.original_ip_detection.xff.v3.XffTrustedCidrs");

/// `envoy.extensions.http.original_ip_detection.custom_header.v3.CustomHeaderConfig`: the client in
/// another header.
pub(in crate::envoy) static CUSTOM_HEADER_DETECTION: Schema = Schema::new(
    "custom_header.v3.CustomHeaderConfig",
    "@type header_name allow_extension_to_set_address_as_trusted reject_with_status",
)
.of("envoy.extensions.http.original_ip_detection.custom_header.v3.CustomHeaderConfig");

/// `envoy.type.v3.HttpStatus`: the status of refused requests.
pub(in crate::envoy) static REFUSAL_STATUS: Schema =
    Schema::new("HttpStatus", "code").of("envoy.type.v3.HttpStatus");
