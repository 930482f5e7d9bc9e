//! A configuration in several files.

use spillgate_adopt::{EditText, adopt};

use crate::common::{WEIGHTED, module, wasm};

/// The weighted bootstrap as files: bootstrap, listeners, routes, clusters.
fn files() -> [String; 4] {
    let indented =
        |text: &str| -> String { text.lines().map(|line| format!("{line}\n")).collect() };
    let listener = WEIGHTED.find("  - name: web").unwrap();
    let routes = WEIGHTED.find("          route_config:\n").unwrap();
    let filters = WEIGHTED.find("          http_filters:\n").unwrap();
    let clusters = WEIGHTED.find("\n  clusters:\n").unwrap() + 1;
    let typed = |text: &str, message: &str| {
        let url = format!("- \"@type\": type.googleapis.com/envoy.config.{message}\n    name: ");
        format!("resources:\n{}", indented(text)).replace("  - name: ", &format!("  {url}"))
    };
    let bootstrap = format!(
        "{}dynamic_resources:\n  lds_config: {{path_config_source: {{path: lds.yaml}}}}\n  \
         cds_config: {{path_config_source: {{path: cds.yaml}}}}\n",
        &WEIGHTED[..WEIGHTED.find("static_resources:").unwrap()]
    );
    let listeners = format!(
        "{}          rds: {{route_config_name: local, config_source: {{path_config_source: {{path: rds.yaml}}}}}}\n{}",
        &WEIGHTED[listener..routes],
        &WEIGHTED[filters..clusters]
    );
    let route = WEIGHTED[routes..filters].replacen(
        "          route_config:\n",
        "resources:\n          - \"@type\": type.googleapis.com/envoy.config.route.v3.RouteConfiguration\n",
        1,
    );
    [
        bootstrap,
        listener_file(&listeners),
        route,
        typed(
            &WEIGHTED[clusters + "  clusters:\n".len()..],
            "cluster.v3.Cluster",
        ),
    ]
}

fn listener_file(text: &str) -> String {
    let url = "  - \"@type\": type.googleapis.com/envoy.config.listener.v3.Listener\n    name: web";
    format!("resources:\n{}", text.replacen("  - name: web", url, 1))
}

#[test]
fn each_file_gets_its_part() {
    for options in [wasm(), module()] {
        let before = files();
        let texts = before.clone().map(|text| EditText::new(text).unwrap());
        let result = adopt(&texts, &options).unwrap();
        let [bootstrap, listeners, routes, clusters] = result.texts.try_into().unwrap();
        assert!(bootstrap.contains("bootstrap_extensions:"), "{bootstrap}");
        assert!(listeners.contains("name: spillgate\n"), "{listeners}");
        assert!(!routes.contains("weighted_clusters"), "{routes}");
        assert_eq!(
            clusters.matches("override_host_sources").count(),
            2,
            "{clusters}"
        );
        // The poller reaches the admin interface before CDS.
        assert_eq!(
            bootstrap.contains("spillgate_admin"),
            options.form == wasm().form
        );
        let again = [bootstrap, listeners, routes, clusters];
        let texts = again.clone().map(|text| EditText::new(text).unwrap());
        assert_eq!(adopt(&texts, &options).unwrap().texts, again);
    }
}

#[test]
fn a_missing_file_is_named_where_it_is_used() {
    let [bootstrap, listeners, routes, clusters] = files();
    let lines = bootstrap.lines().count();
    let refused = |texts: &[&String]| {
        let texts: Vec<EditText> = texts
            .iter()
            .map(|text| EditText::new((*text).clone()).unwrap())
            .collect();
        adopt(&texts, &wasm()).unwrap_err().remove(0)
    };
    let fault = refused(&[&bootstrap, &listeners, &clusters]);
    assert_eq!(fault.message, "routes come by RDS");
    // Lines are counted over all files.
    assert!(fault.position.unwrap().line as usize > lines, "{fault:?}");
    let fault = refused(&[&bootstrap, &listeners, &routes]);
    assert!(fault.expected.unwrap().contains("the file of CDS"));
    let fault = refused(&[&listeners, &routes, &clusters]);
    assert!(fault.message.starts_with("the bootstrap is missing"));
}

#[test]
fn routes_of_two_listeners_are_not_changed_for_one() {
    let [bootstrap, listeners, routes, clusters] = files();
    let own = listeners.strip_prefix("resources:\n").unwrap();
    let other = own.replace("name: web", "name: other");
    let listeners = format!("{listeners}{other}");
    let texts = [bootstrap, listeners, routes, clusters].map(|text| EditText::new(text).unwrap());
    for mut options in [wasm(), module()] {
        options.listener = Some("web".into());
        let fault = adopt(&texts, &options).unwrap_err().remove(0);
        assert!(fault.message.contains("has the same routes"), "{fault:?}");
        let found = fault.found.unwrap();
        assert!(
            found.starts_with("routes \"local\" also in resources[0]."),
            "{found}"
        );
        assert!(fault.path.starts_with("resources[1]."), "{}", fault.path);
    }
}
