//! Envoy configurations, dumps and the filter's configuration.

use std::sync::LazyLock;

use spillgate_config::envoy::{EnvoyConfig, Format, ReadOptions, read_with};
use spillgate_config::filter;
use spillgate_core::model::{ClusterKind, Endpoint, Model};

use super::diagnostics::{check, rejected};

/// A configuration in YAML.
pub(in crate::fuzz) fn yaml(text: &str) {
    for format in [Format::Yaml, Format::YamlAsJson] {
        configuration(text, format);
    }
}

/// A bootstrap, a message or the filter's configuration in JSON.
pub(in crate::fuzz) fn proto_json(text: &str) {
    configuration(text, Format::Json);
    match filter::read(text) {
        Ok(config) => check(&config.warnings, text),
        Err(faults) => rejected(&faults, text),
    }
}

/// A response to `/config_dump`.
pub(in crate::fuzz) fn config_dump(text: &str) {
    configuration(text, Format::Json);
}

fn configuration(text: &str, format: Format) {
    let options = ReadOptions {
        regex: Some(spillgate_config::re2::compile),
        for_grpc: false,
    };
    match read_with(text, format, &options) {
        Ok(config) => {
            check(&config.warnings, text);
            places(&config);
            let again = Model::new(config.model.into_clusters());
            assert!(again.is_ok(), "an invalid model: {again:?}");
        }
        Err(faults) => rejected(&faults, text),
    }
}

/// Checks that every host and locality has a position.
pub(super) fn places(config: &EnvoyConfig) {
    for cluster in config.model.clusters() {
        let marks = config
            .marks
            .cluster(&cluster.name)
            .expect("the positions of a cluster");
        if let ClusterKind::Plain(plain) = &cluster.kind {
            let hosts = plain
                .priorities
                .iter()
                .map(|priority| priority.endpoints.len());
            assert!(
                hosts.eq(marks.priorities.iter().map(Vec::len)),
                "{}",
                cluster.name
            );
            let localities = plain
                .priorities
                .iter()
                .map(|priority| priority.localities.len());
            assert!(
                localities.eq(marks.localities.iter().map(Vec::len)),
                "{}",
                cluster.name
            );
            for priority in &plain.priorities {
                let known = |endpoint: &Endpoint| endpoint.locality < priority.localities.len();
                assert!(priority.endpoints.iter().all(known), "{priority:?}");
            }
        }
    }
}

/// A small legal configuration, for inputs that need one.
pub(super) static SHOP: LazyLock<EnvoyConfig> = LazyLock::new(|| {
    let options = ReadOptions {
        regex: Some(spillgate_config::re2::compile),
        for_grpc: false,
    };
    let text = include_str!("../../../seeds/bootstrap.json");
    read_with(text, Format::Json, &options).expect("a legal seed")
});
