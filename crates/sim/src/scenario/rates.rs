//! `rates`: the relative rate of each kind of step.

use crate::world::{EventKind, Rates};

use spillgate_config::proto::{Message, Report, Schema};

/// The fields are the names of the kinds, in the order of [`EventKind::ALL`].
static RATES: Schema = Schema::new(
    "rates",
    "request forge borrow flap drain vanish appear priority metadata failover rotate reload restart \
     clock partial",
);

/// Reads `rates`: 0 for kinds that it omits; the default if the field is missing.
pub(super) fn read_rates(parent: &Message<'_, '_>, default: Rates, report: &mut Report) -> Rates {
    let Some(message) = parent.message("rates", &RATES, report) else {
        return default;
    };
    let errors = report.errors();
    let mut rates = Rates::NONE;
    for (kind, name) in EventKind::ALL.into_iter().zip(RATES.fields()) {
        let rate = message.u32_within(name, 0..=1_000_000, report);
        rates = rates.with(kind, rate.unwrap_or(0));
    }
    if rates.total() == 0 && report.errors() == errors {
        let fault = parent.error("rates", "config/value", "all rates are 0");
        report.push(fault.expected("at least one rate above 0"));
    }
    rates
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn fields_are_the_names_of_the_kinds() {
        let names = EventKind::ALL.map(|kind| alloc::format!("{kind:?}").to_lowercase());
        assert!(names.iter().map(String::as_str).eq(RATES.fields()));
    }
}
