//! `health`.

use crate::{
    filter::health::{
        DEFAULT_INTERVAL, DEFAULT_STALE_AFTER, HealthSource, ON_STALE, ON_UNKNOWN, OnStale,
        POLLERS, PollerKind,
    },
    write::{Fields, duration, name_of},
};

pub(super) fn health(of: &HealthSource) -> Fields {
    let HealthSource::Admin(admin) = of else {
        return Fields::new();
    };
    let other = |value, default| (value != default).then(|| duration(value));
    Fields::new()
        .with("source", "admin")
        .with("cluster", admin.cluster.as_str())
        .with_some("interval", other(admin.interval, DEFAULT_INTERVAL))
        .with_some("metadata_interval", admin.metadata_interval.map(duration))
        .with_some("stale_after", other(admin.stale_after, DEFAULT_STALE_AFTER))
        .with_some(
            "on_stale",
            (admin.on_stale != OnStale::Keep).then(|| name_of(&ON_STALE, &admin.on_stale)),
        )
        .with_some(
            "on_unknown",
            admin
                .on_unknown
                .map(|handling| name_of(&ON_UNKNOWN, &handling)),
        )
        .with_some(
            "poller",
            (admin.poller != PollerKind::Shared).then(|| name_of(&POLLERS, &admin.poller)),
        )
}
