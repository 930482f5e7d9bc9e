//! `envoy-config/demo` holds complete files with the usual ports and places; here other ports and
//! places are put into them.

/// Texts of the files and their replacements.
#[derive(Debug)]
pub struct DemoTemplate {
    ports: Vec<(String, u16)>,
    places: Vec<(&'static str, String)>,
}

impl DemoTemplate {
    /// Replaces the ports and the places on the left by those on the right.
    #[must_use]
    pub fn new(ports: &[(u16, u16)], places: Vec<(&'static str, String)>) -> Self {
        let ports = ports.iter().map(|(from, to)| (from.to_string(), *to));
        Self {
            ports: ports.collect(),
            places,
        }
    }

    /// `text` with everything put in. Ports are whole numbers: the 8080 in 18080 is not.
    #[must_use]
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
        let ports = [(8080, 8081), (8081, 8080), (8090, 8090)];
        let places = vec![
            ("target/spillgate/demo", "/state".to_owned()),
            ("target/spillgate/www", "/t/spillgate/www".to_owned()),
        ];
        let filled = DemoTemplate::new(&ports, places)
            .fill("8080 8081 18080 80801 8090 target/spillgate/demo/a target/spillgate/www/");
        assert_eq!(
            filled,
            "8081 8080 18080 80801 8090 /state/a /t/spillgate/www/"
        );
    }
}
