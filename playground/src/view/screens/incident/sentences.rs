//! The words about a time, and about the source of a setting.

use spillgate_codec::import::SettingSource;
use spillgate_scenario::{fixed, plural};

use super::ShownIncident;
use crate::view::screens::over_time::seconds;

/// What happens at a time in milliseconds.
#[must_use]
pub fn moment_sentence(run: &ShownIncident, millis: u64) -> String {
    let at = seconds(millis);
    let Some(row) = run.row_at(millis) else {
        return format!("At {at}: nothing is known.");
    };
    let (usable, hosts) = row.usable;
    let loads = run.record.priorities.iter().zip(&row.priorities);
    let loads = loads.filter(|(_, (load, _))| *load > 0);
    let loads = loads.map(|(name, (load, panic))| {
        let mode = if *panic { " in panic mode" } else { "" };
        format!("{name} takes {load}\u{a0}%{mode}")
    });
    let loads: Vec<String> = loads.collect();
    let taken = if loads.is_empty() {
        "no host takes requests".to_owned()
    } else {
        loads.join(", ")
    };
    let failing = match (row.failed, row.retried) {
        (failed, retried) if failed < 0.05 && retried < 0.05 => "no request fails".to_owned(),
        (failed, retried) => {
            let retried = if retried < 0.05 {
                String::new()
            } else {
                format!(", {} are retried", fixed(retried))
            };
            format!("{} requests/s fail{retried}", fixed(failed))
        }
    };
    // What Envoy knows is later than what happens.
    let hosts = plural(hosts, "host");
    format!("At {at}: Envoy considers {usable} of {hosts} usable; {taken}; {failing}.")
}

/// Who states a setting.
#[must_use]
pub const fn source_text(source: SettingSource) -> &'static str {
    match source {
        SettingSource::Config => "of the configuration",
        SettingSource::Several => "of the first member; others differ",
        SettingSource::Example => "an example",
        SettingSource::Changed => "changed here",
    }
}
