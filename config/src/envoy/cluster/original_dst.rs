//! A cluster of type `ORIGINAL_DST`: each request says where it goes.

use alloc::string::String;

use spillgate_core::model::OriginalDstCluster;

use crate::{
    envoy::{
        policy::LbPolicy,
        schema::{LEGACY_ORIGINAL_DST, METADATA_KEY},
    },
    proto::{Message, Report},
};

/// The header that Envoy looks at when the configuration names none.
pub(crate) const DEFAULT_ORIGINAL_DST_HEADER: &str = "x-envoy-original-dst-host";

/// Reads the cluster; that its policy is provided is checked with the policy.
pub(super) fn read_original_dst(
    cluster: &Message<'_, '_>,
    lb_policy: Option<LbPolicy>,
    report: &mut Report,
) -> OriginalDstCluster {
    let unreadable = cluster.has("lb_policy") && lb_policy.is_none();
    // Subsets on such a cluster are a matter for lint, and the policy is then part of it.
    let left_to_lint = report.is_judged() && cluster.has("lb_subset_config");
    if lb_policy != Some(LbPolicy::ClusterProvided) && !unreadable && !left_to_lint {
        cluster
            .error(
                "lb_policy",
                "config/lb-policy",
                "a cluster of this type brings its own policy",
            )
            .expected("CLUSTER_PROVIDED")
            .push_to(report);
    }
    if cluster.has("load_assignment") {
        let fault = "a cluster of this type has no endpoints of its own";
        report.push(cluster.error("load_assignment", "config/original-dst", fault));
    }
    let what = "a cluster of type ORIGINAL_DST";
    report.not_in_filter(
        "config/not-supported",
        what,
        &cluster.path,
        cluster.position,
    );
    report.note(
        "config/original-dst",
        "the hosts of an ORIGINAL_DST cluster are known only with each request",
        &cluster.path,
        cluster.position,
    );
    let Some(config) = cluster.message("original_dst_lb_config", &LEGACY_ORIGINAL_DST, report)
    else {
        return OriginalDstCluster::default();
    };
    if let Some(key) = config.message("metadata_key", &METADATA_KEY, report) {
        key.required_string("key", report);
        if key.list("path", report).next().is_none() {
            key.missing("path").push_to(report);
        }
        report.note(
            "config/not-modelled",
            "a destination in dynamic metadata is not followed",
            &key.path,
            key.position,
        );
    }
    OriginalDstCluster {
        http_header: read_header(&config, report),
        upstream_port: read_port(&config, report),
    }
}

fn read_header(config: &Message<'_, '_>, report: &mut Report) -> Option<String> {
    let used = config.bool("use_http_header", report).unwrap_or(false);
    let name = config
        .string("http_header_name", report)
        .filter(|name| !name.is_empty());
    if let (false, Some(_)) = (used, name) {
        config
            .error(
                "http_header_name",
                "config/original-dst",
                "a header that is not used",
            )
            .expected("use_http_header: true beside it")
            .push_to(report);
    }
    used.then(|| {
        name.unwrap_or(DEFAULT_ORIGINAL_DST_HEADER)
            .to_ascii_lowercase()
    })
}

fn read_port(config: &Message<'_, '_>, report: &mut Report) -> Option<u16> {
    let field = "upstream_port_override";
    let port = config.wrapped_u32(field, report)?;
    let port = u16::try_from(port).ok();
    if port.is_none() {
        config.out_of_range(field, "a port from 0 to 65535", report);
    }
    port
}
