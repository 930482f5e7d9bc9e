//! Compares the recording with the replayed Envoy.

use std::collections::BTreeMap;

use spillgate_answers::pick::PickOutput;

use super::row::Row;
use crate::scenario::{Observation, Observations, Shares, agrees};

/// The answers of the engine by row id.
pub(super) type Answers = BTreeMap<String, PickOutput>;

/// The source that distinguishes deterministic from random rows.
#[derive(Debug)]
pub(super) enum Expectation<'a> {
    /// The engine, with shares for random rows.
    Answers(&'a Answers),
    /// The recording, which marks random rows as unstable.
    Recording,
}

/// One line for each difference.
pub(super) fn differences(
    rows: &[Row],
    recorded: &Observations,
    mut observed: Observations,
    expectation: &Expectation<'_>,
) -> Vec<String> {
    let sessions = Sessions::new(rows, recorded, &observed);
    let mut faults = Vec::new();
    // Both the recording and the replay must fit the shares, because either can be wrong.
    let (mut before, mut now) = (Shares::default(), Shares::default());
    for (i, recorded) in recorded {
        let observed = observed.remove(i).unwrap_or_default();
        let answer = match expectation {
            Expectation::Answers(answers) => answers.get(i),
            Expectation::Recording => None,
        };
        let Some(
            answer @ PickOutput::Random {
                distribution,
                no_host,
                // A row with `same_as` follows the session of another row.
                same_as: None,
                ..
            },
        ) = answer
        else {
            let recorded = sessions.moved(i, recorded);
            faults.extend(certain(i, &recorded, &observed));
            continue;
        };
        for (shares, seen) in [(&mut before, recorded), (&mut now, &observed)] {
            let count = seen.iter().map(|seen| seen.count).sum();
            shares.expect(distribution, *no_host, count);
            seen.iter()
                .for_each(|seen| shares.observe(seen, distribution));
        }
        for seen in &observed {
            if !agrees(answer, seen) {
                faults.push(format!("row {i}: impossible result {seen}"));
            }
        }
    }
    let left_over = observed.keys();
    faults.extend(left_over.map(|i| format!("row {i}: replayed, but not recorded")));
    let recorded = before.misfits().into_iter();
    faults.extend(recorded.map(|misfit| format!("recorded {misfit}")));
    faults.extend(now.misfits());
    faults
}

/// The first host of each session, recorded and replayed.
///
/// The first request of a client can reach any host; later requests must stay there.
#[derive(Debug)]
struct Sessions(BTreeMap<String, (String, String)>);

impl Sessions {
    /// Finds the first host of each session in the recording and in the replay.
    fn new(rows: &[Row], recorded: &Observations, observed: &Observations) -> Self {
        let host = |all: &Observations, i: &str| all.get(i)?.first()?.endpoint.clone();
        let mut begun: BTreeMap<&str, (Option<String>, Option<String>)> = BTreeMap::new();
        let mut moves = BTreeMap::new();
        for row in rows {
            let Some(session) = &row.session else {
                continue;
            };
            let i = row.i.to_string();
            let first = begun
                .entry(session)
                .or_insert_with(|| (host(recorded, &i), host(observed, &i)));
            if let (Some(before), Some(now)) = first {
                moves.insert(i, (before.clone(), now.clone()));
            }
        }
        Self(moves)
    }

    /// The recording of a row, with the first host of the replayed session.
    fn moved(&self, i: &str, recorded: &[Observation]) -> Vec<Observation> {
        let mut recorded = recorded.to_vec();
        if let Some((before, now)) = self.0.get(i) {
            for seen in &mut recorded {
                if seen.endpoint.as_ref() == Some(before) {
                    seen.endpoint = Some(now.clone());
                }
            }
        }
        recorded
    }
}

/// The difference of a deterministic row.
fn certain(i: &str, recorded: &[Observation], observed: &[Observation]) -> Option<String> {
    // Two recordings of an unstable row differ, so every host is allowed.
    let unstable = recorded.iter().any(|recorded| recorded.unstable);
    let place = |seen: &Observation| match (&seen.endpoint, unstable) {
        (Some(_), true) => (0, Some(String::new())),
        (None, true) => (0, None),
        (endpoint, false) => (seen.status, endpoint.clone()),
    };
    let mut counts: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for seen in recorded {
        counts.entry(place(seen)).or_default().0 += seen.count;
    }
    for seen in observed {
        counts.entry(place(seen)).or_default().1 += seen.count;
    }
    if counts.values().all(|(before, now)| before == now) {
        return None;
    }
    Some(format!(
        "row {i}: recorded {}, replayed {}",
        listed(recorded),
        listed(observed)
    ))
}

/// The observations of a row in short.
fn listed(seen: &[Observation]) -> String {
    match seen {
        [] => "nothing".into(),
        [first, rest @ ..] => match rest.len() {
            0 => first.to_string(),
            more => format!("{first} and {more} more"),
        },
    }
}
