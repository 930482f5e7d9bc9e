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
