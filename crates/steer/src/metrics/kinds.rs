//! All kinds of counters of the request path, for environments that define counters before requests.

/// Decisions, without a subset fallback chain.
pub const DECISIONS: (&str, &[&str]) = ("spillgate.decisions", &["cluster", "priority", "reason"]);
/// Decisions, with a chain.
pub const DECISIONS_WITH_STEP: (&str, &[&str]) = (
    "spillgate.decisions",
    &["cluster", "priority", "step", "reason"],
);

/// Each kind with its labels. A kind is listed once for each set of labels that it can have.
pub const COUNTERS: [(&str, &[&str]); 19] = [
    DECISIONS,
    DECISIONS_WITH_STEP,
    ("spillgate.no_host", &[]),
    ("spillgate.hosts_unknown", &[]),
    ("spillgate.pass_through", &[]),
    ("spillgate.health.stale_decisions", &[]),
    ("spillgate.health.updates", &[]),
    ("spillgate.unknown_target", &[]),
    ("spillgate.host_failures", &[]),
    ("spillgate.decisions.not_followed", &["reason"]),
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
