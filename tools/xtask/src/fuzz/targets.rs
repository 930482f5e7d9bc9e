//! The fuzz targets, and the files of the project that are good inputs to begin with.

/// A fuzz target.
pub struct Target {
    /// The name of its program in `fuzz/`.
    pub name: &'static str,
    /// Folders of the project, and how the names of good inputs in them end.
    pub seeds: &'static [(&'static str, &'static str)],
    /// The memory that the program may use: MiB.
    pub memory: u32,
}

/// The limit for a program whose engine keeps nothing large.
const USUAL: u32 = 64;

/// Every target, in the order of `tests/fuzz/README.md`.
pub const TARGETS: [Target; 12] = [
    Target {
        name: "yaml",
        seeds: &[("envoy-config", ".yaml")],
        memory: USUAL,
    },
    Target {
        name: "proto_json",
        seeds: &[("vectors", ".json"), ("envoy-config", ".json")],
        memory: USUAL,
    },
    Target {
        name: "config_dump",
        seeds: &[("tests/testkit/seeds", "dump.json")],
        memory: USUAL,
    },
    Target {
        name: "clusters",
        seeds: &[("vectors", "clusters.txt"), ("vectors", "clusters.json")],
        memory: USUAL,
    },
    Target {
        name: "kuma",
        seeds: &[],
        memory: USUAL,
    },
    Target {
        name: "istio",
        seeds: &[],
        memory: USUAL,
    },
    Target {
        name: "requests",
        seeds: &[("vectors", "requests.jsonl")],
        memory: USUAL,
    },
    Target {
        name: "cookies",
        seeds: &[],
        memory: USUAL,
    },
    Target {
        name: "tokens",
        seeds: &[],
        memory: USUAL,
    },
    Target {
        name: "envelopes",
        seeds: &[],
        memory: USUAL,
    },
    Target {
        name: "published_hosts",
        seeds: &[],
        memory: USUAL,
    },
    Target {
        name: "links",
        seeds: &[],
        memory: USUAL,
    },
];

impl Target {
    /// The target with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_a_target() {
        let manifest = include_str!("../../../../tests/fuzz/Cargo.toml");
        let (_, programs) = manifest.split_once("[[bin]]").unwrap_or_default();
        let names = programs.lines().filter_map(|line| {
            let name = line.strip_prefix("name = \"")?;
            name.strip_suffix('"')
        });
        let known = TARGETS.iter().map(|target| target.name);
        assert_eq!(names.collect::<Vec<_>>(), known.collect::<Vec<_>>());
    }
}
