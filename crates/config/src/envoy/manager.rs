//! What an HTTP connection manager changes in requests before routing.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::{
    AddressDetection, AddressRange, ClientAddress, ConnectionManager, EscapedSlashes,
    HeaderMutation, PathFragments, PortStripping,
};

use super::{
    common::read_ranges,
    connection::{ChainSecurity, LocalAddress},
    headers::{MutatedPlace, read_mutation_list},
    schema::{
        CUSTOM_HEADER_DETECTION, EARLY_HEADER_MUTATION, INTERNAL_ADDRESS_CONFIG, REFUSAL_STATUS,
        SCHEME_TRANSFORMATION, TYPED_EXTENSION, XFF_DETECTION, XFF_TRUSTED_CIDRS,
    },
};
use crate::{
    Position,
    node::quote,
    proto::{Any, Message, Path, Report},
};

/// The prefix of the types of detection extensions, and those that are modeled.
pub(crate) const DETECTION_PREFIX: &str = "envoy.extensions.http.original_ip_detection.";
pub(crate) const XFF_TYPE: &str = "xff.v3.XffConfig";
pub(crate) const CUSTOM_HEADER_TYPE: &str = "custom_header.v3.CustomHeaderConfig";
/// The type of early header mutations.
pub(crate) const EARLY_MUTATION_TYPE: &str =
    "envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation";
/// The feature that makes Envoy refuse paths with a fragment; by default, it does.
const REJECT_FRAGMENTS: &str = "envoy.reloadable_features.http_reject_path_with_fragment";
/// The code of limits about the connection manager.
const CODE: &str = "config/connection-manager-not-modeled";

/// The values of `PathWithEscapedSlashesAction`.
pub(crate) const ESCAPED_SLASHES: [(&str, i64, EscapedSlashes); 5] = [
    ("KEEP_UNCHANGED", 1, EscapedSlashes::Keep),
    ("IMPLEMENTATION_SPECIFIC_DEFAULT", 0, EscapedSlashes::Keep),
    ("REJECT_REQUEST", 2, EscapedSlashes::Reject),
    (
        "UNESCAPE_AND_REDIRECT",
        3,
        EscapedSlashes::UnescapeAndRedirect,
    ),
    (
        "UNESCAPE_AND_FORWARD",
        4,
        EscapedSlashes::UnescapeAndForward,
    ),
];

/// The filter chain of a connection manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ManagerPlace {
    pub(super) security: ChainSecurity,
    pub(super) addresses: LocalAddress,
}

/// Headers that a connection manager sets in addition to `x-request-id`.
pub(super) const UNSET_HEADERS: [&str; 6] = [
    "x-forwarded-proto",
    "x-forwarded-for",
    "x-forwarded-port",
    "x-envoy-external-address",
    "x-envoy-internal",
    ":scheme",
];

/// Limits for routes without a connection manager in the input.
pub(super) fn without_manager(path: &Path, position: Position, report: &mut Report) {
    for header in UNSET_HEADERS.into_iter().chain(["x-request-id"]) {
        let effect = format!(
            "the connection manager of these routes is not in the input; it sets the header {}",
            quote(header)
        );
        report.limit_if_read(header, CODE, effect, path, position);
    }
}

/// Reads the settings of a connection manager in a filter chain.
pub(super) fn read_connection_manager(
    message: &Message<'_, '_>,
    place: ManagerPlace,
    report: &mut Report,
) -> ConnectionManager {
    let security = place.security;
    let flag = |field, report: &mut Report| message.bool(field, report).unwrap_or(false);
    let strip_any = flag("strip_any_host_port", report);
    let strip_port = match (strip_any, flag("strip_matching_host_port", report)) {
        (true, _) => PortStripping::Any,
        (false, true) => PortStripping::Matching,
        (false, false) => PortStripping::Never,
    };
    let certificate = message
        .enumeration("forward_client_cert_details", &CLIENT_CERT, report)
        .unwrap_or(ClientCert::Sanitize);
    let escaped = message.enumeration("path_with_escaped_slashes_action", &ESCAPED_SLASHES, report);
    let manager = ConnectionManager {
        tls: security == ChainSecurity::Tls,
        client: read_client(message, report),
        internal: read_internal(message, report),
        append_x_forwarded_port: flag("append_x_forwarded_port", report),
        scheme: read_scheme(message, report),
        early: read_early(message, report),
        normalize_path: flag("normalize_path", report),
        fragments: match report.runtime_flag(REJECT_FRAGMENTS) {
            Some(false) => PathFragments::Remove,
            _ => PathFragments::Reject,
        },
        merge_slashes: flag("merge_slashes", report),
        escaped_slashes: escaped.unwrap_or_default(),
        strip_port,
        strip_trailing_host_dot: flag("strip_trailing_host_dot", report),
        via: message.string("via", report).unwrap_or_default().into(),
        keep_client_certificate: certificate == ClientCert::Keep,
    };
    let unknown = Unmodeled { message };
    if security == ChainSecurity::Unknown {
        for header in ["x-forwarded-proto", ":scheme"] {
            let what = "whether this transport socket encrypts";
            unknown.of_manager(header, what, report);
        }
    }
    if message.has("forward_proto_config") && place.addresses == LocalAddress::MayBeRestored {
        for header in ["x-forwarded-proto", ":scheme"] {
            let what = "the original port of the connection";
            unknown.header(header, what, "forward_proto_config", report);
        }
    }
    if security == ChainSecurity::Tls && certificate == ClientCert::Depends {
        let field = "forward_client_cert_details";
        unknown.header(
            "x-forwarded-client-cert",
            "the client's certificate",
            field,
            report,
        );
    }
    if let Some(field) = appends(&manager.client) {
        let what = "the address that Envoy appends for a client at a loopback address";
        unknown.header("x-forwarded-for", what, field, report);
    }
    if message.bool("generate_request_id", report).unwrap_or(true) {
        unknown.header(
            "x-request-id",
            "a generated request id",
            "generate_request_id",
            report,
        );
    }
    if flag("add_user_agent", report) {
        for header in [
            "user-agent",
            "x-envoy-downstream-service-cluster",
            "x-envoy-downstream-service-node",
        ] {
            unknown.header(header, "the name of the node", "add_user_agent", report);
        }
    }
    let what = "whether Envoy removes the header as no URL";
    unknown.of_manager("referer", what, report);
    let what = "the timeout that the router writes";
    unknown.of_manager("x-envoy-expected-rq-timeout-ms", what, report);
    manager
}

/// A setting whose effect on a header is not modeled.
struct Unmodeled<'m, 'n, 'a> {
    message: &'m Message<'n, 'a>,
}

impl Unmodeled<'_, '_, '_> {
    fn header(&self, name: &str, what: &str, field: &'static str, report: &mut Report) {
        let place = (
            self.message.path.field(field),
            self.message.position_of(field),
        );
        Self::at(place, name, what, report);
    }

    /// Without a field of its own.
    fn of_manager(&self, name: &str, what: &str, report: &mut Report) {
        let place = (self.message.path.clone(), self.message.position);
        Self::at(place, name, what, report);
    }

    fn at((path, position): (Path, Position), name: &str, what: &str, report: &mut Report) {
        let effect = format!(
            "{what} is not known, so requests that depend on the header {} can go elsewhere",
            quote(name)
        );
        report.limit_if_read(String::from(name), CODE, effect, &path, position);
    }
}

/// The field because of which a connection manager appends the client's address to `x-forwarded-for`.
fn appends(client: &ClientAddress) -> Option<&'static str> {
    let detections = match client {
        ClientAddress::Connection { append, .. } => return append.then_some("use_remote_address"),
        ClientAddress::Headers(detections) => detections,
    };
    let appends = detections.iter().any(|detection| match detection {
        AddressDetection::Hops { append, .. } | AddressDetection::Trusted { append, .. } => *append,
        AddressDetection::Header { .. } => false,
    });
    appends.then_some("original_ip_detection_extensions")
}

/// What happens to `x-forwarded-client-cert`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClientCert {
    Sanitize,
    Keep,
    /// The client's certificate decides; without TLS, the header is removed.
    Depends,
}

const CLIENT_CERT: [(&str, i64, ClientCert); 5] = [
    ("SANITIZE", 0, ClientCert::Sanitize),
    ("FORWARD_ONLY", 1, ClientCert::Depends),
    ("APPEND_FORWARD", 2, ClientCert::Depends),
    ("SANITIZE_SET", 3, ClientCert::Depends),
    ("ALWAYS_FORWARD_ONLY", 4, ClientCert::Keep),
];

fn read_scheme(message: &Message<'_, '_>, report: &mut Report) -> Option<String> {
    let field = "scheme_header_transformation";
    let transformation = message.message(field, &SCHEME_TRANSFORMATION, report)?;
    if transformation.bool("match_upstream", report) == Some(true) {
        let unknown = Unmodeled { message };
        unknown.header(
            ":scheme",
            "the scheme of the upstream connection",
            field,
            report,
        );
    }
    let scheme = transformation.string("scheme_to_overwrite", report)?;
    (!scheme.is_empty()).then(|| scheme.into())
}

fn read_internal(message: &Message<'_, '_>, report: &mut Report) -> Vec<AddressRange> {
    let field = "internal_address_config";
    match message.message(field, &INTERNAL_ADDRESS_CONFIG, report) {
        Some(config) => read_ranges(&config, "cidr_ranges", report),
        None => Vec::new(),
    }
}

fn read_client(message: &Message<'_, '_>, report: &mut Report) -> ClientAddress {
    let own = message.bool("use_remote_address", report).unwrap_or(false);
    let hops = message.u32("xff_num_trusted_hops", report).unwrap_or(0);
    let skip_append = message.bool("skip_xff_append", report).unwrap_or(false);
    let field = "original_ip_detection_extensions";
    if own {
        if message.has(field) {
            message.one_of(&["use_remote_address", field], report);
        }
        return ClientAddress::Connection {
            trusted_hops: hops,
            append: !skip_append,
        };
    }
    if !message.has(field) {
        return ClientAddress::forwarded(hops);
    }
    let mut detections = Vec::new();
    for (path, node) in message.list(field, report) {
        if let Some(extension) = Message::open(node, path, &TYPED_EXTENSION, report)
            && let Some(any) = extension.any("typed_config", report)
        {
            detections.extend(read_detection(any, report));
        }
    }
    ClientAddress::Headers(detections)
}

fn read_detection(any: Any<'_, '_>, report: &mut Report) -> Option<AddressDetection> {
    match any.type_name.strip_prefix(DETECTION_PREFIX) {
        Some(XFF_TYPE) => {
            let config = any.open(&XFF_DETECTION, report)?;
            let append = config.bool("skip_xff_append", report) == Some(false);
            let trusted = config.message("xff_trusted_cidrs", &XFF_TRUSTED_CIDRS, report);
            Some(match trusted {
                Some(trusted) => AddressDetection::Trusted {
                    ranges: read_ranges(&trusted, "cidrs", report),
                    append,
                },
                None => AddressDetection::Hops {
                    skip: config.u32("xff_num_trusted_hops", report).unwrap_or(0),
                    append,
                },
            })
        }
        Some(CUSTOM_HEADER_TYPE) => {
            let config = any.open(&CUSTOM_HEADER_DETECTION, report)?;
            let field = "allow_extension_to_set_address_as_trusted";
            Some(AddressDetection::Header {
                name: config
                    .required_string("header_name", report)?
                    .to_ascii_lowercase(),
                trusted: config.bool(field, report).unwrap_or(false),
                refuse: config
                    .message("reject_with_status", &REFUSAL_STATUS, report)
                    .map(|status| refusal(&status, report)),
            })
        }
        _ => {
            let what = format!("the client address from {} is", quote(any.type_name));
            let effect = format!(
                "{what} not modeled; requests that depend on it can go elsewhere or be refused"
            );
            report.limit(CODE, effect, &any.path, any.node.position);
            None
        }
    }
}

/// Envoy answers 403 instead of a status below 400.
fn refusal(status: &Message<'_, '_>, report: &mut Report) -> u16 {
    let code = status.get("code").map(|node| &node.value);
    let code = match code {
        Some(crate::node::NodeValue::Int(code)) => u16::try_from(*code).ok(),
        // The name of a status, such as Forbidden, is not read.
        Some(_) => {
            let effect = "the status of refused requests is not modeled; it is shown as 403";
            let path = status.path.field("code");
            report.limit(CODE, effect, &path, status.position_of("code"));
            None
        }
        None => None,
    };
    code.filter(|code| *code >= 400).unwrap_or(403)
}

fn read_early(message: &Message<'_, '_>, report: &mut Report) -> Vec<HeaderMutation> {
    let mut early = Vec::new();
    for (path, node) in message.list("early_header_mutation_extensions", report) {
        let Some(extension) = Message::open(node, path, &TYPED_EXTENSION, report) else {
            continue;
        };
        let Some(any) = extension.any("typed_config", report) else {
            continue;
        };
        if any.type_name != EARLY_MUTATION_TYPE {
            let effect = format!(
                "the early header mutation {} is not modeled; all requests can go elsewhere",
                quote(any.type_name)
            );
            report.limit(CODE, effect, &any.path, any.node.position);
        } else if let Some(config) = any.open(&EARLY_HEADER_MUTATION, report) {
            let place = MutatedPlace::Listener;
            early.extend(read_mutation_list(&config, "mutations", place, report));
        }
    }
    early
}
