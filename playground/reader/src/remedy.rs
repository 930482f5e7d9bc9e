//! Remedies in the words of a page: it has no options of a command, but a field for the output of `/clusters`.

use alloc::string::String;

/// Texts of commands, and those of the page in their place. Longer ones are first.
const WORDS: [(&str, &str); 5] = [
    (
        ", --root DIR, --health FILE or --admin URL",
        " or the output of /clusters",
    ),
    (
        ", --health FILE or --admin URL",
        " or the output of /clusters",
    ),
    ("--health FILE or --admin URL", "the output of /clusters"),
    (
        "--admin and capture read them from a running Envoy",
        "/runtime of the running Envoy has them",
    ),
    (", or --root", ""),
];

/// A text without options of a command.
pub(crate) fn for_page(text: &str) -> String {
    WORDS
        .iter()
        .fold(String::from(text), |text, (command, page)| {
            if text.contains(command) {
                text.replace(command, page)
            } else {
                text
            }
        })
}

#[cfg(feature = "envoy")]
#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec::Vec};

    use spillgate_codec::import::ImportAnswer;

    /// Every text of an import that can have advice.
    fn texts(config: &str) -> Vec<String> {
        let answer = crate::answer(config.as_bytes(), b"");
        let answer = ImportAnswer::from_bytes(&answer).unwrap();
        let limits = answer.limits.into_iter().map(|limit| limit.effect);
        let faults = answer.faults.into_iter();
        let faults = faults.flat_map(|fault| [Some(fault.message), fault.expected]);
        limits.chain(faults.flatten()).collect()
    }

    #[test]
    fn no_advice_has_options_of_a_command() {
        const EDS: &str = "hosts are not known from the configuration: EDS provides them";
        let eds_file = "- {name: a, type: EDS, eds_cluster_config: {eds_config: {path_config_source: {path: /eds.yaml}}}}";
        let dump = "configs:\n\
             - \"@type\": type.googleapis.com/envoy.admin.v3.ClustersConfigDump\n  \
               dynamic_active_clusters:\n  \
               - cluster: {\"@type\": type.googleapis.com/envoy.config.cluster.v3.Cluster, name: a, type: EDS}\n";
        let dns = "- {name: a, type: STRICT_DNS, load_assignment: {cluster_name: a, endpoints: [{lb_endpoints: \
             [{endpoint: {address: {socket_address: {address: a.example, port_value: 80}}}}]}]}}";
        let layer = "static_resources: {clusters: [{name: a}]}\n\
             layered_runtime: {layers: [{name: admin, admin_layer: {}}]}\n";
        let cds = "dynamic_resources: {cds_config: {path_config_source: {path: /cds.yaml}}}\n";
        for (config, expected) in [
            (
                "- {name: a, type: EDS}",
                format!(
                    "{EDS}; add the file with the ClusterLoadAssignment or the output of /clusters"
                ),
            ),
            (
                eds_file,
                format!("{EDS}; add the file /eds.yaml or the output of /clusters"),
            ),
            (
                dump,
                "use /config_dump?include_eds or the output of /clusters".into(),
            ),
            (dns, "one host; add the output of /clusters".into()),
            (layer, "/runtime of the running Envoy has them".into()),
            (cds, "the file /cds.yaml in the input".into()),
        ] {
            let texts = texts(config);
            assert!(
                texts.iter().any(|text| text.contains(&expected)),
                "{texts:?}"
            );
            assert!(!texts.iter().any(|text| text.contains("--")), "{texts:?}");
        }
    }
}
