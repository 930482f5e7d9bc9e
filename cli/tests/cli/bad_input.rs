//! Unusable input: an error for every problem, exit status 2, and no output.

use std::{fs, io::Write as _};

use crate::run::{FULL, Ran, fixture, scratch, spillgate, spillgate_in, spillgate_with};

/// The fixture with some of its text replaced.
#[track_caller]
fn changed(changes: &[(&str, &str)]) -> Ran {
    let mut yaml = fixture("shop.yaml");
    for (from, to) in changes {
        assert!(yaml.contains(from), "{from}");
        yaml = yaml.replace(from, to);
    }
    spillgate_with(&["split", "-"], yaml.as_bytes())
}

#[track_caller]
fn assert_rejected(ran: &Ran, parts: &[&str]) {
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    for part in parts {
        assert!(
            ran.stderr.contains(part),
            "{part:?} is not in {}",
            ran.stderr
        );
    }
}

#[test]
fn an_error_shows_its_line_and_a_warning_too() {
    let yaml = "name: shop\nlb_policy: MAGLEF\nring_hash_lb_config: {}\n";
    let ran = spillgate_in(&FULL, &["split", "-"], yaml.as_bytes());
    let expected = "error[config/unknown-value]: unknown value
 --> -:2:12
  |
2 | lb_policy: MAGLEF
  |            ^^^^^^
  |
  = note: found \"MAGLEF\"";
    assert_rejected(
        &ran,
        &[expected, "= help: did you mean MAGLEV?", "= at: lb_policy"],
    );
    let ran = spillgate_in(
        &FULL,
        &["split", "-"],
        yaml.replace("MAGLEF", "MAGLEV").as_bytes(),
    );
    ran.assert_error_has("warning[config/no-effect]: ");
    ran.assert_error_has("3 | ring_hash_lb_config: {}\n");
}

/// Keys of a file with secrets reach no log.
#[test]
fn a_line_with_a_secret_is_not_shown() {
    let yaml = "name: shop\nlb_polici: {secret: abcdef}\n";
    let ran = spillgate_in(&FULL, &["split", "-"], yaml.as_bytes());
    assert_rejected(&ran, &["error[config/unknown-field]", "--> -:2:1\n"]);
    assert!(!ran.stderr.contains("abcdef"), "{}", ran.stderr);
}

#[test]
fn an_unknown_cluster_has_a_suggestion() {
    let ran = spillgate(&[
        "split",
        "shop.yaml",
        "--cluster",
        "primry",
        "--cluster",
        "zzz",
    ]);
    assert_rejected(
        &ran,
        &[
            "shop.yaml: split/unknown-cluster",
            "\"primry\"",
            "(did you mean primary?)",
            "\"zzz\"",
        ],
    );
    assert_eq!(ran.stderr.lines().count(), 2);
}

#[test]
fn a_route_to_an_unknown_cluster_has_its_position() {
    let ran = changed(&[("route: {cluster: down}", "route: {cluster: dwn}")]);
    assert_rejected(
        &ran,
        &["-:28:34: config/unknown-cluster", "(did you mean down?)"],
    );
}

#[test]
fn a_cycle_of_aggregates_is_an_error() {
    let ran = changed(&[("[primary, secondary]", "[primary, shop]")]);
    assert_rejected(&ran, &["-:106:", "config/aggregate-cycle", "shop -> shop"]);
}

#[test]
fn a_cluster_without_endpoints_is_a_warning_and_has_no_host() {
    let yaml = "name: empty\nload_assignment: {cluster_name: empty, endpoints: []}\n";
    let ran = spillgate_with(&["split", "-", "--format", "csv"], yaml.as_bytes());
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr
            .starts_with("warning: -:1:1: config/no-endpoints"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ran.stdout,
        "cluster,owner,priority,endpoint,share\nempty,,,,100\n"
    );
}

#[test]
fn weights_out_of_range_are_errors() {
    for weight in ["0", "4294967296", "-1", "1.5"] {
        let ran = changed(&[("weight: 3", &format!("weight: {weight}"))]);
        assert_rejected(&ran, &["-:66:34: config/", "load_balancing_weight", weight]);
    }
    assert_eq!(changed(&[("weight: 3", "weight: 4294967295")]).status, 0);
}

#[test]
fn a_table_size_that_is_not_prime_is_an_error() {
    let maglev = "lb_policy: MAGLEV\n    maglev_lb_config: {table_size: 65536}";
    let ran = changed(&[("lb_policy: MAGLEV", maglev)]);
    assert_rejected(&ran, &["config/table-size", "65536", "prime"]);
}

#[test]
fn a_truncated_text_is_an_error() {
    let yaml = fixture("shop.yaml");
    let inside_a_list = yaml.find("[primary, ").unwrap() + "[primary, ".len();
    let ran = spillgate_with(&["split", "-"], &yaml.as_bytes()[..inside_a_list]);
    assert_rejected(&ran, &["-:106:", "config/truncated"]);

    // Some prefixes are complete texts. Each gives an answer or an error with a reason.
    for end in (0..yaml.len()).step_by(97) {
        let ran = spillgate_with(&["split", "-"], &yaml.as_bytes()[..end]);
        assert!(ran.status == 0 || ran.status == 2, "{end}: {ran:?}");
        assert!(
            ran.status == 0 || ran.stderr.starts_with("-:"),
            "{end}: {ran:?}"
        );
    }
}

#[test]
fn ten_errors_are_reported_at_once() {
    let ran = changed(&[
        ("weight: 3", "weight: 0"),
        ("lb_policy: MAGLEV", "lb_policy: MAGLEF"),
        ("lb_policy: ROUND_ROBIN", "lb_polcy: ROUND_ROBIN"),
        ("health_status: DRAINING", "health_status: DRAINED"),
        ("health_status: DEGRADED", "health_status: [DEGRADED]"),
        ("{value: 0}", "{value: 101}"),
        (
            "address: 10.1.0.1, port_value: 80",
            "address: 10.1.0.1, port_value: 65536",
        ),
        ("route: {cluster: down}", "route: {cluster: dwn}"),
        (
            "direct_response: {status: 204}",
            "direct_response: {status: 2}",
        ),
        ("priority: 1", "priority: 129"),
    ]);
    assert_rejected(
        &ran,
        &[
            "MAGLEF", "lb_polcy", "DRAINED", "65536", "dwn", "129", "101",
        ],
    );
    assert!(ran.stderr.lines().count() >= 10, "{}", ran.stderr);
    for line in ran.stderr.lines() {
        let mut place = line.strip_prefix("-:").unwrap().splitn(3, ':');
        let mut number = || place.next().unwrap().parse::<u32>().unwrap();
        assert!(number() > 0 && number() > 0, "{line}");
    }
}

#[test]
fn fifty_megabytes_are_read() {
    const SIZE: u64 = 50 * 1024 * 1024;
    let path = scratch("large").join("envoy.yaml");
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    let mut write = |text: String| {
        file.write_all(text.as_bytes()).unwrap();
        text.len() as u64
    };
    let head =
        "name: big\nload_assignment:\n  cluster_name: big\n  endpoints:\n  - lb_endpoints:\n";
    let mut written = write(head.into());
    let mut hosts = 0_u32;
    while written < SIZE {
        let [_, a, b, c] = hosts.to_be_bytes();
        // Long lines keep the number of hosts small; only the size of the text matters.
        written += write(format!(
            "    - # {:900}\n      endpoint: {{address: {{socket_address: {{address: 10.{a}.{b}.{c}, port_value: 80}}}}}}\n",
            ""
        ));
        hosts += 1;
    }
    drop(file);
    let ran = spillgate(&["split", path.to_str().unwrap(), "--format", "csv"]);
    fs::remove_file(&path).unwrap();
    assert_eq!((ran.status, ran.stderr.lines().next()), (0, None));
    assert_eq!(ran.stdout.lines().count() as u32, hosts + 1);
}

#[test]
fn a_file_beyond_the_limit_is_rejected_unread() {
    let path = scratch("huge").join("envoy.yaml");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let ran = spillgate(&["split", path.to_str().unwrap()]);
    fs::remove_file(&path).unwrap();
    assert_rejected(&ran, &["envoy.yaml: input/too-large", "67108864"]);
}

#[test]
fn files_that_are_not_text_are_rejected() {
    assert_rejected(
        &spillgate(&["split", "shop.yaml", "--health", "."]),
        &[".: input/unreadable", "folder"],
    );
    assert_rejected(
        &spillgate(&["split", "gone.yaml"]),
        &["gone.yaml: input/unreadable"],
    );
    let ran = spillgate_with(&["split", "-"], b"name: \xff\n");
    assert_rejected(&ran, &["-:1:7: config/encoding"]);
    assert_rejected(&spillgate(&["split", "-"]), &["config/empty"]);
}

#[test]
fn wrong_arguments_have_status_2_and_help_has_0() {
    for args in [
        &[][..],
        &["split"],
        &["splt"],
        &["split", "a", "--format", "xml"],
    ] {
        let ran = spillgate_in(&FULL, args, b"");
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains("--help"), "{args:?}: {}", ran.stderr);
    }
    for command in ["split", "pick", "conformance"] {
        let ran = spillgate(&[command, "--help"]);
        assert_eq!(ran.status, 0);
        assert!(ran.stdout.contains("Examples:"), "{}", ran.stdout);
    }
}

/// As for Envoy's configurations: one error names the placeholder.
#[test]
fn documents_of_a_mesh_with_placeholders_are_templates() {
    let rule = |value: &str| {
        format!(
            "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {{name: r}}\nspec:\n  \
             host: shop.example\n  trafficPolicy:\n    outlierDetection:\n      consecutive5xxErrors: {value}\n"
        )
    };
    for value in ["$ERRORS", "${ERRORS}"] {
        let ran = spillgate_with(&["split", "-", "--as", "z1"], rule(value).as_bytes());
        let expected = format!(
            "-:8:29: config/template: input is a template; render it first; found \"{value}\""
        );
        assert_rejected(&ran, &[&expected]);
    }
}
