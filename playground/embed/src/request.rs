//! The request of a widget, as text.

use spillgate_scenario::PageLayout;

use crate::ControlEdit;

/// What a widget shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WidgetView {
    /// The split as a bar.
    #[default]
    Bars,
    /// The split as a table.
    Table,
    /// The loads for every number of lost hosts of the first priority.
    Sweep,
}

/// The request of a widget.
///
/// Its text has one `NAME VALUE` on each line. Unknown names are ignored, and unknown values have
/// their default, as attributes of HTML elements do.
#[derive(Debug, Clone, PartialEq)]
pub struct WidgetRequest<'a> {
    /// `state`: a link of the playground, with or without the address of the playground.
    pub state: &'a str,
    /// `view`: `bars`, `table` or `sweep`.
    pub view: WidgetView,
    /// `size`: `wide` or `narrow`.
    pub size: PageLayout,
    /// `prefix`: the start of all ids, letters, digits and hyphens. It distinguishes the widgets of a page.
    pub prefix: &'a str,
    /// `edit`, repeated: the changes by the reader.
    pub edits: Vec<ControlEdit>,
}

impl<'a> WidgetRequest<'a> {
    /// Reads a request.
    #[must_use]
    pub fn from_text(text: &'a str) -> Self {
        let mut request = Self {
            state: "",
            view: WidgetView::default(),
            size: PageLayout::Wide,
            prefix: "",
            edits: Vec::new(),
        };
        for (name, value) in text.lines().filter_map(|line| line.split_once(' ')) {
            let value = value.trim();
            match name {
                "state" => request.state = link_of(value),
                "view" => {
                    request.view = match value {
                        "table" => WidgetView::Table,
                        "sweep" => WidgetView::Sweep,
                        _ => WidgetView::Bars,
                    }
                }
                "size" if value == "narrow" => request.size = PageLayout::Narrow,
                "prefix" if value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
                    request.prefix = value;
                }
                "edit" => request.edits.extend(ControlEdit::from_text(value)),
                _ => {}
            }
        }
        request
    }
}

/// The fragment of an address, or the whole text.
fn link_of(text: &str) -> &str {
    text.rsplit_once('#').map_or(text, |(_, fragment)| fragment)
}
