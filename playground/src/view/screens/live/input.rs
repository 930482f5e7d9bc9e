//! The input of the screen, also as a text in links.

/// The seconds between two reads.
pub const INTERVALS: [u32; 4] = [1, 2, 5, 10];

/// The lengths of the compared window, in seconds.
pub const SPANS: [u32; 3] = [10, 60, 300];

/// The cluster, the interval of the reads and the length of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveInput {
    /// The name of the cluster; empty for the first one.
    pub cluster: String,
    /// Seconds between two reads.
    pub every: u32,
    /// The length of the compared window, in seconds.
    pub span: u32,
}

impl Default for LiveInput {
    fn default() -> Self {
        Self {
            cluster: String::new(),
            every: 2,
            span: 60,
        }
    }
}

impl LiveInput {
    /// Reads lines of `NAME=VALUE`. An unknown name is ignored, and an invalid value has its initial value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut input = Self::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
            match name {
                "cluster" => input.cluster = value.into(),
                "every" => choose(value, &INTERVALS, &mut input.every),
                "over" => choose(value, &SPANS, &mut input.span),
                _ => {}
            }
        }
        input
    }

    /// The text that [`LiveInput::from_text`] reads; empty for the initial input.
    #[must_use]
    pub fn to_text(&self) -> String {
        let first = Self::default();
        let mut lines = Vec::new();
        if self.every != first.every {
            lines.push(format!("every={}", self.every));
        }
        if self.span != first.span {
            lines.push(format!("over={}", self.span));
        }
        if !self.cluster.is_empty() {
            lines.push(format!("cluster={}", self.cluster));
        }
        lines.join("\n")
    }
}

fn choose(value: &str, known: &[u32], into: &mut u32) {
    if let Some(value) = value.parse().ok().filter(|value| known.contains(value)) {
        *into = value;
    }
}
