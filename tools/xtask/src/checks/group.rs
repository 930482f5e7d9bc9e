//! The groups of tests and which of cargo's test programs belong to each.

/// A part of the tests that can run alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestGroup {
    Unit,
    Vectors,
    Twin,
    Filter,
    Envoy,
    BrowserTools,
    Accessibility,
    Engines,
    Grpc,
    Prometheus,
    NoStd,
    Ledger,
    Tidy,
}

const NAMES: [(&str, TestGroup); 13] = [
    ("unit", TestGroup::Unit),
    ("vectors", TestGroup::Vectors),
    ("twin", TestGroup::Twin),
    ("filter", TestGroup::Filter),
    ("envoy", TestGroup::Envoy),
    ("browser", TestGroup::BrowserTools),
    ("axe", TestGroup::Accessibility),
    ("engines", TestGroup::Engines),
    ("grpc", TestGroup::Grpc),
    ("prometheus", TestGroup::Prometheus),
    ("no-std", TestGroup::NoStd),
    ("ledger", TestGroup::Ledger),
    ("tidy", TestGroup::Tidy),
];

/// Tests that load the commands built for WebAssembly.
const TWIN: &str = "package(spillgate-testkit) & binary(wasm)";
/// Tests that load the built filter.
const FILTER: &str = "package(spillgate-testhost) | (package(spillgate-filter) & kind(test))";
/// Tests that start Envoy: the program `envoy` of e2e.
const ENVOY: &str = "package(spillgate-e2e) & binary(envoy)";
/// Tests that start a browser: the program `browser` of e2e.
const BROWSER: &str = "package(spillgate-e2e) & binary(browser)";
/// Tests that start a browser with axe-core.
const ACCESSIBILITY: &str = "package(spillgate-e2e) & binary(accessibility)";
/// Tests that start Firefox and WebKit.
const ENGINES: &str = "package(spillgate-e2e) & binary(engines)";
/// Tests that start a gRPC client: the program `grpc` of e2e.
const GRPC: &str = "package(spillgate-e2e) & binary(grpc)";
/// Tests that start Prometheus, and those of alerting rules: the program `prometheus` of e2e.
const PROMETHEUS: &str = "package(spillgate-e2e) & binary(prometheus)";

impl TestGroup {
    /// The groups whose tests cargo builds.
    pub const OF_PROGRAMS: [Self; 9] = [
        Self::Unit,
        Self::Twin,
        Self::Filter,
        Self::Envoy,
        Self::BrowserTools,
        Self::Accessibility,
        Self::Engines,
        Self::Grpc,
        Self::Prometheus,
    ];

    pub fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, group)| *group)
    }

    /// All names, for messages.
    pub fn names() -> String {
        NAMES.map(|(name, _)| name).join(", ")
    }

    /// The group's tests in cargo-nextest's filter language. The groups that need something
    /// built or installed are picked by name; every other test is a unit test.
    pub fn nextest_filter(self) -> String {
        match self {
            Self::Twin => TWIN.to_owned(),
            Self::Filter => FILTER.to_owned(),
            Self::Envoy => ENVOY.to_owned(),
            Self::BrowserTools => BROWSER.to_owned(),
            Self::Accessibility => ACCESSIBILITY.to_owned(),
            Self::Engines => ENGINES.to_owned(),
            Self::Grpc => GRPC.to_owned(),
            Self::Prometheus => PROMETHEUS.to_owned(),
            _ => {
                let others = [
                    TWIN,
                    FILTER,
                    ENVOY,
                    BROWSER,
                    ACCESSIBILITY,
                    ENGINES,
                    GRPC,
                    PROMETHEUS,
                ];
                format!("not (({}))", others.join(") | ("))
            }
        }
    }

    /// The group's tests as arguments of `cargo test`, one list a run.
    pub fn cargo_test_arguments(self) -> Vec<Vec<&'static str>> {
        match self {
            Self::Twin => vec![vec!["-p", "spillgate-testkit", "--test", "wasm"]],
            Self::Filter => vec![
                vec!["-p", "spillgate-testhost"],
                vec!["-p", "spillgate-filter", "--test", "*"],
            ],
            Self::Envoy => vec![vec!["-p", "spillgate-e2e", "--test", "envoy"]],
            Self::BrowserTools => vec![vec!["-p", "spillgate-e2e", "--test", "browser"]],
            Self::Accessibility => {
                vec![vec!["-p", "spillgate-e2e", "--test", "accessibility"]]
            }
            Self::Engines => vec![vec!["-p", "spillgate-e2e", "--test", "engines"]],
            Self::Grpc => vec![vec!["-p", "spillgate-e2e", "--test", "grpc"]],
            Self::Prometheus => vec![vec!["-p", "spillgate-e2e", "--test", "prometheus"]],
            _ => vec![
                vec![
                    "--workspace",
                    "--lib",
                    "--bins",
                    "--tests",
                    "--exclude",
                    "xtask",
                    "--exclude",
                    "spillgate-e2e",
                    "--exclude",
                    "spillgate-testhost",
                    "--exclude",
                    "spillgate-filter",
                    "--exclude",
                    "spillgate-testkit",
                ],
                vec!["-p", "spillgate-filter", "-p", "spillgate-e2e", "--lib"],
                vec![
                    "-p",
                    "spillgate-testkit",
                    "--lib",
                    "--bins",
                    "--test",
                    "cases",
                    "--test",
                    "forgery",
                ],
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_found_by_its_name() {
        for (name, group) in NAMES {
            assert_eq!(TestGroup::named(name), Some(group));
        }
        assert_eq!(TestGroup::named("nothing"), None);
    }
}
