//! The tables that divan prints, as figures. It has no other output:
//!
//! ```text
//! pick              fastest       │ slowest       │ median        │ mean          │ samples │ iters
//! ├─ decide_maglev                │               │               │               │         │
//! │  ├─ 10          26.07 ns      │ 97.88 ns      │ 53.16 ns      │ 53.51 ns      │ 100     │ 3200
//! ```

use serde_json::{Value, json};

/// The names of the columns with times, in order.
const TIMES: [&str; 4] = ["fastest_ns", "slowest_ns", "median_ns", "mean_ns"];

/// All rows with figures so far.
#[derive(Default)]
pub struct Table {
    /// The names that lead to the current row.
    path: Vec<String>,
    rows: Vec<Value>,
}

impl Table {
    /// Takes one line of output; other lines than table rows are ignored.
    pub fn read(&mut self, line: &str) {
        let (depth, row) = tree(line);
        let mut cells = row.split('│').map(str::trim);
        let Some(first) = cells.next() else { return };
        let rest: Vec<&str> = cells.collect();
        if rest.len() != 5 {
            return;
        }
        let (name, fastest) = first.split_once("  ").unwrap_or((first, ""));
        self.path.truncate(depth);
        self.path.push(name.to_owned());
        let texts = std::iter::once(fastest.trim()).chain(rest.iter().copied().take(3));
        let times: Option<Vec<f64>> = texts.map(nanoseconds).collect();
        let count = |index: usize| rest.get(index).and_then(|text| text.parse::<u64>().ok());
        let (Some(times), Some(samples), Some(iterations)) = (times, count(3), count(4)) else {
            return;
        };
        let mut figures = json!({"name": self.path.join("/")});
        for (column, time) in TIMES.into_iter().zip(times) {
            figures[column] = time.into();
        }
        figures["samples"] = samples.into();
        figures["iterations"] = iterations.into();
        self.rows.push(figures);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// `[{"name": "balancing/pick/decide/10", "fastest_ns": 26.07, ...}]`
    pub fn into_json(self) -> Value {
        Value::Array(self.rows)
    }
}

/// How deep in the tree a line is, and the line without the tree's branches.
fn tree(mut line: &str) -> (usize, &str) {
    let mut depth = 0;
    loop {
        let branch = ["├─ ", "╰─ ", "│  ", "   "]
            .into_iter()
            .find_map(|branch| line.strip_prefix(branch));
        match branch {
            Some(rest) => line = rest,
            None => return (depth, line),
        }
        depth += 1;
    }
}

/// `3.7 µs` as 3700.
fn nanoseconds(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let scale = match unit {
        "ps" => 1e-3,
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let value = number.parse::<f64>().ok()? * scale;
    // Binary fractions leave a meaningless tail.
    Some((value * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rows_are_named_by_their_place_in_the_tree() {
        let mut table = Table::default();
        for line in [
            "Timer precision: 20 ns",
            "pick                fastest       │ slowest       │ median        │ mean          │ samples │ iters",
            "├─ decide_maglev                  │               │               │               │         │",
            "│  ├─ 10            26.5 ns       │ 97.88 ns      │ 53.16 ns      │ 53.51 ns      │ 100     │ 3200",
            "│  ╰─ 1000          28.07 ns      │ 1.5 µs        │ 54.44 ns      │ 54.2 ns       │ 100     │ 3200",
            "╰─ peer                           │               │               │               │         │",
            "   ╰─ 10            2 ms          │ 2 ms          │ 2 ms          │ 2 ms          │ 1       │ 1",
        ] {
            table.read(line);
        }
        let names: Vec<_> = table
            .rows
            .iter()
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "pick/decide_maglev/10",
                "pick/decide_maglev/1000",
                "pick/peer/10"
            ]
        );
        assert_eq!(table.rows[0]["fastest_ns"], 26.5);
        assert_eq!(table.rows[1]["slowest_ns"], 1500.0);
        assert_eq!(table.rows[2]["samples"], 1);
    }
}
