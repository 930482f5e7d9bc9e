//! A link, and the faults of what has no link.

use spillgate_codec::link::{MAXIMUM_LINK_BYTES, ScenarioError};
use spillgate_config::Diagnostic;

/// The link of a configuration.
pub(crate) struct EncodedLink {
    /// The fragment, without `#`.
    pub(crate) fragment: String,
    /// The name of the cluster that the playground shows.
    pub(super) cluster: String,
    /// The settings that the link drops.
    pub(super) left_out: Vec<&'static str>,
}

impl EncodedLink {
    /// The warning about the settings that the link drops; `None` if it has all.
    pub(super) fn drops(&self) -> Option<Diagnostic> {
        let warning = Diagnostic::warning("link/left-out", "the link drops settings");
        (!self.left_out.is_empty()).then(|| warning.found(self.left_out.join(", ")))
    }
}

/// Why the playground cannot show a configuration.
pub(super) fn not_shown(error: &ScenarioError) -> Diagnostic {
    let what = format!("the playground cannot show this configuration: {error}");
    Diagnostic::error("link/not-shown", what)
}

/// The fault of a link that the playground refuses for its length.
pub(super) fn too_long(fragment: &str) -> Option<Diagnostic> {
    if fragment.len() <= MAXIMUM_LINK_BYTES {
        return None;
    }
    let what = "the playground refuses links of this length; import the configuration there";
    let fault = Diagnostic::error("link/too-long", what)
        .found(format!("{} bytes", fragment.len()))
        .expected(format!(
            "at most {MAXIMUM_LINK_BYTES} bytes: fewer clusters, or a link without addresses"
        ));
    Some(fault)
}
