//! The words and changes of the findings of recorded faults.

use spillgate_config::envoy::Format;

use crate::common::{assert_golden, lint_text, shown, vectors};

#[test]
fn findings_read_as_in_the_golden_file() {
    let mut text = String::new();
    for vector in vectors() {
        let findings = lint_text(&vector.text, Format::guess(&vector.name, &vector.text));
        let own = findings.iter().filter(|it| it.rule == vector.rule);
        text += &format!("{}\n", vector.name);
        text.extend(own.map(shown));
    }
    assert_golden("findings.txt", &text);
}
