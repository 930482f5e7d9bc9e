//! `envoy-config/demo` holds complete files with the usual ports and places; here other ports and
//! places are put into them.

use std::path::Path;

use super::DemoPorts;
use crate::project::Project;

/// Texts of the files and their replacements.
pub struct Template {
    ports: Vec<(String, u16)>,
    places: Vec<(&'static str, String)>,
}

impl Template {
    /// For a demo with these ports and this folder of state files.
    pub fn new(project: &Project, ports: &DemoPorts, state: &Path) -> Self {
        let usual = DemoPorts::default();
        let port = |from: u16, to: u16| (from.to_string(), to);
        let place = |path: &Path| path.display().to_string();
        Self {
            ports: vec![
                port(usual.page, ports.page),
                port(usual.service, ports.service),
                port(usual.hosts, ports.hosts),
                port(usual.admin, ports.admin),
            ],
            places: vec![
                ("target/spillgate/demo", place(state)),
                ("target/spillgate/www", place(&project.www())),
                (
                    "target/spillgate/spillgate.wasm",
                    place(&project.filter_wasm()),
                ),
            ],
        }
    }

    /// `text` with everything put in. Ports are whole numbers: the 8080 in 18080 is not.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len() + 256);
        let mut number = String::new();
        for c in text.chars() {
            if c.is_ascii_digit() {
                number.push(c);
                continue;
            }
            self.push_number(&mut filled, &number);
            number.clear();
            filled.push(c);
        }
        self.push_number(&mut filled, &number);
        for (from, to) in &self.places {
            filled = filled.replace(from, to);
        }
        filled
    }

    fn push_number(&self, filled: &mut String, number: &str) {
        match self.ports.iter().find(|(from, _)| from == number) {
            Some((_, to)) => filled.push_str(&to.to_string()),
            None => filled.push_str(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_swapped_in_one_go_and_only_whole() {
        let ports = DemoPorts {
            page: 8081,
            service: 8080,
            ..DemoPorts::default()
        };
        let project = Project::new("/r".into(), "/t".into(), None);
        let template = Template::new(&project, &ports, Path::new("/state"));
        let filled = template
            .fill("8080 8081 18080 80801 8090 target/spillgate/demo/a target/spillgate/www/");
        assert_eq!(
            filled,
            "8081 8080 18080 80801 8090 /state/a /t/spillgate/www/"
        );
    }
}
