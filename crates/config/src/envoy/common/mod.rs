//! Values used in many messages: addresses, metadata, names, API versions.

mod address;
mod api_version;
mod by_name;
mod config_source;
mod metadata;
mod ranges;
mod routing_priority;

/// The HTTP options of a cluster: the field, and their key in it.
pub(crate) const HTTP_OPTIONS: [&str; 2] = [
    "typed_extension_protocol_options",
    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
];

pub use address::is_dns_name;
pub(crate) use address::read_address;
pub(crate) use api_version::{check_version, is_version_2, type_name, version_1, version_2};
pub(crate) use by_name::{ByName, name_of};
pub(crate) use config_source::file_of;
pub(crate) use metadata::{envoy_lb, lb_struct, namespace, read_value};
pub use metadata::{read_metadata, read_struct};
pub(crate) use ranges::read_ranges;
pub(crate) use routing_priority::HIGH_PRIORITY;
