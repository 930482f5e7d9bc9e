//! The overprovisioning factor as a multiplier.

use spillgate_core::model::OverprovisioningFactor;

/// A factor of 140 percent is `1.4`.
pub(crate) fn overprovisioning(OverprovisioningFactor(percent): OverprovisioningFactor) -> String {
    let (whole, rest) = (percent / 100, percent % 100);
    let decimals = format!("{rest:02}");
    match decimals.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{whole}.{decimals}"),
    }
}
