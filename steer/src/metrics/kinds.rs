//! All kinds of counters of the request path, for environments that define counters before requests.

/// Each kind with its labels. A kind is listed once for each set of labels that it can have.
pub const COUNTERS: [(&str, &[&str]); 18] = [
    ("spillgate.decisions", &["cluster", "priority", "reason"]),
    (
        "spillgate.decisions",
        &["cluster", "priority", "step", "reason"],
    ),
    ("spillgate.no_host", &[]),
    ("spillgate.hosts_unknown", &[]),
    ("spillgate.pass_through", &[]),
    ("spillgate.health.stale_decisions", &[]),
    ("spillgate.health.updates", &[]),
    ("spillgate.unknown_target", &[]),
    ("spillgate.host_failures", &[]),
    ("spillgate.sessions.kept", &[]),
    ("spillgate.sessions.new", &[]),
    ("spillgate.sessions.overused", &[]),
    ("spillgate.sessions.stripped", &[]),
    ("spillgate.sessions.refused", &["reason"]),
    ("spillgate.sessions.moved", &["reason"]),
    ("spillgate.sessions.lost", &["reason"]),
    ("spillgate.config.accepted", &[]),
    ("spillgate.build", &["version", "commit"]),
];
