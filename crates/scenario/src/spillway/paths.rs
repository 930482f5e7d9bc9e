//! Outlines as SVG paths.

use super::super::fixed;

/// A stream from the left edge along the top, down into the basin.
pub(super) fn stream(band: (f64, f64), left: f64, bend: f64, end: f64) -> String {
    let (upper, lower) = band;
    let thick = lower - upper;
    let right = left + thick;
    let (outer, inner) = (bend + thick, bend);
    // The handle length that makes a cubic curve a quarter of a circle.
    let (ko, ki) = (outer * 0.4477, inner * 0.4477);
    let end = end.max(lower + inner);
    let mut path = Path::default();
    path.command('M', &[0.0, upper]);
    path.command('L', &[right - outer, upper]);
    path.command(
        'C',
        &[right - ko, upper, right, upper + ko, right, upper + outer],
    );
    path.command('L', &[right, end, left, end, left, lower + inner]);
    path.command(
        'C',
        &[left, lower + ki, left - ki, lower, left - inner, lower],
    );
    path.command('L', &[0.0, lower]);
    path.command('Z', &[]);
    path.0
}

/// Water with four small waves on top; flat if it has no height.
pub(super) fn surface(x: f64, width: f64, top: f64, bottom: f64) -> String {
    let wave = width / 4.0;
    let swell = (bottom - top).clamp(0.0, 4.0);
    let mut path = Path::default();
    path.command('M', &[x, top]);
    for (at, sign) in [(0.0, -1.0), (1.0, 1.0), (2.0, -1.0), (3.0, 1.0)] {
        let from = x + wave * at;
        path.command(
            'Q',
            &[from + wave / 2.0, top + swell * sign, from + wave, top],
        );
    }
    path.command('L', &[x + width, bottom, x, bottom]);
    path.command('Z', &[]);
    path.0
}

pub(super) fn brim_line(x: f64, y: f64, width: f64) -> String {
    let mut path = Path::default();
    path.command('M', &[x - 8.0, y]);
    path.command('L', &[x + width + 8.0, y]);
    path.0
}

pub(super) fn whole_walls(x: f64, y: f64, width: f64, height: f64) -> String {
    let (right, bottom) = (x + width, y + height);
    let corner = height.min(5.0);
    let mut path = Path::default();
    path.command('M', &[x, y]);
    path.command('L', &[x, bottom - corner]);
    path.command('Q', &[x, bottom, x + corner, bottom]);
    path.command('L', &[right - corner, bottom]);
    path.command('Q', &[right, bottom, right, bottom - corner]);
    path.command('L', &[right, y]);
    path.0
}

/// Both walls between two heights.
pub(super) fn extension(x: f64, width: f64, top: f64, bottom: f64) -> String {
    let mut path = Path::default();
    for wall in [x, x + width] {
        path.command('M', &[wall, top]);
        path.command('L', &[wall, bottom]);
    }
    path.0
}

/// Both walls are broken: two jagged gaps, edges bent outwards.
pub(super) fn broken_walls(x: f64, y: f64, width: f64, height: f64) -> String {
    let (right, bottom) = (x + width, y + height);
    let (upper, lower) = (y + height * 0.3, y + height * 0.62);
    let mut path = Path::default();
    for (wall, out) in [(x, -1.0), (right, 1.0)] {
        path.command('M', &[wall, y]);
        path.command('L', &[wall, upper]);
        path.command('l', &[4.0 * out, 5.0, -6.0 * out, 6.0, 9.0 * out, 5.0]);
        path.command('M', &[wall + 8.0 * out, lower - 10.0]);
        path.command('l', &[-9.0 * out, 6.0, 5.0 * out, 4.0]);
        path.command(
            'L',
            &[wall, lower + 6.0, wall, bottom, x + width / 2.0, bottom],
        );
    }
    path.0
}

/// An SVG path.
#[derive(Default)]
struct Path(String);

impl Path {
    fn command(&mut self, letter: char, numbers: &[f64]) {
        self.0.push(letter);
        for (at, &number) in numbers.iter().enumerate() {
            if at > 0 {
                self.0.push(' ');
            }
            self.0.push_str(&fixed(number));
        }
    }
}
