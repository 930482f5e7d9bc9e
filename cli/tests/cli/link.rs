//! `spillgate link`.

use crate::run::{spillgate, spillgate_with};

/// The link of the first preset, which the page has written since its first version.
const STORED: &str =
    "1g.AAEEc2hvcAOBgAQyjAEAAAMCAAABYQAAAAABYgAABAEBAgQJBAIBAQAAAWMAAAEBCgEAAAFkAAABAQQ10w";

#[test]
fn the_first_link_of_the_page_still_opens() {
    let replaced = spillgate(&["link", "decode", STORED, "--format", "table"]);
    assert_eq!((replaced.status, replaced.stderr.as_str()), (0, ""));
    assert!(
        replaced.stdout.contains("shop (MAGLEV)"),
        "{}",
        replaced.stdout
    );
    // Half of P0 is unhealthy.
    let loads: Vec<&str> = replaced
        .stdout
        .lines()
        .skip(3)
        .take(3)
        .filter_map(|line| line.split_whitespace().nth(6))
        .collect();
    assert_eq!(loads, ["70", "30", "0"]);
    let address = format!("http://127.0.0.1:8080/?a=b#{STORED}\n");
    let piped = spillgate_with(
        &["link", "decode", "-", "--format", "table"],
        address.as_bytes(),
    );
    assert_eq!(piped.stdout, replaced.stdout);
}

#[test]
fn a_link_has_the_shares_of_the_configuration() {
    let of_config = spillgate(&["split", "shop.yaml"]);
    let link = spillgate(&["link", "encode", "shop.yaml", "--include-addresses"]);
    assert_eq!((link.status, link.stderr.as_str()), (0, ""));
    let back = spillgate(&["link", "decode", link.stdout.trim(), "--format", "table"]);
    assert_eq!(back.stdout, of_config.stdout);
}

#[test]
fn a_decoded_link_is_a_configuration() {
    let of_config = spillgate(&["split", "shop.yaml", "--format", "json"]);
    let link = spillgate(&["link", "encode", "shop.yaml", "--include-addresses"]);
    for format in ["yaml", "json"] {
        let back = spillgate(&["link", "decode", link.stdout.trim(), "--format", format]);
        assert_eq!((back.status, back.stderr.as_str()), (0, ""));
        let split = spillgate_with(&["split", "-", "--format", "json"], back.stdout.as_bytes());
        assert_eq!(split.stdout, of_config.stdout);
    }
}

#[test]
fn addresses_are_only_included_on_request() {
    let closed = spillgate(&["link", "encode", "shop.yaml"]);
    let back = spillgate(&["link", "decode", closed.stdout.trim(), "--format", "table"]);
    assert!(back.stdout.contains(" 198.18."), "{}", back.stdout);
    assert!(!back.stdout.contains(" 10."), "{}", back.stdout);
}

#[test]
fn names_are_only_included_on_request() {
    let table = |args: &[&str]| {
        let link = spillgate(&[&["link", "encode", "shop.yaml"], args].concat());
        spillgate(&["link", "decode", link.stdout.trim(), "--format", "table"]).stdout
    };
    let (closed, named) = (table(&[]), table(&["--include-names"]));
    for name in ["primary", "eu/a"] {
        assert!(named.contains(name) && !closed.contains(name), "{closed}");
    }
    assert!(
        closed.contains("c1 (") && closed.contains("region-1/zone-1"),
        "{closed}"
    );
    assert!(
        named.contains(" 198.18.") && !named.contains(" 10."),
        "{named}"
    );
    // Nothing but names differs.
    let lines = |text: &str| text.lines().count();
    assert_eq!(lines(&closed), lines(&named));
}

#[test]
fn page_and_cluster_can_be_chosen() {
    let args = [
        "link",
        "encode",
        "shop.yaml",
        "--cluster",
        "down",
        "--include-names",
        "--format",
        "json",
    ];
    for wrong in [
        "not a url",
        "play",
        "https://",
        "ftp://a/",
        "http://:80/",
        "https://a b/",
        "file://",
    ] {
        let ran = spillgate(&[&args[..], &["--page", wrong]].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{wrong}");
        ran.assert_error_has(&format!(
            "--page: link/page: invalid URL; found \"{wrong}\", expected http"
        ));
    }
    let page = [&args[..], &["--page", "https://example.org/play/#old"]].concat();
    let ran = spillgate(&page);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let link = json["link"].as_str().unwrap();
    assert!(link.starts_with("https://example.org/play/#1"), "{link}");
    assert_eq!(json["cluster"], "down");
    assert_eq!(json["addresses"], "replaced");
    assert_eq!(json["names"], "included");
    assert_eq!(json["left_out"], serde_json::json!([]));
}

#[test]
fn dropped_settings_are_listed() {
    let config = "name: c\nlb_policy: LEAST_REQUEST\nleast_request_lb_config: {choice_count: 5}\n";
    let ran = spillgate_with(&["link", "encode", "-"], config.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let said = "warning: -: link/left-out: the link drops settings; found \
                least_request_lb_config\n";
    assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
}

#[test]
fn invalid_links_are_rejected() {
    let refused = |args: &[&str]| {
        let ran = spillgate(args);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.stderr
    };
    let cut = STORED.trim_end_matches("Q10w");
    assert!(refused(&["link", "decode", cut]).starts_with("LINK: link/unreadable: "));
    assert!(refused(&["link", "decode", "hello"]).contains("link/unreadable"));
    let said = refused(&["link", "encode", "shop.yaml", "--cluster", "shopp"]);
    assert!(
        said.contains("link/unknown-cluster") && said.contains("did you mean shop?"),
        "{said}"
    );
    let large = "name: c\nlb_policy: RING_HASH\nring_hash_lb_config: {minimum_ring_size: 8388608}\n\
        load_assignment:\n  cluster_name: c\n  endpoints:\n";
    let priority = |number: u32| {
        format!(
            "  - {{priority: {number}, lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}}}]}}\n"
        )
    };
    let large = format!("{large}{}{}", priority(0), priority(1));
    let ran = spillgate_with(&["link", "encode", "-"], large.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains(
            "link/not-shown: the playground cannot show this configuration: the hash tables need"
        ),
        "{}",
        ran.stderr
    );
}

/// The old and the new configuration of the manual.
const SIDES: [&str; 2] = ["../examples/envoy.yaml", "../examples/changed.yaml"];

fn comparison(args: &[&str]) -> crate::run::Ran {
    let [old, new] = SIDES;
    spillgate(&[&["link", "encode", "--diff", old, new], args].concat())
}

#[test]
fn a_link_compares_two_configurations() {
    let link = comparison(&["--include-addresses"]);
    assert_eq!((link.status, link.stderr.as_str()), (0, ""));
    let link = link.stdout.trim();
    for (side, file) in ["old", "new"].into_iter().zip(SIDES) {
        let args = ["link", "decode", link, "--side", side, "--format", "table"];
        let decoded = spillgate(&args);
        assert_eq!((decoded.status, decoded.stderr.as_str()), (0, ""));
        assert_eq!(decoded.stdout, spillgate(&["split", file]).stdout, "{side}");
    }
    // Both sides are what `diff` reads, and one after the other by default.
    let both = spillgate(&["link", "decode", link]);
    let (old, new) = both.stdout.split_once("---\n").unwrap();
    assert!(old.starts_with("# The old side.\n"), "{old}");
    assert!(new.starts_with("# The new side.\n"), "{new}");
    assert!(
        old.contains("10.0.0.4") && !new.contains("10.0.0.4"),
        "{new}"
    );
    let json = spillgate(&["link", "decode", link, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(json["old"]["static_resources"].is_object(), "{json}");
    assert!(json["new"]["static_resources"].is_object(), "{json}");
    // The scenario itself is the new side, also for programs without comparisons.
    let (scenario, _) = link.rsplit_once('.').unwrap();
    let new_side = spillgate(&["link", "decode", link, "--side", "new"]);
    assert_eq!(
        spillgate(&["link", "decode", scenario]).stdout,
        new_side.stdout
    );
    let wrong = spillgate(&["link", "decode", scenario, "--side", "old"]);
    assert_eq!(wrong.status, 2);
    wrong.assert_error_has("--side: link/no-old-side: the link does not compare two sides");
}

#[test]
fn a_comparison_discloses_what_other_links_disclose() {
    let decoded = |args: &[&str]| {
        let link = comparison(args);
        assert_eq!(link.status, 0, "{}", link.stderr);
        spillgate(&["link", "decode", link.stdout.trim()]).stdout
    };
    let (closed, named) = (decoded(&[]), decoded(&["--include-names"]));
    assert!(
        !closed.contains("shop") && !closed.contains("10.0."),
        "{closed}"
    );
    assert!(
        named.contains("shop") && !named.contains("10.0."),
        "{named}"
    );
    let (old, new) = closed.split_once("---\n").unwrap();
    // The removed host is the only one of the old side that the new side does not have.
    let hosts = |text: &str| -> Vec<String> {
        let words = text
            .split("address: ")
            .filter(|word| word.starts_with("198."));
        words
            .map(|word| word.split(',').next().unwrap().to_owned())
            .collect()
    };
    let new = hosts(new);
    let gone: Vec<String> = hosts(old)
        .into_iter()
        .filter(|of| !new.contains(of))
        .collect();
    assert_eq!(gone.len(), 1, "{closed}");
    let cluster = comparison(&["--cluster", "shop", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&cluster.stdout).unwrap();
    assert_eq!(
        (&json["cluster"], &json["names"]),
        (&"c1".into(), &"replaced".into())
    );
}

#[test]
fn unusable_sides_of_a_link_are_all_named() {
    let ran = spillgate(&[
        "link",
        "encode",
        "--diff",
        "missing-1.yaml",
        "missing-2.yaml",
    ]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    for file in ["missing-1.yaml", "missing-2.yaml"] {
        assert!(ran.stderr.contains(file), "{}", ran.stderr);
    }
    let ran = comparison(&["--cluster", "shap"]);
    assert_eq!(ran.status, 2);
    ran.assert_error_has("link/unknown-cluster: --cluster: unknown cluster");
    let [old, new] = SIDES;
    let ran = spillgate(&["link", "encode", old, "--diff", old, new]);
    assert_eq!(ran.status, 2, "a configuration and two sides");
}

#[test]
fn a_comparison_names_settings_that_it_drops() {
    let folder = crate::run::scratch("link_comparison");
    let file = |name: &str, choices: u32| {
        let path = folder.join(name);
        let text = format!(
            "name: c\nlb_policy: LEAST_REQUEST\nleast_request_lb_config: {{choice_count: {choices}}}\n"
        );
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.yaml", 5), file("new.yaml", 2));
    let ran = spillgate(&["link", "encode", "--diff", &old, &new]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let said = "link/left-out: the link drops settings; found least_request_lb_config\n";
    assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
}
