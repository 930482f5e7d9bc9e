//! A cluster of type `ORIGINAL_DST`: each request determines its destination.

use alloc::string::String;

use spillgate_core::model::OriginalDstCluster;

use crate::{
    envoy::{
        facts::FieldPlace,
        marks::ClusterMarks,
        policy::LbPolicy,
        schema::{LEGACY_ORIGINAL_DST, METADATA_KEY},
    },
    proto::{Message, Report},
};

/// The header that Envoy reads if the configuration names none.
pub(crate) const DEFAULT_ORIGINAL_DST_HEADER: &str = "x-envoy-original-dst-host";

/// Reads the cluster; the policy reader checks that its policy is CLUSTER_PROVIDED.
pub(super) fn read_original_dst(
    cluster: &Message<'_, '_>,
    lb_policy: Option<LbPolicy>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> OriginalDstCluster {
    let unreadable = cluster.has("lb_policy") && lb_policy.is_none();
    // A lint rule covers subsets on such a cluster; the policy is then part of it.
    let left_to_lint = report.is_judged() && cluster.has("lb_subset_config");
    if lb_policy != Some(LbPolicy::ClusterProvided) && !unreadable && !left_to_lint {
        cluster
            .error(
                "lb_policy",
                "config/lb-policy",
                "this cluster type requires CLUSTER_PROVIDED",
            )
            .expected("CLUSTER_PROVIDED")
            .push_to(report);
    }
    if cluster.has("load_assignment") {
        let fault = "ORIGINAL_DST clusters must not have endpoints";
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
        "ORIGINAL_DST hosts are known only per request",
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
        if let Some(facts) = marks.facts() {
            facts.original_dst_metadata = true;
        }
        let effect = "metadata_key is not modeled; requests with this metadata go elsewhere";
        report.limit("config/not-modeled", effect, &key.path, key.position);
    }
    OriginalDstCluster {
        http_header: read_header(&config, marks, report),
        upstream_port: read_port(&config, report),
    }
}

fn read_header(
    config: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<String> {
    let used = config.bool("use_http_header", report).unwrap_or(false);
    let name = config
        .string("http_header_name", report)
        .filter(|name| !name.is_empty());
    if let (false, Some(_)) = (used, name) {
        config
            .error(
                "http_header_name",
                "config/original-dst",
                "http_header_name requires use_http_header",
            )
            .expected("use_http_header: true")
            .push_to(report);
    }
    let header = used.then(|| {
        name.unwrap_or(DEFAULT_ORIGINAL_DST_HEADER)
            .to_ascii_lowercase()
    });
    if let Some(facts) = marks.facts() {
        let place = FieldPlace::of_field(config, "http_header_name")
            .or_else(|| FieldPlace::of_field(config, "use_http_header"));
        facts.original_dst_header = header.clone().zip(place);
    }
    header
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
