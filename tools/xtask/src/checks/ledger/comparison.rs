//! Compares recorded counts with new ones.

use std::fmt::Write as _;

use super::file::LedgerEntry;

/// By how many percent a count may exceed the recorded one.
const TOLERANCE: u64 = 5;

/// The result.
pub struct LedgerComparison {
    /// All counts, with their changes.
    pub table: String,
    /// Counts that fail the check, and names in one ledger only.
    pub faults: Vec<String>,
}

/// Compares by name.
pub fn compare(recorded: &[LedgerEntry], found: &[LedgerEntry]) -> LedgerComparison {
    let mut table = format!("  {:>9} {:>9} {:>8}\n", "recorded", "now", "change");
    let mut faults = Vec::new();
    for LedgerEntry { count, name } in found {
        let Some(before) = recorded.iter().find(|before| before.name == *name) else {
            let _ = writeln!(table, "  {:>9} {count:>9} {:>8} {name}", "", "new");
            faults.push(format!("{name} is not in the ledger"));
            continue;
        };
        let change = (*count as f64 / before.count as f64 - 1.0) * 100.0;
        let percent = |count: u64, percent: u64| u128::from(count) * u128::from(percent);
        let now = percent(*count, 100);
        let note = if now > percent(before.count, 100 + TOLERANCE) {
            faults.push(format!("{name}: {change:+.1} %"));
            "  TOO MANY"
        } else if now < percent(before.count, 100 - TOLERANCE) {
            "  fewer: record it"
        } else {
            ""
        };
        let _ = writeln!(
            table,
            "  {:>9} {count:>9} {change:>+6.1} % {name}{note}",
            before.count
        );
    }
    for before in recorded {
        if !found.iter().any(|count| count.name == before.name) {
            faults.push(format!(
                "{} is in the ledger and was not counted",
                before.name
            ));
        }
    }
    LedgerComparison { table, faults }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u64)]) -> Vec<LedgerEntry> {
        let count = |&(name, count): &(&str, u64)| LedgerEntry {
            count,
            name: name.to_owned(),
        };
        counts.iter().map(count).collect()
    }

    fn faults(recorded: &[(&str, u64)], found: &[(&str, u64)]) -> Vec<String> {
        compare(&counts(recorded), &counts(found)).faults
    }

    #[test]
    fn five_percent_more_is_allowed_and_no_more() {
        assert!(faults(&[("a", 1000)], &[("a", 1050)]).is_empty());
        assert!(faults(&[("a", 1000)], &[("a", 1)]).is_empty());
        assert_eq!(faults(&[("a", 1000)], &[("a", 1051)]), ["a: +5.1 %"]);
    }

    #[test]
    fn both_ledgers_have_the_same_names() {
        assert_eq!(faults(&[], &[("a", 1)]), ["a is not in the ledger"]);
        let gone = ["a is in the ledger and was not counted"];
        assert_eq!(faults(&[("a", 1)], &[]), gone);
    }

    #[test]
    fn the_table_shows_each_count_and_its_change() {
        let found = compare(&counts(&[("a", 1000)]), &counts(&[("a", 900), ("b", 1)]));
        let rows: Vec<_> = found.table.lines().skip(1).map(str::trim).collect();
        assert_eq!(
            rows,
            [
                "1000       900  -10.0 % a  fewer: record it",
                "1      new b"
            ]
        );
    }
}
