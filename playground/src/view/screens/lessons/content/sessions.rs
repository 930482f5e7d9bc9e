//! Session affinity.

use spillgate_core::{
    model::{HealthStatus, PlainCluster, Priority},
    route::{SessionStateKind, StatefulSession, StatefulSessionCookie},
};
use spillgate_scenario::{PriorityAt, percent};

use super::value;
use crate::view::screens::lessons::{
    Lesson, LessonCell, LessonClaim, LessonControl, LessonFigure, LessonOption, LessonResult,
    LessonRow, LessonSession, LessonSetup, LessonTable, LessonValues, SessionFate, setup::endpoint,
};

pub(super) static LESSON: Lesson = Lesson {
    name: "sessions",
    title: "Session affinity",
    text: "Envoy's filter stateful_session names the host of a client in a cookie or a header. The next request overrides the \
           load-balancing policy: it goes to that host if override_host_status lists its status, by default UNKNOWN, HEALTHY and \
           DEGRADED.",
    question: "A cookie names host1, which is UNHEALTHY now. The session is not strict. What happens to the request?",
    options: &[
        LessonOption {
            claim: LessonClaim::Session(SessionFate::Kept),
            thought: "You expected the session to win over health. It does only for accepted statuses.",
        },
        LessonOption {
            claim: LessonClaim::Session(SessionFate::Refused(503)),
            thought: "That is a strict session.",
        },
        LessonOption {
            claim: LessonClaim::Session(SessionFate::Moved),
            thought: "",
        },
    ],
    note: "A kept session ignores loads and panic mode. In an aggregate it ends at a failover; the sessions of the Spillgate filter \
           survive that.",
    controls: &[
        LessonControl {
            label: "host1 is",
            name: "State of the session's host",
            initial: 2,
            values: LessonValues::Texts(&[
                "healthy",
                "degraded",
                "unhealthy",
                "draining",
                "removed",
            ]),
        },
        LessonControl {
            label: "strict",
            name: "Strict session",
            initial: 0,
            values: LessonValues::Texts(&["no", "yes"]),
        },
        LessonControl {
            label: "in a",
            name: "Carrier of the session",
            initial: 0,
            values: LessonValues::Texts(&["cookie", "header"]),
        },
    ],
    setup,
    explain,
    figure: LessonFigure::Hosts,
    tables: &[LessonTable {
        caption: "The request of the session, for every state of host1",
        page: "",
        inputs: &[(0, "host1 is")],
        outputs: &["not strict", "strict"],
        figures,
        rows: &[
            LessonRow::new(&[0, 0, 0], &[]),
            LessonRow::new(&[1, 0, 0], &[]),
            LessonRow::new(&[2, 0, 0], &[]),
            LessonRow::new(&[3, 0, 0], &[]),
            LessonRow::new(&[4, 0, 0], &[]),
        ],
        free: &[1, 2],
    }],
    marked: &[
        "- name: envoy.filters.http.stateful_session",
        "name: envoy.filters.http.stateful_session",
        "session_state",
        "strict",
        "health_status",
    ],
};

const HOSTS: usize = 5;

fn setup(values: &[u32]) -> LessonSetup {
    let at = PriorityAt {
        cluster: 0,
        priority: 0,
    };
    let state = match value(values, 0) {
        0 => Some(HealthStatus::Healthy),
        1 => Some(HealthStatus::Degraded),
        2 => Some(HealthStatus::Unhealthy),
        3 => Some(HealthStatus::Draining),
        _ => None,
    };
    let named = endpoint(at, 0, state.unwrap_or_default());
    let session = LessonSession {
        address: named.address.clone(),
        filter: StatefulSession {
            carrier: match value(values, 2) {
                0 => SessionStateKind::Cookie(StatefulSessionCookie {
                    name: "session".into(),
                    path: "/".into(),
                    ttl: 0,
                }),
                _ => SessionStateKind::Header("x-session".into()),
            },
            strict: value(values, 1) > 0,
            status_not_found: StatefulSession::UNAVAILABLE,
        },
    };
    let others = (1..HOSTS).map(|number| endpoint(at, number, HealthStatus::Healthy));
    let hosts = state.map(|_| named).into_iter().chain(others);
    let plain = PlainCluster {
        priorities: vec![Priority::single_locality(hosts.collect())],
        ..PlainCluster::default()
    };
    LessonSetup {
        session: Some(session),
        ..LessonSetup::one(plain)
    }
}

fn explain(result: &LessonResult) -> String {
    let strict = LessonResult::new(setup(&[2, 1, 0]));
    let strict = match strict.fate {
        Some(SessionFate::Refused(status)) => format!("A strict session gets a {status} instead."),
        _ => "A strict session does the same.".to_owned(),
    };
    let share = result
        .hosts
        .iter()
        .map(|host| host.share)
        .fold(0.0, f64::max);
    format!(
        "UNHEALTHY is not an accepted status, so the policy chooses one of the other hosts, {} each, and the response names the \
         new host. {strict}",
        percent(share),
    )
}

fn figures(_: &Lesson, values: &[u32]) -> Vec<LessonCell> {
    let state = value(values, 0);
    let fates = [0, 1].map(|strict| LessonResult::new(setup(&[state, strict, 0])).fate);
    let text = |fate: Option<SessionFate>| match fate {
        Some(SessionFate::Kept) => LessonCell::Words("stays"),
        Some(SessionFate::Moved) => LessonCell::Words("moves"),
        Some(SessionFate::Refused(status)) => LessonCell::Text(status.to_string()),
        None => LessonCell::Words(""),
    };
    fates.into_iter().map(text).collect()
}
