//! What a comparison of the documents of a mesh with others does not see, over all of them.

use alloc::collections::BTreeSet;

use super::{
    outbound::MeshKind,
    read::MeshDocuments,
    unread::{can_choose, orders},
};
use crate::proto::{UnreadField, UnreadValues};

impl MeshDocuments {
    /// What a comparison of these documents with others does not see. The view from a zone is that of a plain proxy;
    /// `is_of_zone` is false for that of one proxy or gateway, which alone is compared.
    #[must_use]
    pub fn unread(&self, is_of_zone: bool) -> UnreadValues {
        let mut values = UnreadValues::default();
        let mut selected: BTreeSet<u64> = BTreeSet::new();
        for other in &self.others {
            other.add_to(&mut values);
            selected.extend(&other.texts);
        }
        for (kind, order) in orders(&self.others) {
            let field = UnreadField {
                can_choose: can_choose(&kind),
                message: kind.into(),
                field: "creationTimestamp".into(),
            };
            values.add_hash(field, order);
        }
        let is_kuma = MeshKind::of(self) == MeshKind::Kuma;
        for unseen in &self.unseen {
            if let Some(texts) = unseen.add_to(&mut values, is_of_zone, is_kuma) {
                selected.extend(texts);
            }
        }
        for document in &self.unread {
            document.add_to(&mut values, &selected);
        }
        values
    }

    /// Keeps only the documents of other kinds, of a text that has none that are read.
    pub fn keep_others(&mut self) {
        let others = core::mem::take(&mut self.others);
        *self = Self {
            others,
            ..Self::default()
        };
    }
}
