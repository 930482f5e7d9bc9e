//! The formats of files.

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// An Envoy bootstrap in YAML. Comments explain the loads of each cluster.
    EnvoyYaml,
    /// An Envoy bootstrap in JSON.
    EnvoyJson,
    /// The configuration of the Spillgate filter.
    Filter,
    /// An Envoy bootstrap in JSON with a what-if question.
    Scenario,
    /// The loads and the hosts as Markdown tables.
    Markdown,
    /// The hosts as comma-separated values.
    Csv,
    /// The picture of the playground.
    Svg,
}

impl FileFormat {
    /// All formats, in the order of the playground.
    pub const ALL: [Self; 7] = [
        Self::EnvoyYaml,
        Self::EnvoyJson,
        Self::Filter,
        Self::Scenario,
        Self::Markdown,
        Self::Csv,
        Self::Svg,
    ];

    /// Its name on the command line and in tests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EnvoyYaml => "envoy-yaml",
            Self::EnvoyJson => "envoy-json",
            Self::Filter => "filter",
            Self::Scenario => "scenario",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Svg => "svg",
        }
    }

    /// Its name in the playground.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::EnvoyYaml => "Envoy YAML",
            Self::EnvoyJson => "Envoy JSON",
            Self::Filter => "Filter JSON",
            Self::Scenario => "Scenario JSON",
            Self::Markdown => "Markdown",
            Self::Csv => "CSV",
            Self::Svg => "SVG",
        }
    }

    /// Its content in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::EnvoyYaml => "clusters with hosts; comments explain the loads",
            Self::EnvoyJson => "the same without comments",
            Self::Filter => "configuration of the Spillgate filter",
            Self::Scenario => "clusters with the What-if question, for spillgate what-if",
            Self::Markdown => "tables of loads and hosts",
            Self::Csv => "one line for each host",
            Self::Svg => "the picture, with its text",
        }
    }

    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::EnvoyYaml => ".yaml",
            Self::EnvoyJson => ".json",
            Self::Filter => "-filter.json",
            Self::Scenario => "-scenario.json",
            Self::Markdown => ".md",
            Self::Csv => ".csv",
            Self::Svg => ".svg",
        }
    }

    /// Its media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::EnvoyYaml => "application/yaml",
            Self::EnvoyJson | Self::Filter | Self::Scenario => "application/json",
            Self::Markdown => "text/markdown",
            Self::Csv => "text/csv",
            Self::Svg => "image/svg+xml",
        }
    }
}
