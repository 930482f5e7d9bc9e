//! Rows of requests for `pick`.

use std::sync::LazyLock;

use spillgate_answers::{
    limits::Limits,
    pick::{Answerer, CountField, read_requests, routes_of},
};
use spillgate_core::snapshot::Snapshot;

use super::configuration::SHOP;
use super::diagnostics::rejected;

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| Snapshot::build(&SHOP.model));

/// Reads the rows, and answers the first ones.
pub(in crate::fuzz) fn read(text: &str) {
    /// Enough to have rows that depend on each other.
    const ANSWERED: usize = 4;
    match read_requests(text, "localhost", CountField::Rejected) {
        Ok(list) => {
            let (routes, _) = routes_of(&SHOP, None).expect("routes");
            let mut answerer = Answerer::new(&SNAPSHOT, routes);
            for row in list.rows.iter().take(ANSWERED) {
                let line = answerer
                    .answer(&row.request)
                    .to_json(&row.i, &Limits::default());
                let value = serde_json::from_str::<serde_json::Value>(&line);
                assert!(value.is_ok(), "not JSON: {line}");
            }
        }
        Err(faults) => rejected(&faults, text),
    }
}
