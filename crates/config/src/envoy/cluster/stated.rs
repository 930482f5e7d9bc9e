//! Settings that Envoy uses to find out health, which is an input here.

use crate::{
    node::NodeValue,
    proto::{Message, Report},
};

/// Settings that affect the health of hosts, which is an input here, or that act after a host is
/// chosen.
pub(super) fn note_what_is_stated(
    cluster: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    report: &mut Report,
) {
    const NOT_SIMULATED: &str = "config/not-simulated";
    const CLUSTER: [(&str, &str, &str); 3] = [
        (
            "health_checks",
            NOT_SIMULATED,
            "health_checks are not simulated; using configured health",
        ),
        (
            "outlier_detection",
            NOT_SIMULATED,
            "outlier_detection is not simulated; using configured health",
        ),
        (
            "preconnect_policy",
            "config/not-modeled",
            "preconnect_policy is not modeled; ignored",
        ),
    ];
    const COMMON: [(&str, &str, &str); 1] = [(
        "ignore_new_hosts_until_first_hc",
        NOT_SIMULATED,
        "ignore_new_hosts_until_first_hc is not simulated; using configured health",
    )];
    let parts = [(Some(cluster), CLUSTER.as_slice()), (common, &COMMON)];
    for (message, fields) in parts {
        let Some(message) = message else { continue };
        for (field, code, why) in fields {
            if let Some(node) = message
                .get(field)
                .filter(|n| n.value != NodeValue::Bool(false))
            {
                #[cfg(feature = "unread")]
                if fields == COMMON.as_slice() {
                    report.note_part("Cluster.CommonLbConfig", field, node);
                }
                let path = message.path.field(*field);
                report.note(code, *why, &path, node.position);
            }
        }
    }
}
