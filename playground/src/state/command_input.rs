//! How a command of `spillgate` gets the scenario of the playground.

use spillgate_scenario::{
    EditedScenario, ImportOrigin,
    link::{self, Disclosure, SharedScenario},
};

/// The input of a command: an unchanged import is a file, any other scenario a link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandInput {
    /// The command that writes the scenario, for a pipe; empty for a file.
    pub before: String,
    /// The arguments that read the scenario.
    pub arguments: String,
    /// The end of a sentence about it.
    pub about: String,
    /// Which names other arguments have: a link can have generated ones. [`SharedScenario::text`] has them.
    pub names: Option<Disclosure>,
}

impl CommandInput {
    /// The input for a scenario.
    #[must_use]
    pub fn of(scenario: &EditedScenario, disclosure: Disclosure) -> Self {
        match unchanged_import(scenario) {
            Some(origin) => Self::of_files(origin),
            None => Self::of_link(scenario, disclosure),
        }
    }

    /// The start of a command line such as `spillgate what-if envoy.yaml`.
    #[must_use]
    pub fn line(&self, command: &str) -> String {
        let pipe = if self.before.is_empty() { "" } else { " | " };
        format!(
            "{}{pipe}spillgate {command} {}",
            self.before, self.arguments
        )
    }

    fn of_files(origin: &ImportOrigin) -> Self {
        let text = origin.texts.config.trim_start_matches('\u{feff}');
        // The command detects the format by the file name, the playground by the first character.
        let config = if text.trim_start().starts_with(['{', '[']) {
            "envoy.json"
        } else {
            "envoy.yaml"
        };
        let (mut arguments, mut files) = (config.to_owned(), config.to_owned());
        if !origin.texts.clusters.trim().is_empty() {
            arguments.push_str(" --health clusters.txt");
            files.push_str(" and clusters.txt");
        }
        Self {
            before: String::new(),
            arguments,
            about: format!("{files} is your import:"),
            names: None,
        }
    }

    fn of_link(scenario: &EditedScenario, disclosure: Disclosure) -> Self {
        let link = link::write(&SharedScenario::new(scenario, disclosure).scenario);
        let left_out = link::left_out(scenario);
        let mut about = "the link is this scenario".to_owned();
        if !left_out.is_empty() {
            about.push_str(", without ");
            about.push_str(&left_out.join(", "));
        }
        about.push(':');
        Self {
            before: format!("spillgate link decode {link}"),
            arguments: "-".into(),
            about,
            names: Some(disclosure),
        }
    }
}

/// The import of a scenario, if no edit changed it.
#[must_use]
pub fn unchanged_import(scenario: &EditedScenario) -> Option<&ImportOrigin> {
    let origin = scenario.origin.as_deref()?;
    origin.has(scenario.clusters()).then_some(origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::import_text::import_of;
    use spillgate_scenario::{ScenarioEdit, apply, preset, select};

    #[test]
    fn a_changed_scenario_is_a_link() {
        let scenario = preset("shop").unwrap();
        let link = link::write(&SharedScenario::new(&scenario, Disclosure::Shape).scenario);
        assert_eq!(
            CommandInput::of(&scenario, Disclosure::Shape).line("what-if"),
            format!("spillgate link decode {link} | spillgate what-if -")
        );
    }

    #[test]
    fn an_unchanged_import_is_a_file() {
        let text = r#"[{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
            {"locality": {"zone": "b"}, "lb_endpoints": [
                {"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}
            ]}]}}]"#;
        let overlay = "shop::10.0.0.1:80::health_flags::/failed_active_hc\n\
                       shop::10.0.0.1:80::priority::0\nshop::10.0.0.1:80::zone::b\n";
        for (config, clusters, files) in [
            (text, "", "envoy.json"),
            (&format!("# A comment.\n{text}"), "", "envoy.yaml"),
            (text, overlay, "envoy.json --health clusters.txt"),
        ] {
            let imported = import_of(config, clusters).imported.unwrap();
            let scenario = select(&imported, 0).unwrap();
            let line = |scenario| CommandInput::of(scenario, Disclosure::Shape).line("what-if");
            assert_eq!(line(&scenario), format!("spillgate what-if {files}"));
            let changed = apply(&scenario, &ScenarioEdit::AddPriority(0)).unwrap();
            assert!(line(&changed).starts_with("spillgate link decode 1"));
        }
    }
}
