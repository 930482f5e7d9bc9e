//! Whether counts fit shares.

use anyhow::{Result, ensure};
pub use spillgate_conformance::chi_square::SIGNIFICANCE;
use spillgate_conformance::chi_square::{SampleCell, fit};

/// The probability that counts at least this far from the shares come up by chance.
///
/// `cells` are (count, expected percent). A count where nothing is expected has probability 0.
///
/// # Errors
/// When the shares do not add up to 100.
pub fn chi_square_p(cells: &[(u64, f64)]) -> Result<f64> {
    let shares: f64 = cells.iter().map(|(_, share)| share).sum();
    ensure!(
        (shares - 100.0).abs() < 1e-6,
        "the shares add up to {shares}, not to 100"
    );
    let total: u64 = cells.iter().map(|(count, _)| count).sum();
    if cells
        .iter()
        .any(|&(count, share)| share <= 0.0 && count > 0)
    {
        return Ok(0.0);
    }
    let cells = cells.iter().map(|&(count, share)| SampleCell {
        expected: total as f64 * share / 100.0,
        observed: count as f64,
    });
    Ok(fit(cells).probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_is_likely_and_a_misfit_is_not() -> Result<()> {
        assert!(chi_square_p(&[(500, 50.0), (500, 50.0)])? > 0.99);
        assert!(chi_square_p(&[(600, 50.0), (400, 50.0)])? < 1e-8);
        assert_eq!(chi_square_p(&[(1000, 100.0), (1, 0.0)])?, 0.0);
        assert!(chi_square_p(&[(1, 90.0)]).is_err());
        Ok(())
    }

    #[test]
    fn the_probability_is_the_published_one() -> Result<()> {
        // The 5 % point of one degree of freedom is 3.841: 100 trials with 59.8 and 40.2.
        let p = chi_square_p(&[(598, 56.7), (402, 43.3)])?;
        let statistic = (598.0_f64 - 567.0).powi(2) / 567.0 + (402.0_f64 - 433.0).powi(2) / 433.0;
        assert!((statistic - 3.914).abs() < 0.001);
        assert!((p - 0.0479).abs() < 0.0005, "{p}");
        Ok(())
    }
}
