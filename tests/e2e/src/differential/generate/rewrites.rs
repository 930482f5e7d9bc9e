//! Rewrites of paths and host names before a host is chosen.

use serde_json::{Value, json};

use super::maker::Maker;

impl Maker<'_> {
    /// Lets the action of a route rewrite requests.
    pub(super) fn rewrite(&mut self, matcher: &Value, action: &mut Value) {
        if self.uses("path_rewrite", 15) {
            let regex = matcher.get("safe_regex").is_some();
            if regex || self.dice.chance(50) {
                action["regex_rewrite"] = json!({
                    "pattern": {"regex": "^/(r[0-9])?([^?]*)"},
                    "substitution": self.dice.one(&["/x\\2", "/\\1", "/\\2/\\1"]),
                });
            } else {
                action["prefix_rewrite"] = self.dice.one(&["/", "/new", "/new/"]).into();
            }
        }
        if self.uses("host_rewrite", 12) {
            let (field, value) = match self.dice.below(3) {
                0 => ("host_rewrite_literal", json!("rewritten.test")),
                1 => ("host_rewrite_header", json!("x-other")),
                _ => (
                    "host_rewrite_path_regex",
                    json!({"pattern": {"regex": "^/([a-z0-9]*).*$"}, "substitution": "\\1.test"}),
                ),
            };
            action[field] = value;
        }
    }
}
