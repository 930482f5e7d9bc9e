//! Names of clusters that serve a part of a service (`DestinationClusterName` in
//! `pkg/xds/envoy/tags`).

use alloc::{collections::BTreeMap, format, string::String};

use sha2::{Digest as _, Sha256};

/// The tag with the name of the service.
const SERVICE_TAG: &str = "kuma.io/service";

/// The name of the cluster of the endpoints of a service that have these tags: the name of the
/// service and 16 hexadecimal digits of a hash over all tags. Without other tags, the name of the
/// service.
#[must_use]
pub fn split_cluster_name(service: &str, tags: &BTreeMap<String, String>) -> String {
    let mut all = tags.clone();
    all.insert(SERVICE_TAG.into(), service.into());
    if all.len() == 1 {
        return service.into();
    }
    let mut hash = Sha256::new();
    for (key, value) in &all {
        hash.update(key);
        hash.update(value);
    }
    let digest = hash.finalize();
    let digits = digest.iter().take(8).map(|byte| format!("{byte:02x}"));
    format!("{service}-{}", digits.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_a_name_of_its_own() {
        let tags = BTreeMap::from([("version".into(), "v1".into())]);
        let name = split_cluster_name("backend", &tags);
        let digits = name.strip_prefix("backend-").unwrap();
        assert_eq!(digits.len(), 16);
        assert!(digits.chars().all(|digit| digit.is_ascii_hexdigit()));
        let other = BTreeMap::from([("version".into(), "v2".into())]);
        assert_ne!(name, split_cluster_name("backend", &other));
        assert_eq!(split_cluster_name("backend", &BTreeMap::new()), "backend");
    }
}
