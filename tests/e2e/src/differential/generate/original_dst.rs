//! A cluster whose hosts are the addresses in requests.

use serde_json::json;

use super::maker::{Entry, Maker};

/// The header with the address.
pub(super) const DESTINATION: &str = "x-dst";

impl Maker<'_> {
    /// Adds a cluster of type `ORIGINAL_DST`.
    pub(super) fn original_dst(&mut self) -> Entry {
        for _ in 0..4 {
            self.address();
        }
        let mut settings = json!({"use_http_header": true, "http_header_name": DESTINATION});
        if self.dice.chance(25) {
            settings["upstream_port_override"] = 7.into();
        }
        let entry = Entry {
            name: "~a".into(),
            subsets: false,
            hashes: false,
        };
        self.clusters.push(json!({
            "name": entry.name,
            "type": "ORIGINAL_DST",
            "lb_policy": "CLUSTER_PROVIDED",
            "connect_timeout": "1s",
            "original_dst_lb_config": settings,
        }));
        entry
    }

    /// What the header of a request says.
    pub(super) fn destination(&mut self) -> String {
        // The address of a tried host would not tell the cluster of the attempt.
        if self.used.contains("refresh_cluster_on_retry") {
            return format!("127.0.0.{}:7", self.dice.between(1, 250));
        }
        match self.dice.below(16) {
            0 => "127.0.0.9".into(),
            1 => "nowhere:1".into(),
            2 => "[::1]:1".into(),
            _ => self.known_address(),
        }
    }
}
