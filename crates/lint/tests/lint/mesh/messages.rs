//! The words and changes of the findings of recorded faults.

use super::{lint_value, vectors};
use crate::common::{assert_golden, shown};

#[test]
fn mesh_findings_read_as_in_the_golden_file() {
    let mut text = String::new();
    for vector in vectors("") {
        let findings = lint_value(&vector.value);
        let own = findings.iter().map(|it| &it.finding);
        let own = own.filter(|it| it.rule == vector.rule);
        text += &format!("{}\n", vector.name);
        text.extend(own.map(shown));
    }
    assert_golden("mesh-findings.txt", &text);
}
