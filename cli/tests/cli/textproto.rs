//! Inputs in protobuf's text format.

use crate::{
    convert::parsed,
    run::{scratch, spillgate, spillgate_with},
};

/// Two hosts in two localities, as in tests of gRPC and Envoy.
const RESOURCES: &str = r#"
resources {
  [type.googleapis.com/envoy.config.cluster.v3.Cluster] {
    name: "shop" type: EDS  # discovered
    connect_timeout { seconds: 1 }
    eds_cluster_config { eds_config { ads {} } }
    common_lb_config { locality_weighted_lb_config {} healthy_panic_threshold { value: 0 } }
  }
}
resources <
  [type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment] {
    cluster_name: "sh" 'op'
    endpoints {
      locality { zone: "a" }
      load_balancing_weight { value: 3 };
      lb_endpoints {
        endpoint { address { socket_address { address: "10.0.0.1" port_value: 80 } } }
        metadata { filter_metadata { key: "envoy.lb" value { fields { key: "stage" value { string_value: "prod" } } } } }
      }
    }
    endpoints {
      locality: { zone: "b" },
      load_balancing_weight: { value: 0x1 }
      lb_endpoints: [ { endpoint { address { socket_address { address: "10.0.0.2" port_value: 80 } } } health_status: HEALTHY } ]
    }
  }
>
"#;

fn shares(args: &[&str], input: &str) -> Vec<f64> {
    let args = [args, &["--format", "json"]].concat();
    let ran = spillgate_with(&args, input.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let json = parsed(&ran.stdout);
    let hosts = json["clusters"][0]["endpoints"].as_array().unwrap().iter();
    hosts.map(|of| of["share"].as_f64().unwrap()).collect()
}

#[test]
fn resources_as_text_protos_have_the_shares_of_both_clients() {
    assert_eq!(shares(&["split", "-"], RESOURCES), [75.0, 25.0]);
    assert_eq!(
        shares(&["split", "-", "--client", "grpc"], RESOURCES),
        [75.0, 25.0]
    );
    let criteria = ["split", "-", "--criteria", "stage=prod"];
    assert_eq!(shares(&criteria, RESOURCES), [75.0, 25.0]);
}

#[test]
fn a_bootstrap_in_a_pb_text_file_is_read_with_its_routes() {
    let text = r#"
static_resources {
  clusters {
    name: "shop"
    load_assignment {
      cluster_name: "shop"
      endpoints { lb_endpoints { endpoint { address { socket_address { address: "10.0.0.1" port_value: 80 } } } } }
    }
  }
  listeners {
    name: "in"
    address { socket_address { address: "127.0.0.1" port_value: 10000 } }
    filter_chains { filters {
      name: "http"
      typed_config { [type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager] {
        stat_prefix: "in"
        route_config { virtual_hosts { name: "all" domains: "*" routes { match { prefix: "/" } route { cluster: "shop" } } } }
        http_filters { name: "router" typed_config { [type.googleapis.com/envoy.extensions.filters.http.router.v3.Router] {} } }
      } }
    } }
  }
}
"#;
    let folder = scratch("pb-text");
    let file = folder.join("envoy.pb_text");
    std::fs::write(&file, text).unwrap();
    let ran = spillgate(&["explain", &file.display().to_string()]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.starts_with("GET localhost/ -> 10.0.0.1:80\n"),
        "{}",
        ran.stdout
    );
    let ran = spillgate(&["split", &folder.display().to_string()]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

/// A field of a list can have one value without brackets.
#[test]
fn single_values_of_lists_are_no_fault() {
    let one = "name: \"shop\" type: EDS\n";
    for field in [
        "lb_subset_config { subset_selectors { keys: \"stage\" } }",
        "common_lb_config { override_host_status { statuses: HEALTHY } }",
    ] {
        let eds = "eds_cluster_config { eds_config { ads {} } }";
        let input =
            format!("# proto-message: envoy.config.cluster.v3.Cluster\n{one}{eds}\n{field}\n");
        let ran = spillgate_with(&["split", "-"], input.as_bytes());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{field}");
    }
}

#[test]
fn an_octal_number_has_octal_digits() {
    let port = |number: &str| {
        let input = RESOURCES.replace("port_value: 80", &format!("port_value: {number}"));
        spillgate_with(&["split", "-"], input.as_bytes())
    };
    assert!(port("0120").stdout.contains(":80 "));
    let ran = port("0180");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("config/textproto-syntax: not a number"),
        "{}",
        ran.stderr
    );
}

#[test]
fn faults_name_the_line_and_the_column() {
    let unknown = RESOURCES.replace("lb_endpoints {", "lb_endpoint {");
    let ran = spillgate_with(&["split", "-"], unknown.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.starts_with("-:16:7: config/unknown-field: "),
        "{}",
        ran.stderr
    );
    let broken = RESOURCES.replace("name: \"shop\"", "name \"shop\"");
    let ran = spillgate_with(&["split", "-"], broken.as_bytes());
    assert!(
        ran.stderr.starts_with("-:4:10: config/textproto-syntax: "),
        "{}",
        ran.stderr
    );
}
