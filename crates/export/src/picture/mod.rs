//! The picture of the playground as a self-contained SVG file, drawn from the same geometry.

mod draw;
mod style;

use spillgate_core::visible::escaped;
use spillgate_scenario::{EditedScenario, Headline, PageLayout, ScenarioOutcome, fixed, spillway};

use self::{
    draw::shapes,
    style::{definitions, style},
};

/// The colors of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureColors {
    /// Those of the viewer: light, or dark if it prefers them.
    OfViewer,
    /// Light colors, for an image without a viewer of its own.
    Light,
}

/// The margin around the figure.
const MARGIN: f64 = 16.0;
/// The height of a line of the headline.
const LINE: f64 = 26.0;
/// The maximum length of such a line, in characters.
const LONGEST: usize = 84;

/// The picture of the shown cluster. It has a title and a description with the same figures.
#[must_use]
pub fn picture(scenario: &EditedScenario, colors: PictureColors) -> String {
    let outcome = ScenarioOutcome::of(scenario);
    let figure = spillway(&outcome, &outcome.names(), PageLayout::Wide);
    let headline = Headline::of(&outcome);
    let answer = headline.sentence();
    let lines = lines(&answer, LONGEST);
    let top = MARGIN + LINE * lines.len() as f64;
    let (width, height) = (figure.width + 2.0 * MARGIN, figure.height + top + MARGIN);
    let (width, height) = (fixed(width), fixed(height));
    let texts = lines.iter().enumerate().map(|(at, line)| {
        let y = MARGIN + LINE * (at as f64 + 0.7);
        format!(
            "<text class=\"answer\" x=\"{}\" y=\"{}\">{}</text>\n",
            fixed(MARGIN),
            fixed(y),
            escaped(line)
        )
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"sg-title sg-description\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title id=\"sg-title\">{}</title>\n<desc id=\"sg-description\">{}</desc>\n\
         <style>{}</style>\n{}\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"12\"/>\n{}\
         <g transform=\"translate({} {})\">\n{}</g>\n</svg>\n",
        escaped(&format!("Traffic of {}", scenario.name(scenario.root()))),
        escaped(&format!("{answer} {}", headline.reason)),
        style(colors),
        definitions(),
        texts.collect::<String>(),
        fixed(MARGIN),
        fixed(top),
        shapes(&figure)
    )
}

/// A text in lines of at most `longest` characters; a longer word has its own line and is shortened.
fn lines(text: &str, longest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let mut word: String = word.to_owned();
        if word.chars().count() > longest {
            word = word.chars().take(longest - 1).collect();
            word.push('\u{2026}');
        }
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= longest => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_headlines_have_several_lines() {
        assert_eq!(lines("a bc def", 4), ["a bc", "def"]);
        assert_eq!(lines("abcdefgh i", 4), ["abc\u{2026}", "i"]);
    }
}
