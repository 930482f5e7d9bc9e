//! Fields that say how Envoy comes to know what is stated here: health above all.

use crate::{
    node::NodeValue,
    proto::{Message, Report},
};

/// Fields whose effect is in the health that hosts have, which comes from outside, or in what
/// happens after a host is chosen.
pub(super) fn note_what_is_stated(
    cluster: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    report: &mut Report,
) {
    const CLUSTER: [(&str, &str); 3] = [
        (
            "health_checks",
            "health_checks are not made here: hosts have the health that is stated",
        ),
        (
            "outlier_detection",
            "outlier_detection ejects nobody here: hosts have the health that is stated",
        ),
        (
            "preconnect_policy",
            "preconnect_policy is not followed: it picks hosts ahead of requests",
        ),
    ];
    const COMMON: [(&str, &str); 1] = [(
        "ignore_new_hosts_until_first_hc",
        "ignore_new_hosts_until_first_hc waits for no check here: hosts have the health that is stated",
    )];
    let parts = [(Some(cluster), CLUSTER.as_slice()), (common, &COMMON)];
    for (message, fields) in parts {
        let Some(message) = message else { continue };
        for (field, why) in fields {
            if let Some(node) = message
                .get(field)
                .filter(|n| n.value != NodeValue::Bool(false))
            {
                let path = message.path.field(*field);
                report.note("config/not-modelled", *why, &path, node.position);
            }
        }
    }
}
