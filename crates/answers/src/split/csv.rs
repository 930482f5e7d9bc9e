//! A split as comma-separated values: one line for each endpoint.

use spillgate_core::visible::csv_field;
use spillgate_explain::host_address;

use super::Split;

/// The endpoints of all clusters, under a heading. Requests without a host have a line without an
/// address, those of a cluster whose hosts are not known a line without a share.
#[must_use]
pub fn to_csv(split: &Split) -> String {
    let mut out = String::from("cluster,owner,priority,endpoint,share\n");
    for (cluster, note) in split.noted() {
        let name = csv_field(&cluster.name);
        let no_figures = note.is_some_and(|note| note.no_figures.is_some());
        if no_figures || split.unknown_of(cluster).is_some() {
            out.push_str(&format!("{name},,,,\n"));
            continue;
        }
        for (row, host, share) in cluster.hosts() {
            out.push_str(&format!(
                "{name},{},{},{},{share}\n",
                csv_field(&row.owner),
                host.priority,
                csv_field(host_address(&split.snapshot, host)),
            ));
        }
        if cluster.no_host > 0.0 {
            out.push_str(&format!("{name},,,,{}\n", cluster.no_host));
        }
    }
    out
}
