//! The sweep of `what-if`: a line of bars for each priority.

use spillgate_core::visible::visible;
use spillgate_sim::LoadState;

use crate::what_if::{loss_report::Answer, question::Question};

/// The widest line, in characters.
const WIDEST: usize = 60;

/// The load of each priority by the number of lost hosts.
pub(super) fn sweep(question: &Question, answer: &Answer, names: &[String]) -> String {
    let states = &answer.what_if.sweep;
    let most = states.len().saturating_sub(1);
    let shown = sampled(states);
    let mut lines = vec![(
        String::new(),
        visible(&format!("0 to {most} hosts of {} lost", question.selection)).into_owned(),
    )];
    for (place, name) in names.iter().enumerate() {
        let load = |state: &&LoadState| f64::from(state.load(place));
        lines.push((visible(name).into_owned(), line(&shown, load)));
    }
    if states.iter().any(|state| state.no_host > 0.0) {
        lines.push(("no host".into(), line(&shown, |state| state.no_host)));
    }
    if states.iter().any(|state| state.panicking() > 0) {
        let marks = shown.iter().map(|state| match state.panicking() {
            0 => ' ',
            _ => '▲',
        });
        lines.push(("panic".into(), format!("│{}│", marks.collect::<String>())));
    }
    let width = lines
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let lines = lines.iter();
    lines
        .map(|(name, line)| format!("{name:width$} {line}\n"))
        .collect()
}

/// At most [`WIDEST`] evenly spaced states, including the first and the last.
fn sampled(states: &[LoadState]) -> Vec<&LoadState> {
    let last = states.len().saturating_sub(1);
    let width = states.len().min(WIDEST);
    let steps = width.saturating_sub(1).max(1);
    let places = (0..width).map(|column| (column * last + steps / 2) / steps);
    places.filter_map(|at| states.get(at)).collect()
}

/// A bar for each state, and the figures at both ends.
fn line(states: &[&LoadState], figure: impl Fn(&&LoadState) -> f64) -> String {
    let bars: String = states.iter().map(|state| bar(figure(state))).collect();
    let end = |state: Option<&&LoadState>| state.map_or(0.0, &figure);
    let (first, last) = (end(states.first()), end(states.last()));
    format!("│{bars}│ {first:.0} % to {last:.0} %")
}

/// An eighth of the height for each eighth of 100 %; a load above 0 is always visible.
fn bar(percent: f64) -> char {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let eighths = (percent * 8.0 / 100.0).round() as usize;
    let eighths = if percent > 0.0 { eighths.max(1) } else { 0 };
    EIGHTHS.get(eighths).copied().unwrap_or('█')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_load() {
        let bars: String = [0.0, 0.5, 12.5, 50.0, 98.0, 100.0]
            .map(bar)
            .iter()
            .collect();
        assert_eq!(bars, " ▁▁▄██");
    }

    #[test]
    fn long_sweeps_keep_both_ends() {
        let states: Vec<LoadState> = (0..=1000)
            .map(|lost| LoadState {
                no_host: f64::from(lost),
                ..LoadState::default()
            })
            .collect();
        let shown = sampled(&states);
        assert_eq!(shown.len(), WIDEST);
        let at = |place: usize| shown.get(place).map(|state| state.no_host);
        assert_eq!((at(0), at(WIDEST - 1)), (Some(0.0), Some(1000.0)));
        assert_eq!(sampled(states.get(..1).unwrap()).len(), 1);
    }
}
