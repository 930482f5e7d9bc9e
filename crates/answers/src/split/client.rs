//! What a split for another client than Envoy adds to a cluster.

/// The answer about one cluster beyond its figures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClientNote {
    /// Why there are no figures; `None` if there are some.
    pub no_figures: Option<NoFigures>,
    /// What the figures assume, and what the client leaves out.
    pub notes: Vec<String>,
}

/// Why there are no figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoFigures {
    /// The client rejects the configuration (NACK), for this reason.
    Rejected(String),
    /// They are not known, for this reason.
    Unknown(String),
}

impl ClientNote {
    /// The note of a cluster about which nothing is known.
    #[must_use]
    pub fn not_in_input() -> Self {
        let why = "the cluster is not in the input";
        Self {
            no_figures: Some(NoFigures::Unknown(why.into())),
            notes: Vec::new(),
        }
    }
}

impl NoFigures {
    /// The reason as a sentence.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Rejected(why) => format!(
                "gRPC rejects it (NACK): {why}; requests fail, unless the client keeps an earlier version"
            ),
            Self::Unknown(why) => format!("not known: {why}"),
        }
    }
}
