//! The fuzz targets.

use super::InputKind;
use super::readers::{
    clusters, configuration, cookies, envelopes, links, mesh, published_hosts, requests, tokens,
};

/// An input that is fuzzed.
#[derive(Debug)]
pub struct FuzzTarget {
    /// The name, which the libFuzzer program has too.
    pub name: &'static str,
    /// The form of the input.
    pub kind: InputKind,
    /// Small legal inputs, from which the first changed copies are made.
    pub seeds: fn() -> Vec<Vec<u8>>,
    read: fn(&[u8]),
}

/// Every target.
pub static TARGETS: [FuzzTarget; 12] = [
    FuzzTarget {
        name: "yaml",
        kind: InputKind::Text,
        seeds: || {
            texts(&[
                include_str!("../../seeds/yaml.yaml"),
                include_str!("../../seeds/scalars.yaml"),
            ])
        },
        read: |input| text(input, configuration::yaml),
    },
    FuzzTarget {
        name: "proto_json",
        kind: InputKind::Text,
        seeds: || {
            texts(&[
                include_str!("../../seeds/bootstrap.json"),
                include_str!("../../seeds/policies.json"),
                include_str!("../../seeds/filter.json"),
            ])
        },
        read: |input| text(input, configuration::proto_json),
    },
    FuzzTarget {
        name: "config_dump",
        kind: InputKind::Text,
        seeds: || texts(&[include_str!("../../seeds/config_dump.json")]),
        read: |input| text(input, configuration::config_dump),
    },
    FuzzTarget {
        name: "clusters",
        kind: InputKind::Text,
        seeds: || {
            texts(&[
                include_str!("../../seeds/clusters.txt"),
                include_str!("../../seeds/clusters.json"),
            ])
        },
        read: |input| text(input, clusters::read),
    },
    FuzzTarget {
        name: "kuma",
        kind: InputKind::Text,
        seeds: || texts(&[include_str!("../../seeds/kuma.yaml")]),
        read: |input| text(input, mesh::kuma),
    },
    FuzzTarget {
        name: "istio",
        kind: InputKind::Text,
        seeds: || texts(&[include_str!("../../seeds/istio.yaml")]),
        read: |input| text(input, mesh::istio),
    },
    FuzzTarget {
        name: "requests",
        kind: InputKind::Text,
        seeds: || texts(&[include_str!("../../seeds/requests.jsonl")]),
        read: |input| text(input, requests::read),
    },
    FuzzTarget {
        name: "cookies",
        kind: InputKind::Text,
        seeds: || texts(&[include_str!("../../seeds/cookies.txt")]),
        read: |input| text(input, cookies::read),
    },
    FuzzTarget {
        name: "tokens",
        kind: InputKind::Bytes,
        seeds: tokens::seeds,
        read: tokens::read,
    },
    FuzzTarget {
        name: "envelopes",
        kind: InputKind::Bytes,
        seeds: envelopes::seeds,
        read: envelopes::read,
    },
    FuzzTarget {
        name: "published_hosts",
        kind: InputKind::Bytes,
        seeds: published_hosts::seeds,
        read: published_hosts::read,
    },
    FuzzTarget {
        name: "links",
        kind: InputKind::Bytes,
        seeds: links::seeds,
        read: links::read,
    },
];

impl FuzzTarget {
    /// The target with a name.
    ///
    /// # Panics
    /// If no target has this name.
    #[must_use]
    pub fn named(name: &str) -> &'static Self {
        let found = TARGETS.iter().find(|target| target.name == name);
        found.expect("a target of that name")
    }

    /// Reads an input.
    ///
    /// # Panics
    /// If the result is wrong.
    pub fn run(&self, input: &[u8]) {
        (self.read)(input);
    }
}

fn texts(seeds: &[&str]) -> Vec<Vec<u8>> {
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Readers of text receive only UTF-8, because files and requests are checked before.
fn text(input: &[u8], read: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(input) {
        read(text);
    }
}
