//! What was recorded against what the other Envoy does.

use std::collections::BTreeMap;

use super::row::Row;
use crate::{
    conformance::scenario::{Observation, Observations, Shares, agrees},
    pick::PickAnswer,
};

/// What the engine says of each row.
pub(super) type Answers = BTreeMap<String, PickAnswer>;

/// What tells certain rows from random ones.
#[derive(Debug)]
pub(super) enum Expectation<'a> {
    /// The engine, which has shares for the random ones.
    Answers(&'a Answers),
    /// The recording alone, in which random rows are marked as unstable.
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
    // Both the recording and what is seen now must fit the shares; one of them may be false.
    let (mut before, mut now) = (Shares::default(), Shares::default());
    for (i, recorded) in recorded {
        let observed = observed.remove(i).unwrap_or_default();
        let answer = match expectation {
            Expectation::Answers(answers) => answers.get(i),
            Expectation::Recording => None,
        };
        let Some(
            answer @ PickAnswer::Random {
                distribution,
                no_host,
                // A row that another one decides is as certain as that one's session.
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
                faults.push(format!("row {i}: {seen}, where that was not possible"));
            }
        }
    }
    let left_over = observed.keys();
    faults.extend(left_over.map(|i| format!("row {i}: requested, but not recorded")));
    let recorded = before.misfits().into_iter();
    faults.extend(recorded.map(|misfit| format!("recorded {misfit}")));
    faults.extend(now.misfits());
    faults
}

/// Where the sessions of the rows began, before and now.
///
/// A client's first request may go to any host; what is recorded of those that follow is that they
/// stay there.
#[derive(Debug)]
struct Sessions(BTreeMap<String, (String, String)>);

impl Sessions {
    fn new(rows: &[Row], recorded: &Observations, observed: &Observations) -> Self {
        let host = |all: &Observations, i: &str| all.get(i)?.first()?.endpoint.clone();
        let mut begun: BTreeMap<&str, (Option<String>, Option<String>)> = BTreeMap::new();
        let mut moves = BTreeMap::new();
        for row in rows {
            let Some(session) = &row.session else {
                continue;
            };
            let i = row.i.to_string();
            let first = begun.entry(session);
            let first = first.or_insert_with(|| (host(recorded, &i), host(observed, &i)));
            if let (Some(before), Some(now)) = first {
                moves.insert(i, (before.clone(), now.clone()));
            }
        }
        Self(moves)
    }

    /// What was recorded of a row, had its session begun where it began now.
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

/// A row whose requests all go where they went.
fn certain(i: &str, recorded: &[Observation], observed: &[Observation]) -> Option<String> {
    // What two recordings disagreed about is a random pick: a host is as good as another.
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
        "row {i}: recorded {}, now {}",
        listed(recorded),
        listed(observed)
    ))
}

fn listed(seen: &[Observation]) -> String {
    match seen {
        [] => "nothing".into(),
        [first, rest @ ..] => match rest.len() {
            0 => first.to_string(),
            more => format!("{first} and {more} more"),
        },
    }
}
