//! The sweep as a chart: columns of stacked loads.

use super::LoadState;

/// A rectangle of the chart, in percent of its width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepBar {
    /// The place of the priority; `None` if a priority is in panic mode or requests find no host.
    pub priority: Option<usize>,
    /// The left end.
    pub x: f64,
    /// The upper end.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// The maximum number of columns; a phone has few pixels for more.
const MOST: usize = 100;

/// The loads over the losses, P0 at the bottom; equal neighbors are one bar. Losses with panic mode
/// or without a host have a bar along the upper edge.
#[must_use]
pub fn sweep_bars(sweep: &[LoadState]) -> Vec<SweepBar> {
    let columns = sweep.len().min(MOST);
    let width = 100.0 / columns.max(1) as f64;
    let at = |column: usize| {
        let last = sweep.len().saturating_sub(1);
        let steps = columns.saturating_sub(1).max(1);
        sweep.get((column * last + steps / 2) / steps)
    };
    let priorities = sweep.first().map_or(0, |state| state.priorities.len());
    let mut bars: Vec<SweepBar> = Vec::new();
    for priority in (0..priorities).map(Some).chain([None]) {
        let mut open: Option<SweepBar> = None;
        for column in 0..columns {
            let (y, height) = at(column).map_or((0.0, 0.0), |state| extent(state, priority));
            match &mut open {
                Some(bar) if (bar.y, bar.height) == (y, height) => bar.width += width,
                _ => {
                    bars.extend(open.filter(|bar| bar.height > 0.0));
                    let x = column as f64 * width;
                    open = Some(SweepBar {
                        priority,
                        x,
                        y,
                        width,
                        height,
                    });
                }
            }
        }
        bars.extend(open.filter(|bar| bar.height > 0.0));
    }
    bars
}

/// The upper end and the height of a priority's load, or of the mark for panic mode and missing
/// hosts.
fn extent(state: &LoadState, priority: Option<usize>) -> (f64, f64) {
    const MARK: f64 = 6.0;
    match priority {
        Some(priority) => {
            let below: u32 = state.loads().take(priority).sum();
            let height = f64::from(state.load(priority));
            (100.0 - f64::from(below) - height, height)
        }
        None if state.survives() => (0.0, 0.0),
        None => (0.0, MARK),
    }
}
