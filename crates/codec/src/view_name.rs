//! The names of a mesh's clusters: each zone's proxies have one of their own.

use alloc::{format, string::String};

/// The words between the names.
const FROM: &str = " from ";

/// The name of a cluster as the proxies of a zone receive it: `CLUSTER from ZONE`.
#[must_use]
pub fn view_name(cluster: &str, zone: &str) -> String {
    format!("{cluster}{FROM}{zone}")
}

/// The cluster and the zone of such a name; `None` for another name.
#[must_use]
pub fn view_of(name: &str) -> Option<(&str, &str)> {
    // The standard library's search for texts would add two kilobytes to the playground.
    let mut places = name.as_bytes().windows(FROM.len());
    let at = places.rposition(|place| place == FROM.as_bytes())?;
    let (cluster, zone) = (name.get(..at)?, name.get(at + FROM.len()..)?);
    (!cluster.is_empty() && !zone.is_empty()).then_some((cluster, zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_cluster_and_a_zone() {
        let name = view_name("from from here", "zone-1");
        assert_eq!(view_of(&name), Some(("from from here", "zone-1")));
        assert_eq!(view_of("shop"), None);
        assert_eq!(view_of(" from "), None);
    }
}
