//! Whether a comparison notices that documents differ.

use std::collections::BTreeMap;

use serde_json::Value;
use spillgate_config::{NamedText, mesh::MeshOutbound, proto::UnreadValues};

use crate::{
    command::Done,
    config::zones_of,
    diff::{answer::DiffAnswer, args::DiffArgs},
    inputs::Inputs,
    mesh::MeshArgs,
    sides::{GivenSide, read_sides},
};

/// The documents before a mutation.
pub(super) struct Before(Read);

/// Documents as a comparison sees them.
struct Read {
    inputs: Inputs,
    unread: UnreadValues,
    /// What the proxies of each zone receive.
    zones: BTreeMap<String, MeshOutbound>,
}

impl Before {
    pub(super) fn of(name: &str, documents: &[Value]) -> Self {
        let read = Read::of(documents);
        let before = Self(read.unwrap_or_else(|| panic!("{name} is readable")));
        assert!(!before.notices(documents), "{name} is equal to itself");
        before
    }

    /// Whether documents are unreadable, or not proved to be equal.
    pub(super) fn notices(&self, after: &[Value]) -> bool {
        let Some(after) = Read::of(after) else {
            return true;
        };
        let (old, new) = (&self.0.zones, &after.zones);
        if after.unread != self.0.unread || !old.keys().eq(new.keys()) {
            return true;
        }
        let same = |zone: &&String| old.get(*zone) == new.get(*zone);
        // The slower part of a comparison is equal for a proxy that receives the same.
        let mut changed = old.keys().filter(|zone| !same(zone));
        changed.any(|zone| !self.is_proved_equal(&after, zone))
    }

    fn is_proved_equal(&self, after: &Read, zone: &str) -> bool {
        let side = |name: &str, read: &Read| GivenSide::of_texts(name, read.inputs.clone());
        let sides = (side("old", &self.0), side("new", after));
        let mesh = MeshArgs {
            zone: Some(zone.to_owned()),
            ..MeshArgs::default()
        };
        let read = read_sides(sides, &mesh, &mut Done::default());
        let equal = read.map(|(old, new)| {
            let answer = DiffAnswer::new(&old, &new, &DiffArgs::plain());
            answer.is_ok_and(|answer| answer.is_proved_equal())
        });
        equal.unwrap_or(false)
    }
}

impl Read {
    /// `None` if documents are unreadable, or have no zones.
    fn of(documents: &[Value]) -> Option<Self> {
        let text = NamedText {
            name: "documents.json".to_owned(),
            text: Value::from(documents.to_vec()).to_string(),
        };
        let inputs = Inputs::of([text]).ok()?;
        let args = MeshArgs::default();
        let input = zones_of(inputs.clone(), &args).ok()??;
        let zones = input.zones(args.compat.compat()).ok()?.into_iter();
        Some(Self {
            inputs,
            unread: input.documents.unread(true),
            zones: zones.map(|zone| (zone.name, zone.outbound)).collect(),
        })
    }
}
