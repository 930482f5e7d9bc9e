//! The settings of a connection manager that change requests.

use alloc::{format, string::String};

use spillgate_core::route::{
    AddressDetection, AddressRange, ClientAddress, ConnectionManager, EscapedSlashes,
    PathFragments, PortStripping,
};

use super::{
    super::{
        names::name_of,
        tree::{Fields, within},
    },
    headers::mutation_list,
};
use crate::{
    Diagnostic,
    envoy::{CUSTOM_HEADER_TYPE, DETECTION_PREFIX, EARLY_MUTATION_TYPE, ESCAPED_SLASHES, XFF_TYPE},
    proto::Report,
};

/// The fields of a connection manager.
pub(super) fn manager(of: &ConnectionManager, report: &mut Report) -> Fields {
    if of.tls {
        report.push(Diagnostic::warning(
            "write/tls",
            "the TLS of a listener is not written: its certificates are unknown",
        ));
    }
    if of.fragments == PathFragments::Remove {
        report.push(Diagnostic::warning(
            "write/runtime",
            "http_reject_path_with_fragment, a value of layered_runtime, is not written: requests whose \
             path has a fragment get a 400",
        ));
    }
    let scheme = of.scheme.as_deref();
    let certificate = of.keep_client_certificate.then_some("ALWAYS_FORWARD_ONLY");
    client(&of.client)
        .with_filled("internal_address_config", internal(&of.internal))
        .with_flag("append_x_forwarded_port", of.append_x_forwarded_port)
        .with_some(
            "scheme_header_transformation",
            scheme.map(|scheme| within("scheme_to_overwrite", scheme)),
        )
        .with_list("early_header_mutation_extensions", early(of))
        .with_flag("normalize_path", of.normalize_path)
        .with_flag("merge_slashes", of.merge_slashes)
        .with_unless(
            "path_with_escaped_slashes_action",
            name_of(&ESCAPED_SLASHES, &of.escaped_slashes),
            name_of(&ESCAPED_SLASHES, &EscapedSlashes::Keep),
        )
        .with_flag(
            "strip_matching_host_port",
            of.strip_port == PortStripping::Matching,
        )
        .with_flag("strip_any_host_port", of.strip_port == PortStripping::Any)
        .with_flag("strip_trailing_host_dot", of.strip_trailing_host_dot)
        .with_text("via", &of.via)
        .with_some("forward_client_cert_details", certificate)
}

fn early(of: &ConnectionManager) -> Option<Fields> {
    let config =
        Fields::of_type(EARLY_MUTATION_TYPE).with_list("mutations", mutation_list(&of.early));
    let name = "envoy.http.early_header_mutation.header_mutation";
    (!of.early.is_empty()).then(|| within("name", name).with("typed_config", config))
}

fn internal(ranges: &[AddressRange]) -> Fields {
    Fields::new().with_list("cidr_ranges", ranges.iter().map(range))
}

fn range(of: &AddressRange) -> Fields {
    within("address_prefix", format!("{}", of.address)).with("prefix_len", u32::from(of.length))
}

fn client(of: &ClientAddress) -> Fields {
    let detections = match of {
        ClientAddress::Connection {
            trusted_hops,
            append,
        } => {
            return within("use_remote_address", true)
                .with_unless("xff_num_trusted_hops", *trusted_hops, 0)
                .with_flag("skip_xff_append", !append);
        }
        ClientAddress::Headers(detections) => detections.as_slice(),
    };
    if let [
        AddressDetection::Hops {
            skip,
            append: false,
        },
    ] = detections
    {
        return Fields::new().with_unless("xff_num_trusted_hops", *skip, 0);
    }
    let extensions = detections.iter().map(detection);
    Fields::new().with_list("original_ip_detection_extensions", extensions)
}

fn detection(of: &AddressDetection) -> Fields {
    let skip = |append: bool| (append).then_some(false);
    let (name, type_name, config) = match of {
        AddressDetection::Hops { skip: hops, append } => (
            "xff",
            XFF_TYPE,
            Fields::new()
                .with_unless("xff_num_trusted_hops", *hops, 0)
                .with_some("skip_xff_append", skip(*append)),
        ),
        AddressDetection::Trusted { ranges, append } => {
            let cidrs = Fields::new().with_list("cidrs", ranges.iter().map(range));
            let config = within("xff_trusted_cidrs", cidrs);
            (
                "xff",
                XFF_TYPE,
                config.with_some("skip_xff_append", skip(*append)),
            )
        }
        AddressDetection::Header {
            name,
            trusted,
            refuse,
        } => (
            "custom_header",
            CUSTOM_HEADER_TYPE,
            within("header_name", name.as_str())
                .with_flag("allow_extension_to_set_address_as_trusted", *trusted)
                .with_some(
                    "reject_with_status",
                    refuse.map(|status| within("code", status)),
                ),
        ),
    };
    let config = Fields::of_type(&format!("{DETECTION_PREFIX}{type_name}")).and(config);
    let name: String = format!("envoy.http.original_ip_detection.{name}");
    within("name", name).with("typed_config", config)
}
