//! A split as comma-separated values: one line for each endpoint.

use std::borrow::Cow;

use spillgate_explain::host_address;

use super::Split;

/// The endpoints of all clusters, under a heading. Requests without a host have a line without an
/// address, those of a cluster whose hosts are not known a line without a share.
#[must_use]
pub fn to_csv(split: &Split) -> String {
    let mut out = String::from("cluster,owner,priority,endpoint,share\n");
    for (cluster, note) in split.noted() {
        let name = quoted(&cluster.name);
        let no_figures = note.is_some_and(|note| note.no_figures.is_some());
        if no_figures || split.unknown_of(cluster).is_some() {
            out.push_str(&format!("{name},,,,\n"));
            continue;
        }
        for (row, host, share) in cluster.hosts() {
            out.push_str(&format!(
                "{name},{},{},{},{share}\n",
                quoted(&row.owner),
                host.priority,
                quoted(host_address(&split.snapshot, host)),
            ));
        }
        if cluster.no_host > 0.0 {
            out.push_str(&format!("{name},,,,{}\n", cluster.no_host));
        }
    }
    out
}

/// Quotes a field if necessary (RFC 4180).
pub(crate) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_if_necessary() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
