//! Pearson's chi-squared test: whether observed counts fit the expected shares of random choices.

use statrs::function::gamma::checked_gamma_ur;

/// Counts with a lower probability do not fit. Chance alone rejects one of a million correct comparisons: a run of many
/// scenarios makes hundreds of them, and none may fail by chance.
pub const SIGNIFICANCE: f64 = 1e-6;
/// Cells with a lower expected count are pooled, because the approximation is poor for them.
const SMALLEST_CELL: f64 = 5.0;

/// One cell: the expected and the observed count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SampleCell {
    /// The expected count.
    pub expected: f64,
    /// The observed count.
    pub observed: f64,
}

/// The result of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoodnessOfFit {
    /// Pearson's statistic.
    pub statistic: f64,
    /// Degrees of freedom, after pooling.
    pub degrees: usize,
    /// The probability of counts that deviate at least as much, 0 to 1. Counts that deviate less than
    /// random ones (round robin) are near 1 and fit.
    pub probability: f64,
}

/// Pearson's test.
#[must_use]
pub fn fit(cells: impl IntoIterator<Item = SampleCell>) -> GoodnessOfFit {
    let cells = pooled(cells);
    let statistic = cells
        .iter()
        .map(|cell| (cell.observed - cell.expected).powi(2) / cell.expected)
        .sum();
    let degrees = cells.len().saturating_sub(1);
    let probability = if degrees == 0 {
        1.0
    } else {
        // The function rejects a statistic of 0, which fits perfectly.
        checked_gamma_ur(degrees as f64 / 2.0, f64::max(statistic / 2.0, 1e-300)).unwrap_or(0.0)
    };
    GoodnessOfFit {
        statistic,
        degrees,
        probability,
    }
}

/// Pools small cells. If the pool is still small, it joins the smallest other cell.
fn pooled(cells: impl IntoIterator<Item = SampleCell>) -> Vec<SampleCell> {
    let (mut cells, small): (Vec<SampleCell>, Vec<SampleCell>) = cells
        .into_iter()
        .partition(|cell| cell.expected >= SMALLEST_CELL);
    let pool = small
        .iter()
        .fold(SampleCell::default(), |sum, cell| SampleCell {
            expected: sum.expected + cell.expected,
            observed: sum.observed + cell.observed,
        });
    if pool.expected >= SMALLEST_CELL {
        cells.push(pool);
    } else if let Some(smallest) = cells
        .iter_mut()
        .min_by(|a, b| a.expected.total_cmp(&b.expected))
    {
        smallest.expected += pool.expected;
        smallest.observed += pool.observed;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(pairs: &[(f64, f64)]) -> Vec<SampleCell> {
        let cell = |&(expected, observed)| SampleCell { expected, observed };
        pairs.iter().map(cell).collect()
    }

    #[test]
    fn known_values() {
        // A statistic of 10 at two degrees of freedom: exp(-5).
        let fit = fit(cells(&[(10.0, 20.0), (10.0, 10.0), (1000.0, 1000.0)]));
        assert_eq!((fit.statistic, fit.degrees), (10.0, 2));
        assert!((fit.probability - (-5.0_f64).exp()).abs() < 1e-12);
    }

    #[test]
    fn a_perfect_fit_and_a_single_cell_pass() {
        assert!(fit(cells(&[(10.0, 10.0), (20.0, 20.0)])).probability > 0.999_999);
        assert!(fit(cells(&[(10.0, 10.0)])).probability > 0.999_999);
        assert!(fit([]).probability > 0.999_999);
    }

    #[test]
    fn small_cells_are_pooled() {
        let pooled = pooled(cells(&[(3.0, 1.0), (10.0, 9.0), (4.0, 6.0), (20.0, 21.0)]));
        assert_eq!(pooled, cells(&[(10.0, 9.0), (20.0, 21.0), (7.0, 7.0)]));
        let joined = super::pooled(cells(&[(3.0, 1.0), (10.0, 9.0), (20.0, 21.0)]));
        assert_eq!(joined, cells(&[(13.0, 10.0), (20.0, 21.0)]));
    }

    #[test]
    fn wrong_shares_are_rejected() {
        let fit = fit(cells(&[(700.0, 600.0), (300.0, 400.0)]));
        assert!(fit.probability < SIGNIFICANCE);
    }
}
