//! Random events for the priority policy, and a second implementation with histories instead of timers.

use std::collections::BTreeMap;

use proptest::prelude::*;
use spillgate_grpc::{
    Connectivity,
    priority::{FailoverReading, PriorityAction, PriorityPolicy, PrioritySettings, TimedAction},
};

use Connectivity::{Connecting, Idle, Ready, TransientFailure};

const FAILOVER: u64 = 10_000;
const RETENTION: u64 = 900_000;
const NAMES: [&str; 4] = ["p0", "p1", "p2", "p3"];

#[derive(Debug, Clone)]
enum Event {
    Config(Vec<String>),
    Report(usize, Connectivity),
    Wait,
}

fn events() -> impl Strategy<Value = Vec<(u64, Event)>> {
    let config = Just(NAMES.to_vec())
        .prop_shuffle()
        .prop_flat_map(|names| (0..=names.len()).prop_map(move |n| names[..n].to_vec()))
        .prop_map(|names| Event::Config(names.into_iter().map(String::from).collect()));
    let state = prop::sample::select(Connectivity::ALL.to_vec());
    let report = (0..NAMES.len(), state).prop_map(|(at, state)| Event::Report(at, state));
    let event = prop_oneof![1 => config, 8 => report, 3 => Just(Event::Wait)];
    let pause = prop_oneof![
        4 => 0..3_000_u64,
        2 => Just(FAILOVER),
        2 => 9_000..11_000_u64,
        1 => 899_000..901_000_u64,
    ];
    prop::collection::vec((pause, event), 1..60)
}

/// The states that a child reported since its creation, with their times.
#[derive(Default)]
struct History(Vec<(u64, Connectivity)>);

impl History {
    fn made(at: u64) -> Self {
        Self(vec![(at, Connecting)])
    }

    /// The end of its time to connect, if it is connecting and has not failed since its last
    /// connection.
    fn deadline(&self) -> Option<u64> {
        let begins = self.0.iter().rposition(|(_, state)| *state != Connecting);
        let healthy = match begins {
            None => true,
            Some(at) => self.0[at].1 != TransientFailure,
        };
        let (since, _) = *self.0.get(begins.map_or(0, |at| at + 1))?;
        healthy.then_some(since + FAILOVER)
    }

    fn state(&self, now: u64, reading: FailoverReading) -> Connectivity {
        let (reported, state) = *self.0.last().unwrap();
        let failed = |deadline: u64| now >= deadline && reported < deadline;
        match self.deadline() {
            Some(deadline) if reading == FailoverReading::CCore && failed(deadline) => {
                TransientFailure
            }
            _ => state,
        }
    }

    fn has_time(&self, now: u64) -> bool {
        self.deadline().is_some_and(|deadline| now < deadline)
    }
}

/// The child that A56 requires, among the existing ones.
fn naive(
    children: &BTreeMap<String, History>,
    list: &[String],
    now: u64,
    reading: FailoverReading,
) -> Option<(String, Connectivity)> {
    let state = |name: &String| children[name].state(now, reading);
    let known = || list.iter().filter(|name| children.contains_key(*name));
    let first =
        known().find(|name| matches!(state(name), Ready | Idle) || children[*name].has_time(now));
    let waiting = known().find(|name| state(name) == Connecting);
    let chosen = first.or(waiting).or(list.last())?;
    Some((chosen.clone(), state(chosen)))
}

struct World {
    policy: PriorityPolicy,
    reading: FailoverReading,
    list: Vec<String>,
    children: BTreeMap<String, History>,
    used: Option<(Option<String>, Connectivity)>,
}

impl World {
    /// Each action must be valid for the existing children.
    fn follow(&mut self, done: Vec<TimedAction>, from: u64, now: u64) {
        let mut last = from;
        for (at, action) in done {
            assert!((last..=now).contains(&at), "{action:?} at {at}");
            last = at;
            match action {
                PriorityAction::Create(name) => {
                    assert!(self.list.contains(&name));
                    let before = self.children.insert(name, History::made(at));
                    assert!(before.is_none());
                }
                PriorityAction::Destroy(name) => {
                    assert!(self.children.remove(&name).is_some());
                    let used = self.used.as_ref().and_then(|(child, _)| child.as_deref());
                    let listed = self.list.contains(&name);
                    assert!(!listed || used != Some(name.as_str()), "{name} serves");
                }
                PriorityAction::Use { child, state } => {
                    let report = Some((child, state));
                    assert_ne!(self.used, report, "said twice");
                    self.used = report;
                }
            }
        }
    }

    fn check(&self, now: u64) {
        let expected = naive(&self.children, &self.list, now, self.reading);
        let (name, state) = expected.unzip();
        assert_eq!(self.policy.current(), name.as_deref());
        let reported = (name, state.unwrap_or(TransientFailure));
        assert_eq!(self.used.as_ref(), Some(&reported));
        assert!(self.policy.due().is_none_or(|due| due > now));
        for name in NAMES {
            let exists = self.children.contains_key(name);
            assert_eq!(self.policy.state(name).is_some(), exists, "{name}");
        }
    }
}

fn run(events: Vec<(u64, Event)>, reading: FailoverReading, keeps_removed: bool) {
    let policy = PriorityPolicy::new(PrioritySettings {
        failover_ms: FAILOVER,
        retention_ms: RETENTION,
        keeps_removed,
        reading,
    });
    let mut world = World {
        policy,
        reading,
        list: Vec::new(),
        children: BTreeMap::new(),
        used: None,
    };
    let mut now = 0;
    let first = (0, Event::Config(NAMES.map(String::from).into()));
    for (pause, event) in std::iter::once(first).chain(events) {
        let from = now;
        now += pause;
        let done = world.policy.advance(now);
        world.follow(done, from, now);
        let done = match event {
            Event::Config(list) => {
                world.list.clone_from(&list);
                world.policy.configure(now, list)
            }
            Event::Report(at, state) => {
                if let Some(child) = world.children.get_mut(NAMES[at]) {
                    let failed = child.state(now, reading);
                    if failed != child.0.last().unwrap().1 {
                        child.0.push((now, failed));
                    }
                    child.0.push((now, state));
                }
                world.policy.report(now, NAMES[at], state)
            }
            Event::Wait => Vec::new(),
        };
        world.follow(done, now, now);
        world.check(now);
    }
}

proptest! {
    #[test]
    fn the_child_that_serves_is_the_one_that_the_rules_name(events in events(), keeps in any::<bool>()) {
        run(events, FailoverReading::A56, keeps);
    }

    #[test]
    fn so_it_is_in_the_reading_of_c_core(events in events(), keeps in any::<bool>()) {
        run(events, FailoverReading::CCore, keeps);
    }
}

#[test]
fn a_child_that_is_not_needed_goes_after_its_time() {
    let mut policy = PriorityPolicy::default();
    policy.configure(0, vec!["p0".into(), "p1".into()]);
    policy.report(1, "p0", TransientFailure);
    policy.report(2, "p1", Ready);
    policy.report(100, "p0", Ready);
    assert_eq!(policy.due(), Some(100 + RETENTION));
    policy.report(200, "p0", TransientFailure);
    assert_eq!((policy.current(), policy.due()), (Some("p1"), None));
    policy.report(300, "p0", Idle);
    assert!(policy.advance(299 + RETENTION).is_empty());
    let gone = policy.advance(300 + RETENTION);
    assert_eq!(
        gone,
        [(300 + RETENTION, PriorityAction::Destroy("p1".into()))]
    );
}

#[test]
fn since_a115_java_and_go_drop_what_the_list_no_longer_names() {
    let mut policy = PriorityPolicy::new(PrioritySettings {
        keeps_removed: false,
        ..PrioritySettings::default()
    });
    policy.configure(0, vec!["p0".into()]);
    let done = policy.configure(5, vec!["p1".into()]);
    assert_eq!(done[0], (5, PriorityAction::Destroy("p0".into())));
    assert_eq!(done[1], (5, PriorityAction::Create("p1".into())));
    assert_eq!(policy.current(), Some("p1"));
}
