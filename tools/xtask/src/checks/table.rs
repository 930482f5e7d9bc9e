//! The table at the end of the tests: the time and the results of each section.

use std::fmt::Write as _;
use std::time::Duration;

/// One section.
#[derive(Default)]
pub struct SectionRow {
    pub name: String,
    pub time: Duration,
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

/// The sum of all rows.
pub fn total(rows: &[SectionRow]) -> SectionRow {
    let mut total = SectionRow {
        name: "total".to_owned(),
        ..SectionRow::default()
    };
    for row in rows {
        total.time += row.time;
        total.passed += row.passed;
        total.failed += row.failed;
        total.skipped += row.skipped;
    }
    total
}

/// The table with its header and its total.
pub fn text(rows: &[SectionRow]) -> String {
    let total = total(rows);
    let names = rows.iter().map(|row| row.name.len());
    let width = names.max().unwrap_or(0).max("section".len());
    let mut text = format!(
        "{:<width$} {:>8} {:>7} {:>7} {:>8}\n",
        "section", "seconds", "passed", "failed", "skipped"
    );
    for row in rows.iter().chain([&total]) {
        let (name, seconds) = (&row.name, row.time.as_secs_f64());
        let (passed, failed, skipped) = (row.passed, row.failed, row.skipped);
        let _ = writeln!(
            text,
            "{name:<width$} {seconds:>8.1} {passed:>7} {failed:>7} {skipped:>8}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_and_the_last_row_is_the_sum() {
        let row = |name: &str, milliseconds, passed| SectionRow {
            name: name.to_owned(),
            time: Duration::from_millis(milliseconds),
            passed,
            failed: 1,
            skipped: 0,
        };
        let text = text(&[row("unit", 61_500, 1200), row("gRPC's own client", 900, 7)]);
        let expected = "\
section            seconds  passed  failed  skipped
unit                  61.5    1200       1        0
gRPC's own client      0.9       7       1        0
total                 62.4    1207       2        0
";
        assert_eq!(text, expected);
    }
}
