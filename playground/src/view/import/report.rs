//! What the readers read, what they ignored, and what the texts lack.

use spillgate_scenario::{FaultSeverity, ImportFault, ImportResult, plural};

/// The parts of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReadReport {
    /// What the result has: `3 clusters`, `24 hosts`.
    pub(crate) read: Vec<String>,
    /// Settings that are not modeled: figures can differ from Envoy.
    pub(crate) limits: Vec<ReportLine>,
    /// Settings and parts that have no effect in the playground.
    pub(crate) ignored: Vec<ReportLine>,
    /// Data that the texts do not have.
    pub(crate) missing: Vec<ReportLine>,
}

/// A line of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReportLine {
    /// Its place in the list of faults.
    pub(crate) fault: usize,
    /// What it is about.
    pub(crate) path: String,
    /// What the reader says.
    pub(crate) message: String,
    /// The admin query of Envoy that answers with the missing data.
    pub(crate) query: Option<&'static str>,
}

/// The report of a result. Errors are not part of it: they prevent a result.
#[must_use]
pub(crate) fn read_report(result: &ImportResult) -> ReadReport {
    let mut report = ReadReport::default();
    let Some(imported) = &result.imported else {
        return report;
    };
    let clusters = &imported.origin.clusters;
    report.read.push(plural(clusters.len(), "cluster"));
    let priorities: usize = clusters
        .iter()
        .map(|cluster| cluster.priorities().len())
        .sum();
    let hosts = clusters.iter().flat_map(|cluster| cluster.priorities());
    let hosts: usize = hosts.map(|priority| priority.endpoints.len()).sum();
    report.read.push(match priorities {
        1 => "1\u{a0}priority".into(),
        more => format!("{more}\u{a0}priorities"),
    });
    report.read.push(plural(hosts, "host"));
    for (number, fault) in result.faults.iter().enumerate() {
        let query = query_for(fault);
        let remark = ReportLine {
            fault: number,
            path: fault.path.clone(),
            message: fault.message.clone(),
            query,
        };
        if fault.severity == FaultSeverity::Error {
            continue;
        }
        if query.is_some() {
            report.missing.push(remark);
        } else if fault.severity == FaultSeverity::Limit {
            report.limits.push(remark);
        } else if is_ignored(&fault.code) {
            report.ignored.push(remark);
        }
    }
    report
}

/// Whether a diagnostic is about a part of the text that has no effect in the playground.
fn is_ignored(code: &str) -> bool {
    code.ends_with("-not-modeled")
        || matches!(
            code,
            "config/not-modeled"
                | "config/not-simulated"
                | "config/dump-section"
                | "config/dump-warming"
                | "config/not-steered"
                | "config/several-filters"
                | "clusters/unknown-cluster"
                | "mesh/gateway-not-read"
                | "mesh/rule-condition"
                | "input/skipped"
        )
}

/// The query that answers with what a diagnostic misses.
fn query_for(fault: &ImportFault) -> Option<&'static str> {
    match fault.code.as_str() {
        "config/eds-endpoints" | "config/cds-clusters" => Some("/config_dump?include_eds"),
        "config/runtime-layer" | "config/runtime-key" => Some("/runtime"),
        "config/rds-routes" | "config/unknown-cluster" => Some("/config_dump"),
        "config/no-endpoints"
        | "config/hosts-unknown"
        | "config/dns-name"
        | "config/dump-health"
        | "config/dump-status"
        | "clusters/missing-cluster" => Some("/clusters?format=json"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use spillgate_scenario::{ImportTexts, import_result};

    use super::*;
    use crate::view::import::text::{OpenedFile, texts_of};

    fn report_of(config: &str) -> ReadReport {
        let answer = spillgate_reader::answer(config.as_bytes(), b"");
        let texts = ImportTexts {
            config: config.into(),
            clusters: String::new(),
        };
        read_report(&import_result(texts, &answer))
    }

    #[test]
    fn a_report_names_what_was_read_ignored_and_missing() {
        let report = report_of(
            "- {name: a, type: EDS}\n\
             - {name: b, type: EDS}\n\
             - {name: c, preconnect_policy: {predictive_preconnect_ratio: 2}, load_assignment: {cluster_name: c, \
             endpoints: [{lb_endpoints: [{endpoint: {address: {pipe: {path: /a}}}}]}]}}\n",
        );
        assert_eq!(
            report.read,
            ["3\u{a0}clusters", "1\u{a0}priority", "1\u{a0}host"]
        );
        let [ignored] = report.ignored.as_slice() else {
            panic!("{report:?}");
        };
        assert!(ignored.path.contains("preconnect_policy"), "{report:?}");
        // One for each cluster: the answers about the other one do not depend on it.
        let paths: Vec<&str> = report.missing.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["[0]", "[1]"], "{report:?}");
        let query = |one: &ReportLine| one.query == Some("/config_dump?include_eds");
        assert!(report.missing.iter().all(query), "{report:?}");
    }

    #[test]
    fn faults_name_the_file_that_has_them() {
        let file = |name: &str, text: &str| OpenedFile {
            name: name.into(),
            text: Some(text.into()),
        };
        let texts = texts_of(&[
            file("clusters.yaml", "name: a\ntype: EDS\nlb_policy: MAGLEF\n"),
            file("more.json", "{\"name\": 1.5}"),
        ]);
        let answer = spillgate_reader::answer(texts.config.as_bytes(), b"");
        let result = import_result(texts, &answer);
        let faults = result.faults.iter();
        let places: Vec<_> = faults
            .map(|fault| (fault.path.as_str(), fault.position.unwrap().line))
            .collect();
        assert_eq!(
            places,
            [("clusters.yaml: lb_policy", 5), ("more.json: name", 8)]
        );
    }

    #[test]
    fn errors_have_no_report() {
        assert_eq!(report_of("{clusterz: []}"), ReadReport::default());
    }

    #[test]
    fn the_codes_are_documented() {
        let documented = include_str!("../../../../cli/src/explain_code/codes.md");
        let source = include_str!("report.rs");
        let codes = source.split('"').filter(|text| {
            let is_code = |part: &str| text.starts_with(part) && !text.ends_with('/');
            ["config/", "clusters/", "mesh/", "input/"]
                .into_iter()
                .any(is_code)
        });
        let codes: Vec<&str> = codes.collect();
        assert!(codes.len() > 10);
        for code in codes {
            assert!(documented.contains(&format!("| `{code}` |")), "{code}");
        }
    }
}
