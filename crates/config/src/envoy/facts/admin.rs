//! The admin interface of a bootstrap.

use alloc::vec::Vec;

use spillgate_core::route::StringMatch;

use super::{FieldPlace, elements::elements};
use crate::{
    envoy::{matcher::string_match, schema::STRING_MATCHER},
    proto::{Message, Report, field_of},
};

/// An admin interface (`envoy.config.bootstrap.v3.Admin`).
#[derive(Debug, Clone, PartialEq)]
pub struct AdminFacts {
    /// Its position.
    pub place: FieldPlace,
    /// The conditions on paths that it answers (`allow_paths`), `None` for one that is not readable.
    /// Without any, it answers all.
    allowed: Vec<Option<StringMatch>>,
}

impl AdminFacts {
    /// The admin interface of a bootstrap, if it has one.
    pub(in crate::envoy) fn of(bootstrap: &Message<'_, '_>, report: &Report) -> Option<Self> {
        let node = bootstrap.get("admin")?;
        let path = bootstrap.path.field("admin");
        let place = FieldPlace::new(&path, node.position);
        let allowed = elements(field_of(node, "allow_paths"));
        let path = path.field("allow_paths");
        let allowed = allowed.iter().enumerate().map(|(at, node)| {
            let unreported = &mut report.attempt();
            let message = Message::open(node, path.index(at), &STRING_MATCHER, unreported)?;
            string_match(&message, unreported).ok()?
        });
        Some(Self {
            place,
            allowed: allowed.collect(),
        })
    }

    /// Whether it answers requests for a path with its query, as far as that is known.
    #[must_use]
    pub fn answers(&self, path: &str) -> bool {
        let matches = |allowed: &Option<StringMatch>| {
            allowed
                .as_ref()
                .is_none_or(|allowed| allowed.matches(path.as_bytes()))
        };
        self.allowed.is_empty() || self.allowed.iter().any(matches)
    }
}
