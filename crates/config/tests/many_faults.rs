//! Inputs with more faults than a report lists: the report is short and says that there are more.

use spillgate_config::{
    Diagnostic, DiagnosticSeverity, MAXIMUM_DIAGNOSTICS,
    envoy::{Format, read},
    filter,
};

const SIZE: usize = 5_000_000;

fn faults(text: &str, format: Format) -> Vec<Diagnostic> {
    read(text, format).unwrap_err()
}

/// Checks that the report lists as many errors as it may, and says that there are more.
fn is_cut(name: &str, faults: &[Diagnostic]) {
    assert_eq!(faults.len(), MAXIMUM_DIAGNOSTICS + 1, "{name}");
    let (last, listed) = faults.split_last().unwrap();
    assert!(
        listed.iter().all(|fault| fault.position.is_some()),
        "{name}"
    );
    assert_eq!(
        last.to_string(),
        "config/more: reading stopped after 1000 errors; fix these first"
    );
}

#[test]
fn the_report_of_megabytes_of_faults_is_short() {
    let yaml = Format::Yaml;
    let clusters = "static_resources:\n  clusters:\n";
    let inputs = [
        ("one key", yaml, "static_resources:\n", "  a: b\n", ""),
        (
            "one key in JSON",
            Format::Json,
            "{\"static_resources\": {",
            "\"a\":1,\n",
            "\"a\":1}}",
        ),
        ("messages", yaml, "", "- a: b\n", ""),
        ("documents", yaml, "", "a: b\n---\n", ""),
        ("clusters", yaml, clusters, "  - a: b\n", ""),
        (
            "fields",
            yaml,
            "static_resources:\n  clusters:\n  - name: x\n",
            "    a: b\n",
            "",
        ),
    ];
    for (name, format, before, piece, after) in inputs {
        if cfg!(not(feature = "yaml")) && format == yaml {
            continue;
        }
        let text = [before, &piece.repeat(SIZE / piece.len()), after].concat();
        is_cut(name, &faults(&text, format));
    }
    let text = ["{", &"\"a\":1,\n".repeat(SIZE / 7), "\"a\":1}"].concat();
    is_cut(
        "the filter's configuration",
        &filter::read(&text).unwrap_err(),
    );
}

/// A cluster with as many duplicate keys, and `rest`.
fn duplicates(count: usize, rest: &str) -> String {
    let keys = "\"a\": 1, ".repeat(count);
    format!(
        r#"{{"name": "c", "metadata": {{"filter_metadata": {{"x": {{{keys}"a": 1}}}}}},
        "load_assignment": {{"cluster_name": "c", "endpoints": [{{"lb_endpoints": [{{"endpoint":
        {{"address": {{"socket_address": {{"address": "10.0.0.1", "port_value": 80}}}}}}}}]}}]}}{rest}}}"#
    )
}

#[test]
fn more_warnings_than_listed_are_mentioned() {
    for (count, more) in [
        (MAXIMUM_DIAGNOSTICS, false),
        (MAXIMUM_DIAGNOSTICS + 1, true),
    ] {
        let config = read(&duplicates(count, ""), Format::Json).unwrap();
        let (last, listed) = config.warnings.split_last().unwrap();
        assert_eq!(last.code == "config/more", more, "{last}");
        assert_eq!(last.severity, DiagnosticSeverity::Warning);
        assert_eq!(listed.len(), MAXIMUM_DIAGNOSTICS - usize::from(!more));
    }
}

#[test]
fn warnings_do_not_hide_an_error() {
    let found = faults(&duplicates(3000, r#", "typ": "STATIC""#), Format::Json);
    let found: Vec<_> = found
        .iter()
        .map(|fault| (fault.code, fault.path.as_str()))
        .collect();
    assert_eq!(found, [("config/unknown-field", "typ")]);
}

#[test]
fn as_many_errors_as_listed_are_all() {
    for (count, more) in [(MAXIMUM_DIAGNOSTICS, 0), (MAXIMUM_DIAGNOSTICS + 1, 1)] {
        let unknown: Vec<String> = (0..count).map(|n| format!("\"k{n}\": 1")).collect();
        let text = duplicates(0, &format!(", {}", unknown.join(",\n")));
        let found = faults(&text, Format::Json);
        assert_eq!(found.len(), MAXIMUM_DIAGNOSTICS + more);
        assert_eq!(
            found
                .iter()
                .filter(|fault| fault.code == "config/more")
                .count(),
            more
        );
    }
}
