//! The values of a namespace in the metadata of a route.
//!
//! Envoy has one question for each type of a value, and logs an error for each with the wrong type. So the
//! types are remembered: Envoy logs at most three lines for a value of a route, and what is asked again
//! is subject to the [limit](crate::log_limit) of all lines, or rare.

use std::{cell::RefCell, collections::BTreeMap, sync::Mutex};

use spillgate_core::model::{Metadata, Value};

use crate::{
    abi::{self, MetadataKey, MetadataSource, StreamHandle},
    lock::locked,
    log_limit::{LogLimit, REQUEST_LINES},
};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Text,
    Number,
    Bool,
}

impl ValueType {
    /// In the order of the questions.
    const ALL: [Self; 3] = [Self::Text, Self::Number, Self::Bool];
}

/// What the last questions for a value found.
#[derive(Debug, Clone)]
struct KnownValue {
    key: String,
    /// Its type; `None` if Envoy passes it as none of the types.
    kind: Option<ValueType>,
    /// When all types were asked for: [`abi::monotonic_clock`].
    asked: u64,
}

/// The namespace and the address of the key, which is that of one value of one route: the same key can have
/// values of different types in different routes.
type Place = (&'static str, usize);
type KnownValues = BTreeMap<Place, KnownValue>;

/// How long a value of no type is not asked for again, in nanoseconds: another route can have a value at
/// its address by then.
const ASKED_AGAIN: u64 = 10_000_000_000;
/// How often values of no type are asked for even if the limit of lines is reached, in nanoseconds: each of them in
/// turn, so that one at the address of another is found in any case. At most 2 of the 3 lines that the limit
/// admits in a minute.
const ASKED_ANYWAY: u64 = 90_000_000_000;
/// The most remembered values of a worker. Most configurations have fewer.
const MOST_KNOWN: usize = 4_096;
/// The most remembered values of all workers.
const MOST_SHARED: usize = 65_536;

thread_local! {
    static KNOWN: RefCell<KnownValues> = const { RefCell::new(BTreeMap::new()) };
}

/// Values that are no texts, for all workers: the first question for a text logs nothing.
static SHARED: Mutex<KnownValues> = Mutex::new(BTreeMap::new());

/// The values of a namespace in the metadata of the request's route. Lists, structures and null, which Envoy
/// does not pass, match no host: without its criterion, the request would reach more hosts.
pub(crate) fn of_route(envoy: StreamHandle<'_>, namespace: &'static str) -> Metadata {
    let keys = envoy.metadata_keys(MetadataSource::Route, namespace);
    let field = |key: MetadataKey| {
        let value = value(envoy, namespace, &key);
        (key.name, value)
    };
    Metadata::new(keys.into_iter().map(field))
}

fn value(envoy: StreamHandle<'_>, namespace: &'static str, key: &MetadataKey) -> Value {
    let questions = Questions {
        shared: &SHARED,
        limit: &REQUEST_LINES,
        clock: &abi::monotonic_clock,
        ask: &|kind| value_of(envoy, namespace, &key.name, kind),
    };
    KNOWN.with_borrow_mut(|all| questions.value(all, (namespace, key.address), &key.name))
}

/// How to find values, and what is known of them.
struct Questions<'a> {
    shared: &'a Mutex<KnownValues>,
    limit: &'a LogLimit,
    clock: &'a dyn Fn() -> u64,
    /// The value, if it has the type.
    ask: &'a dyn Fn(ValueType) -> Option<Value>,
}

impl Questions<'_> {
    /// The value at a place, with what a worker knows.
    fn value(&self, all: &mut KnownValues, place: Place, key: &str) -> Value {
        let known = all.get(&place).filter(|known| known.key == key);
        if let Some(kind) = known.and_then(|known| known.kind)
            && let Some(value) = (self.ask)(kind)
        {
            return value;
        }
        let wrong = known.and_then(|known| known.kind);
        let now = (self.clock)();
        let is_recent = |known: &KnownValue| {
            known.kind.is_none() && now.saturating_sub(known.asked) < ASKED_AGAIN
        };
        if known.is_some_and(is_recent) {
            return Value::UNMATCHED;
        }
        let (value, known) = self.find(place, key, wrong, now);
        if all.len() >= MOST_KNOWN {
            all.clear();
        }
        all.insert(place, known);
        value
    }

    /// Finds a value that the worker does not know; `wrong` is a type that it does not have. Workers take
    /// turns, so that they do not repeat the questions of each other.
    #[cold]
    fn find(
        &self,
        place: Place,
        key: &str,
        wrong: Option<ValueType>,
        now: u64,
    ) -> (Value, KnownValue) {
        let known = |kind, asked| KnownValue {
            key: key.to_owned(),
            kind,
            asked,
        };
        let mut shared = locked(self.shared);
        let anyway = ASKED_ANYWAY.saturating_mul(shared.len() as u64);
        let before = shared.get(&place).filter(|known| known.key == key);
        let mut wrongs = wrong.into_iter().collect::<Vec<_>>();
        if let Some(before) = before {
            match before.kind {
                Some(kind) if Some(kind) != wrong => {
                    if let Some(value) = (self.ask)(kind) {
                        return (value, known(Some(kind), now));
                    }
                    wrongs.push(kind);
                }
                None if now.saturating_sub(before.asked) < ASKED_AGAIN => {
                    return (Value::UNMATCHED, known(None, before.asked));
                }
                None if now.saturating_sub(before.asked) < anyway
                    && !self.limit.may_repeat(ValueType::ALL.len() as u32, now) =>
                {
                    return (Value::UNMATCHED, known(None, now));
                }
                Some(_) | None => {}
            }
        }
        let mut found = None;
        for kind in ValueType::ALL {
            if wrongs.contains(&kind) {
                continue;
            }
            found = (self.ask)(kind).map(|value| (kind, value));
            if found.is_some() {
                break;
            }
            wrongs.push(kind);
        }
        self.limit.count(wrongs.len() as u32, now);
        let kind = found.as_ref().map(|(kind, _)| *kind);
        if shared.len() >= MOST_SHARED {
            shared.clear();
        }
        match kind {
            Some(ValueType::Text) => shared.remove(&place),
            _ => shared.insert(place, known(kind, now)),
        };
        let value = found.map_or(Value::UNMATCHED, |(_, value)| value);
        (value, known(kind, now))
    }
}

fn value_of(envoy: StreamHandle<'_>, namespace: &str, key: &str, kind: ValueType) -> Option<Value> {
    let route = MetadataSource::Route;
    match kind {
        ValueType::Text => {
            let text = envoy.metadata_text(route, namespace, key)?;
            Some(Value::Text(String::from_utf8_lossy(&text).into()))
        }
        ValueType::Number => {
            let number = envoy.metadata_number(route, namespace, key)?;
            Some(Value::Number(number))
        }
        ValueType::Bool => envoy.metadata_bool(route, namespace, key).map(Value::Bool),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const SECOND: u64 = 1_000_000_000;

    /// An Envoy with values, which counts the lines that it logs.
    struct Values {
        values: Vec<Option<Value>>,
        lines: Cell<u32>,
        now: Cell<u64>,
        shared: Mutex<KnownValues>,
        limit: LogLimit,
    }

    impl Values {
        fn new(values: Vec<Option<Value>>) -> Self {
            Self {
                values,
                lines: Cell::new(0),
                now: Cell::new(0),
                shared: Mutex::default(),
                limit: LogLimit::new(),
            }
        }

        /// The value of this number, as a worker finds it.
        fn value(&self, worker: &mut KnownValues, number: usize) -> Value {
            let ask = |kind| {
                let value = self.values[number].clone();
                let found = value.filter(|value| match value {
                    Value::Text(_) => kind == ValueType::Text,
                    Value::Number(_) => kind == ValueType::Number,
                    _ => kind == ValueType::Bool,
                });
                self.lines
                    .set(self.lines.get() + u32::from(found.is_none()));
                found
            };
            let clock = || self.now.get();
            let questions = Questions {
                shared: &self.shared,
                limit: &self.limit,
                clock: &clock,
                ask: &ask,
            };
            questions.value(worker, ("envoy.lb", number), "tenant")
        }
    }

    #[test]
    fn values_of_no_type_cost_few_lines_whatever_the_time_and_the_workers() {
        for a_second in [100, 1_000, 10_000] {
            let envoy = Values::new(vec![None; 5]);
            let mut workers = vec![KnownValues::new(); 16];
            for request in 0..100_000_u64 {
                envoy.now.set(request * SECOND / a_second);
                let worker = &mut workers[(request * 7 % 16) as usize];
                let value = envoy.value(worker, (request % 5) as usize);
                assert_eq!(value, Value::UNMATCHED);
            }
            let lines = envoy.lines.get();
            assert!((15..=100).contains(&lines), "{a_second} a second: {lines}");
        }
    }

    #[test]
    fn each_type_is_found_by_each_worker_and_asked_for_once() {
        let values = [
            Value::Text("a".into()),
            Value::Number(7.0),
            Value::Bool(true),
        ];
        let envoy = Values::new(values.iter().cloned().map(Some).collect());
        for _ in 0..4 {
            let mut worker = KnownValues::new();
            for (number, value) in values.iter().enumerate() {
                for _ in 0..3 {
                    assert_eq!(envoy.value(&mut worker, number), *value);
                }
            }
        }
        assert_eq!(envoy.lines.get(), 3);
    }

    #[test]
    fn a_value_that_takes_the_place_of_another_is_found_although_no_line_is_left() {
        let mut envoy = Values::new(vec![None; 3]);
        let mut workers = [KnownValues::new(), KnownValues::new()];
        let mut found = [None; 3];
        let mut lines = 0;
        for second in 0..1_000 {
            let now = second * SECOND;
            envoy.now.set(now);
            while envoy.limit.admit("other", now).is_some() || envoy.limit.may_repeat(0, now) {
                envoy.limit.count(1, now);
                lines += 1;
            }
            for (number, found) in found.iter_mut().enumerate() {
                for worker in &mut workers {
                    if envoy.value(worker, number) != Value::UNMATCHED {
                        found.get_or_insert(second);
                    }
                }
            }
            if second == 0 {
                envoy.values = vec![Some(Value::Text("a".into())), None, None];
            }
        }
        assert!(matches!(found, [Some(..=300), None, None]), "{found:?}");
        assert!(
            lines + envoy.lines.get() <= 100,
            "{lines}, {:?}",
            envoy.lines
        );
    }

    #[test]
    fn a_value_that_takes_the_place_of_another_is_found() {
        let (text, number) = (Value::Text("a".into()), Value::Number(7.0));
        let mut envoy = Values::new(vec![None]);
        let mut workers = [KnownValues::new(), KnownValues::new()];
        for (at, value) in [None, Some(number), Some(text.clone()), None, Some(text)]
            .into_iter()
            .enumerate()
        {
            envoy.values = vec![value.clone()];
            envoy.now.set(at as u64 * 11 * SECOND);
            for worker in &mut workers {
                let found = envoy.value(worker, 0);
                assert_eq!(found, value.clone().unwrap_or(Value::UNMATCHED), "{at}");
            }
        }
    }
}
