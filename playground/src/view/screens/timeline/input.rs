//! The input of the screen, also as a text in links.

use super::scenario_named;

/// The scenario, its changes, the seed and the time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimelineInput {
    /// The name of a documented scenario; empty for the clusters of the playground.
    pub source: String,
    /// The seed; `None` for that of the file.
    pub seed: Option<u32>,
    /// The shown time, in milliseconds; `None` for the first one.
    pub at: Option<u64>,
    /// How the text differs from that of the source.
    pub(super) edit: ScriptEdit,
}

/// The difference between the text of the source and the script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum ScriptEdit {
    #[default]
    Unchanged,
    /// Lines at the end, such as events.
    Added(String),
    /// Another text.
    Whole(String),
}

impl TimelineInput {
    /// Reads lines of `NAME=VALUE`, and after the line `added:` or `text:` the change of the script. An
    /// unknown name is ignored, and an invalid value has its initial value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut input = Self::default();
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            match (line, line.split_once('=')) {
                ("added:", _) => {
                    input.edit = ScriptEdit::Added(rest.into());
                    break;
                }
                ("text:", _) => {
                    input.edit = ScriptEdit::Whole(rest.into());
                    break;
                }
                (_, Some(("source", name))) => {
                    input.source = scenario_named(name).map_or("", |known| known.name).into();
                }
                (_, Some(("seed", value))) => input.seed = value.parse().ok(),
                (_, Some(("at", value))) => input.at = value.parse().ok(),
                _ => {}
            }
        }
        input
    }

    /// The text that [`TimelineInput::from_text`] reads; empty for the initial input.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if !self.source.is_empty() {
            text.push_str(&format!("source={}\n", self.source));
        }
        if let Some(seed) = self.seed {
            text.push_str(&format!("seed={seed}\n"));
        }
        if let Some(at) = self.at {
            text.push_str(&format!("at={at}\n"));
        }
        match &self.edit {
            ScriptEdit::Unchanged => {}
            ScriptEdit::Added(lines) => text.push_str(&format!("added:\n{lines}")),
            ScriptEdit::Whole(whole) => text.push_str(&format!("text:\n{whole}")),
        }
        text
    }

    /// The scenario file, from that of the source.
    #[must_use]
    pub fn script(&self, source: &str) -> String {
        match &self.edit {
            ScriptEdit::Unchanged => source.into(),
            ScriptEdit::Added(lines) => format!("{source}{lines}"),
            ScriptEdit::Whole(whole) => whole.clone(),
        }
    }

    /// The input with another scenario file.
    #[must_use]
    pub fn with_script(&self, source: &str, script: &str) -> Self {
        let edit = match script.strip_prefix(source) {
            Some("") => ScriptEdit::Unchanged,
            Some(lines) => ScriptEdit::Added(lines.into()),
            None => ScriptEdit::Whole(script.into()),
        };
        Self {
            edit,
            ..self.clone()
        }
    }

    /// The input without the last added line; `None` if no line was added to the source.
    #[must_use]
    pub fn without_last_line(&self) -> Option<Self> {
        let ScriptEdit::Added(lines) = &self.edit else {
            return None;
        };
        let end = lines.trim_end_matches('\n').rfind('\n');
        let kept = end.and_then(|end| lines.get(..=end)).unwrap_or_default();
        Some(Self {
            edit: if kept.is_empty() {
                ScriptEdit::Unchanged
            } else {
                ScriptEdit::Added(kept.into())
            },
            ..self.clone()
        })
    }

    /// Whether the scenario file is that of the source.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.edit == ScriptEdit::Unchanged
    }

    /// Whether the user chose neither a scenario nor a script.
    #[must_use]
    pub fn has_no_choice(&self) -> bool {
        self.source.is_empty() && self.is_unchanged()
    }
}
