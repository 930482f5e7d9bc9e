//! What is worth a sentence.

use spillgate_sim::Effect;

use super::Names;
use crate::what_if::{
    answer::{Answer, KneeAnswer},
    question::Question,
};

/// What is lost and what comes of it.
pub(super) fn headline(question: &Question, answer: &Answer, names: &Names) -> String {
    let what_if = &answer.what_if;
    let all = question.scene.hosts().len();
    let lost = match what_if.lost.len() {
        0 => format!("{} as it is", question.name),
        lost => {
            let losses: Vec<String> = question.losses.iter().map(ToString::to_string).collect();
            let losses = losses.join(" and ");
            format!(
                "{} without {lost} of its {all} hosts ({losses})",
                question.name
            )
        }
    };
    let after = &what_if.after;
    let mut consequences = Vec::new();
    for (place, level) in after.levels.iter().enumerate() {
        let before = what_if.before.levels.get(place).map_or(0, |l| l.load());
        if before != level.load() {
            let name = names.get(place);
            consequences.push(format!(
                "{name} gets {} % instead of {before} %",
                level.load()
            ));
        }
    }
    if consequences.is_empty() && !what_if.lost.is_empty() {
        consequences.push("no level gets more or less".into());
    }
    let panicking: Vec<&str> = (0..after.levels.len())
        .filter(|&place| after.panics(place))
        .map(|place| names.get(place))
        .collect();
    consequences.push(match panicking.as_slice() {
        [] => "nothing panics".into(),
        levels => format!("{} in panic", levels.join(", ")),
    });
    consequences.push(match after.no_host {
        0.0 => "every request finds a host".into(),
        none => format!("{none:.1} % of its requests find no host"),
    });
    format!("{lost}: {}.\n", consequences.join(", "))
}

/// Knees, margin, overload and keys.
pub(super) fn facts(question: &Question, answer: &Answer, names: &Names) -> String {
    let mut facts = Vec::new();
    let what = &question.selection;
    if !question.swept.is_empty() {
        for knee in &answer.knees {
            facts.push(of_knee(knee, what, names));
        }
        if answer.knees.is_empty() {
            facts.push(format!(
                "no loss of {what} spills, panics or leaves no host"
            ));
        }
        facts.push(match answer.panic_margin {
            Some(0) => "a level panics already after this loss".into(),
            Some(1) => format!("the loss of 1 more host of {what} makes a level panic"),
            Some(more) => format!("the loss of {more} more hosts of {what} makes a level panic"),
            None => format!("no further loss of {what} makes a level panic"),
        });
    }
    if let (Some(worst), Some(host)) = (answer.what_if.overload, &answer.overloaded)
        && worst.factor() > 1.0 + 1e-9
    {
        facts.push(format!(
            "of the hosts that are left {host} gets most in addition: {:.2} times its load of \
             before ({:.1} % instead of {:.1} %)",
            worst.factor(),
            worst.after,
            worst.before
        ));
    }
    if let Some(keys) = &answer.keys_moved
        && !answer.lost.is_empty()
    {
        let percent = |count: u64| count as f64 * 100.0 / keys.keys as f64;
        facts.push(format!(
            "{:.1} % of the request hashes move to another host, {:.1} % needlessly",
            percent(keys.moved),
            percent(keys.needless)
        ));
    }
    facts.iter().map(|fact| format!("- {fact}\n")).collect()
}

fn of_knee(knee: &KneeAnswer, what: &str, names: &Names) -> String {
    let level = knee.level.map_or("", |place| names.get(place));
    let loss = match knee.lost {
        0 => "without any loss".into(),
        lost => format!("losing {} host of {what}", ordinal(lost)),
    };
    let effect = match (knee.what, knee.lost) {
        (Effect::Spill, 0) => format!("{level} spills"),
        (Effect::Panic, 0) => format!("{level} panics"),
        (Effect::NoHost, 0) => "some requests find no host".into(),
        (Effect::Spill, _) => format!("starts the spill from {level}"),
        (Effect::Panic, _) => format!("puts {level} into panic"),
        (Effect::NoHost | Effect::None, _) => "leaves requests without a host".into(),
    };
    match knee.lost {
        0 => format!("{effect} {loss}"),
        _ => format!("{loss} {effect}"),
    }
}

/// `a 4th`, `an 8th`.
fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    // Eight, eleven and eighteen begin with a vowel when they are spoken.
    let digits = number.to_string();
    let vowel = digits.starts_with('8') || matches!(number, 11 | 18);
    let article = if vowel { "an" } else { "a" };
    format!("{article} {digits}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_read_well() {
        let said: Vec<String> = [1, 2, 3, 4, 8, 11, 12, 13, 18, 21, 80, 100, 111, 122]
            .map(ordinal)
            .into();
        assert_eq!(
            said.join(", "),
            "a 1st, a 2nd, a 3rd, a 4th, an 8th, an 11th, a 12th, a 13th, an 18th, a 21st, \
             an 80th, a 100th, a 111th, a 122nd"
        );
    }
}
