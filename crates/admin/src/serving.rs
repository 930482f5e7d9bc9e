//! Filter configurations from ECDS that Envoy shows although it rejected them.
//!
//! Envoy keeps a configuration for `/config_dump` before its filter accepts it. If the filter rejects it, the
//! previous one serves, and the dump shows the rejected one. Only an accepted one sets `update_time`.

use serde_json::{Value, json};

/// The beginning of the counters of ECDS.
const PREFIX: &str = "extension_config_discovery.";

/// The dump with a mark on each configuration from ECDS that Envoy rejected: `client_status: NACKED`, and the
/// reason in `error_state`. `None` if there is no such configuration.
///
/// `stats` is the response of `/stats`, from after the dump. Without the counters of a filter, nothing is known
/// about its configuration.
#[must_use]
pub fn mark_rejected(dump: &str, stats: &str) -> Option<String> {
    // Most dumps have no filters from ECDS, and most filters accept.
    let rejected = |line: &str| value_of(line, ".update_rejected").is_some_and(|count| count > 0);
    if !dump.contains(SECTION) || !stats.lines().any(rejected) {
        return None;
    }
    let mut dump: Value = serde_json::from_str(dump).ok()?;
    let sections = dump.get_mut("configs")?.as_array_mut()?.iter_mut();
    let ecds = sections.filter(|section| {
        let name = section.get("@type").and_then(Value::as_str);
        name.is_some_and(|name| name.ends_with(SECTION))
    });
    let filters = ecds.filter_map(|section| section.get_mut("ecds_filters")?.as_array_mut());
    let mut found = false;
    for filter in filters.flatten() {
        if let Some(details) = rejection(filter, stats)
            && let Value::Object(fields) = filter
        {
            fields.insert("client_status".to_owned(), json!("NACKED"));
            fields.insert("error_state".to_owned(), json!({ "details": details }));
            found = true;
        }
    }
    found.then(|| format!("{dump:#}"))
}

/// The section with filters from ECDS.
const SECTION: &str = "EcdsConfigDump";

/// Why the configuration of a filter in a dump does not serve.
fn rejection(filter: &Value, stats: &str) -> Option<String> {
    let name = filter.get("ecds_filter")?.get("name")?.as_str()?;
    let shown = milliseconds(filter.get("last_updated")?.as_str()?)?;
    let stat = |stat: &str| {
        let mut values = stats
            .lines()
            .filter_map(|line| value_of(line, &format!(".{name}.{stat}")));
        // Filters of several kinds can have the same name.
        values.next().filter(|_| values.next().is_none())
    };
    let (rejected, accepted) = (stat("update_rejected")?, stat("update_time")?);
    if rejected == 0 || shown <= accepted {
        return None;
    }
    Some(match accepted {
        0 => format!("{name}: no version has been accepted"),
        _ => format!("{name}: last_updated is after update_time"),
    })
}

/// The value of a counter or gauge of ECDS whose name ends with `end`. The kind of the filter is before that.
fn value_of(line: &str, end: &str) -> Option<u64> {
    let (name, value) = line.strip_prefix(PREFIX)?.split_once(": ")?;
    let before = name.strip_suffix(end)?;
    let is_kind = !end.trim_start_matches('.').contains('.') || !before.contains('.');
    value.trim().parse().ok().filter(|_| is_kind)
}

/// Milliseconds since the Unix epoch of a time in UTC, as Envoy writes it: `2026-01-31T23:59:59.123Z`.
fn milliseconds(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut time = time.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hours, minutes, seconds) = (time.next()??, time.next()??, time.next()??);
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    // Years begin in March, so that a leap day is the last day.
    let (year, month) = match month {
        1 | 2 => (year.checked_sub(1)?, month + 9),
        _ => (year, month.checked_sub(3)?),
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days = 365 * year + leap_days + (153 * month + 2) / 5 + day;
    // The days before 1970-01-01, counted from March 1 of year 0.
    let days = days.checked_sub(719_469)?;
    let seconds = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    Some(seconds * 1_000 + fraction.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(updated: &str) -> String {
        let filter = json!({"name": "s", "typed_config": {}});
        json!({"configs": [{
            "@type": "type.googleapis.com/envoy.admin.v3.EcdsConfigDump",
            "ecds_filters": [{"ecds_filter": filter, "last_updated": updated}],
        }]})
        .to_string()
    }

    fn stats(time: u64, rejected: u64) -> String {
        let of = |stat: &str, value: u64| {
            format!("extension_config_discovery.http_filter.s.{stat}: {value}\n")
        };
        // Another filter, whose name ends alike.
        let other = "extension_config_discovery.http_filter.a.s.update_time: 1\n";
        of("update_time", time) + &of("update_rejected", rejected) + other
    }

    #[test]
    fn times_are_milliseconds_since_1970() {
        let of = |text| milliseconds(text);
        assert_eq!(of("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(of("2000-02-29T12:00:00.5Z"), Some(951_825_600_500));
        assert_eq!(of("2026-11-28T00:35:42.123Z"), Some(1_795_826_142_123));
        assert_eq!(of("2026-11-28"), None);
        assert_eq!(of("2026-0-1T00:00:00Z"), None);
    }

    #[test]
    fn a_configuration_after_the_last_accepted_update_is_rejected() {
        let later = dump("2026-11-28T00:35:42.124Z");
        let accepted = 1_795_826_142_123;
        let marked = mark_rejected(&later, &stats(accepted, 1)).unwrap();
        let marked: Value = serde_json::from_str(&marked).unwrap();
        let filter = &marked["configs"][0]["ecds_filters"][0];
        assert_eq!(filter["client_status"], "NACKED");
        let details = filter["error_state"]["details"].as_str().unwrap();
        assert!(details.contains("update_time"), "{details}");
        // The rejected update was of another resource, or its type was wrong: the dump shows the accepted one.
        assert_eq!(mark_rejected(&later, &stats(accepted + 1, 1)), None);
        assert_eq!(mark_rejected(&later, &stats(accepted, 0)), None);
        assert_eq!(mark_rejected(&later, ""), None);
        let never = mark_rejected(&later, &stats(0, 2)).unwrap();
        assert!(never.contains("no version has been accepted"), "{never}");
    }
}
