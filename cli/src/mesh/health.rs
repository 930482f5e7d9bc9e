//! `--health` for mesh documents: the health that a running proxy reports at `/clusters`.

use std::path::Path;

use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{
    Diagnostic, NamedText, clusters,
    mesh::{MeshZone, apply_health},
};

use crate::command::Done;

/// A `/clusters` response.
#[derive(Debug)]
pub(crate) struct MeshHealth(NamedText);

impl MeshHealth {
    /// Reads a response, as text or JSON.
    ///
    /// # Errors
    /// Every error in the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Faults> {
        let text = read_text(path)?;
        clusters::read(&text.text).map_err(|faults| Faults::all(&text, &faults))?;
        Ok(Self(text))
    }

    /// Sets the health of the endpoints that the response lists. Adds a warning if it lists none.
    ///
    /// # Errors
    /// Those of [`MeshHealth::read`].
    pub(crate) fn apply(&self, zones: &mut [MeshZone], done: &mut Done) -> Result<(), Faults> {
        let statuses =
            clusters::read(&self.0.text).map_err(|faults| Faults::all(&self.0, &faults))?;
        let clusters = zones
            .iter_mut()
            .flat_map(|zone| &mut zone.outbound.clusters);
        let applied: usize = clusters
            .map(|cluster| apply_health(&cluster.name, cluster.hosts.iter_mut(), &statuses))
            .sum();
        if applied == 0 {
            let fault = Diagnostic::warning(
                "clusters/no-endpoint",
                "/clusters lists no endpoint of the documents; using configured health",
            );
            done.warn(&self.0, &[fault]);
        }
        Ok(())
    }
}
