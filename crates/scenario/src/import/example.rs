//! The example in the import dialog.

/// A cluster with a priority in each of two zones; three hosts failed their health checks.
pub const EXAMPLE_CONFIG: &str = include_str!("example.yaml");

#[cfg(test)]
mod tests {
    use super::{super::import_of, *};

    #[test]
    fn the_example_is_valid() {
        let result = import_of(EXAMPLE_CONFIG);
        // The playground uses the stated health instead of health checks.
        let codes: Vec<&str> = result.faults.iter().map(|f| f.code.as_str()).collect();
        assert_eq!(codes, ["config/not-simulated"]);
        let imported = result.imported.unwrap();
        assert_eq!(imported.origin.clusters.len(), 1);
        assert_eq!(imported.origin.clusters[0].name, "shop");
    }
}
