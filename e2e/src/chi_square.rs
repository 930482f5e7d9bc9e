//! Whether counts fit shares.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use anyhow::{Result, ensure};

/// Cells that expect fewer are thrown together, because the test is not valid for them.
const SMALLEST_CELL: f64 = 5.0;

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
    let (mut large, mut small) = (Vec::new(), (0.0, 0.0));
    for &(count, share) in cells {
        let expected = total as f64 * share / 100.0;
        if share <= 0.0 {
            if count > 0 {
                return Ok(0.0);
            }
        } else if expected < SMALLEST_CELL {
            small.0 += count as f64;
            small.1 += expected;
        } else {
            large.push((count as f64, expected));
        }
    }
    if small.1 >= SMALLEST_CELL {
        large.push(small);
    } else if let Some(smallest) = large.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) {
        // What is still too small joins the smallest of the others.
        smallest.0 += small.0;
        smallest.1 += small.1;
    }
    let Some(degrees) = large.len().checked_sub(1).filter(|&degrees| degrees > 0) else {
        return Ok(1.0);
    };
    let statistic: f64 = large
        .iter()
        .map(|(count, expected)| (count - expected).powi(2) / expected)
        .sum();
    Ok(ChiSquared::new(degrees as f64)?.sf(statistic))
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
