//! Small pieces of markup. Every text goes through [`escaped`]; geometry is in attributes, style in
//! classes.

use spillgate_core::visible::escaped;
use spillgate_scenario::{color_class, fixed, pattern_id};

/// A length in percent.
fn percent(number: f64) -> String {
    format!("{}%", fixed(number))
}

/// A rectangle, in percent of the width and height of its figure: left, upper end, width, height.
pub(crate) fn area(class: &str, fill: &str, extent: [f64; 4]) -> String {
    let [x, y, width, height] = extent.map(percent);
    format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{fill}/>"
    )
}

/// The attribute with the pattern of a priority; `None` is the one for panic mode and missing hosts.
pub(crate) fn fill(prefix: &str, place: Option<usize>) -> String {
    let id = place.map_or_else(|| "hatch".into(), pattern_id);
    format!(" fill=\"url(#{prefix}{id})\"")
}

/// A text in the middle of the height.
pub(crate) fn bar_label(at: f64, text: &str) -> String {
    format!(
        "<text x=\"{}\" y=\"50%\">{}</text>",
        percent(at),
        escaped(text)
    )
}

#[cfg(feature = "sweep")]
/// A vertical line over the whole height.
pub(crate) fn cursor(at: f64) -> String {
    let at = percent(at);
    format!("<line class=\"cursor\" x1=\"{at}\" x2=\"{at}\" y1=\"0\" y2=\"100%\"/>")
}

/// The picture of a figure, with its text for screen readers.
pub(crate) fn picture(class: &str, height: u32, text: &str, shapes: &str) -> String {
    format!(
        "<svg class=\"{class}\" width=\"100%\" height=\"{height}\" role=\"img\" aria-label=\"{}\">{shapes}</svg>",
        escaped(text)
    )
}

/// A small square with the pattern of a priority.
pub(crate) fn swatch(prefix: &str, place: usize) -> String {
    let (class, fill) = (color_class(place), fill(prefix, Some(place)));
    format!(
        "<svg class=\"swatch {class}\" width=\"14\" height=\"14\" aria-hidden=\"true\"><rect width=\"14\" height=\"14\" rx=\"3\"{fill}/></svg>"
    )
}

/// The colors of priorities with their names.
pub(crate) fn key(prefix: &str, names: impl Iterator<Item = (usize, String)>) -> String {
    let items =
        names.map(|(place, name)| format!("<li>{}{}</li>", swatch(prefix, place), escaped(&name)));
    format!("<ul class=\"key\">{}</ul>", items.collect::<String>())
}

/// A table with a caption for screen readers. The first cell of a row is its header, as markup; the
/// others are text.
pub(crate) fn table(caption: &str, columns: &[String], rows: &[Vec<String>]) -> String {
    let head = columns
        .iter()
        .map(|name| format!("<th scope=\"col\">{}</th>", escaped(name)));
    let rows = rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(at, cell)| match at {
            0 => format!("<th scope=\"row\">{cell}</th>"),
            _ => format!("<td>{}</td>", escaped(cell)),
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    });
    format!(
        "<table><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
        escaped(caption),
        head.collect::<String>(),
        rows.collect::<String>()
    )
}
