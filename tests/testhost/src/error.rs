//! Why the host could not go on.

/// Why the host could not perform an operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The bytes are no WebAssembly module, or none that this host can instantiate.
    #[error("the module cannot be loaded: {0}")]
    BadModule(String),

    /// The module lacks an export that the ABI requires.
    #[error("the module exports no {what}; found {found}")]
    MissingExport {
        /// What was looked for.
        what: &'static str,
        /// The names that it exports.
        found: String,
    },

    /// The guest trapped: the VM is unusable from now on.
    #[error("the guest trapped in {during}: {message}{}", logged(.last_words))]
    Trap {
        /// The callback that the host had called.
        during: String,
        /// The message of the interpreter.
        message: String,
        /// The guest's critical log lines of this call: they contain the text of a Rust panic.
        last_words: Vec<String>,
    },

    /// The guest trapped earlier: Envoy would answer 503 until the VM is replaced.
    #[error("the VM is unusable since a trap in {since}")]
    Dead {
        /// The callback that killed it.
        since: String,
    },

    /// A request came before any configuration was accepted.
    #[error("no configuration has been accepted yet")]
    NotConfigured,

    /// The test answered a callout that the guest never made, or one that was answered before.
    #[error("no callout with token {0} is open")]
    NoSuchCallout(u32),
}

fn logged(last_words: &[String]) -> String {
    if last_words.is_empty() {
        String::new()
    } else {
        format!("; the guest logged: {}", last_words.join(" / "))
    }
}

impl HostError {
    pub(crate) fn bad_module(error: impl std::fmt::Display) -> Self {
        Self::BadModule(error.to_string())
    }
}
