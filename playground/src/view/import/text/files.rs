//! Several files as the texts of the dialog.

use spillgate_scenario::{ImportField, ImportTexts};

/// A file that the user opens or drops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenedFile {
    /// Its name.
    pub(crate) name: String,
    /// Its text; `None` if the browser cannot read it.
    pub(crate) text: Option<String>,
}

/// The field to which a text belongs: the output of `/clusters` has one of its own.
#[must_use]
pub(crate) fn field_of(text: &str) -> ImportField {
    let start = text.trim_start();
    // `NAME::ADDRESS::ATTRIBUTE::VALUE`, or the JSON message `Clusters`.
    let is_line = |line: &str| line.split("::").count() >= 3 && !line.contains(": ");
    let is_text = start.lines().next().is_some_and(is_line);
    let is_json = start.starts_with('{') && start.contains("\"cluster_statuses\"");
    if is_text || (is_json && !start.contains("\"configs\"")) {
        ImportField::Clusters
    } else {
        ImportField::Config
    }
}

/// The texts of several files. Configurations become the documents of one text, each below a comment with the
/// name of its file; the outputs of `/clusters` are joined line by line.
#[must_use]
pub(crate) fn texts_of(files: &[OpenedFile]) -> ImportTexts {
    let mut texts = ImportTexts::default();
    let named = |file: &OpenedFile| Some((file.name.clone(), file.text.clone()?));
    let (clusters, configs): (Vec<_>, Vec<_>) = files
        .iter()
        .filter_map(named)
        .partition(|(_, text)| field_of(text) == ImportField::Clusters);
    match configs.as_slice() {
        [(_, only)] => texts.config.clone_from(only),
        several => {
            for (name, text) in several {
                // A line break would end the comment.
                let name = name.replace(char::is_control, " ");
                let text = without_start(text);
                texts.config += &format!("---\n# {name}\n{}\n", text.trim_end());
            }
        }
    }
    for (_, text) in &clusters {
        texts.clusters += text.trim_end();
        texts.clusters.push('\n');
    }
    texts
}

/// A text without the mark at the start of its first document, which would add an empty one.
fn without_start(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.strip_prefix("---\n")
        .or_else(|| text.strip_prefix("---\r\n"))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> OpenedFile {
        OpenedFile {
            name: name.into(),
            text: Some(text.into()),
        }
    }

    #[test]
    fn the_output_of_clusters_is_recognized() {
        for text in [
            "shop::10.0.0.1:80::health_flags::healthy\n",
            "\noutbound|80||a::default_priority::max_connections::1024\n",
            "{\"cluster_statuses\": []}",
        ] {
            assert_eq!(field_of(text), ImportField::Clusters, "{text}");
        }
        for text in [
            "",
            "{}",
            "name: a::b::c\n",
            "static_resources: {}\n",
            "{\"configs\": [{\"cluster_statuses\": 1}]}",
        ] {
            assert_eq!(field_of(text), ImportField::Config, "{text}");
        }
    }

    #[test]
    fn several_files_become_documents() {
        let files = [
            file("clusters.yaml", "---\nname: a\n"),
            file("health.txt", "a::10.0.0.1:80::weight::1"),
            file("endpoints\n.json", "{\"cluster_name\": \"a\"}\n\n"),
            OpenedFile {
                name: "gone.yaml".into(),
                text: None,
            },
        ];
        let texts = texts_of(&files);
        assert_eq!(
            texts.config,
            "---\n# clusters.yaml\nname: a\n---\n# endpoints .json\n{\"cluster_name\": \"a\"}\n"
        );
        assert_eq!(texts.clusters, "a::10.0.0.1:80::weight::1\n");
        assert_eq!(texts_of(&files[..1]).config, "---\nname: a\n");
        assert_eq!(texts_of(&[]), ImportTexts::default());
    }
}
