//! The geometry of moved requests: the owners of both sides as bars, and ribbons between them.
//!
//! All bars and ribbons have one scale. A ribbon starts and ends in the order of the owners at its other end, so that
//! few of them cross.

use spillgate_diff::{OwnerShare, TrafficChange, TrafficFlow};
use spillgate_scenario::{decimal, fixed};

/// The width of the picture.
const WIDTH: f64 = 400.0;
/// The room for the names at each side.
const NAMES: f64 = 98.0;
/// The width of a bar.
pub const BAR_WIDTH: f64 = 14.0;
/// The height of all requests.
const WHOLE: f64 = 190.0;
/// The least height of an owner: two lines of text.
const LEAST: f64 = 38.0;
/// The room between owners.
const GAP: f64 = 8.0;
/// A ribbon of fewer requests has at least this height, so that it can be seen.
const THIN: f64 = 1.5;
/// The most owners at a side; the others are one.
const OWNERS: usize = 10;

/// The picture.
#[derive(Debug, Clone, PartialEq)]
pub struct RibbonPicture {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The owners on the old side.
    pub before: Vec<OwnerBar>,
    /// The owners on the new side.
    pub after: Vec<OwnerBar>,
    /// What stays, then what moves.
    pub ribbons: Vec<Ribbon>,
}

/// An owner of requests.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnerBar {
    /// Its name; `None` for requests without a host.
    pub name: Option<String>,
    /// Its share in percent.
    pub share: f64,
    /// The left end of its bar.
    pub x: f64,
    /// The upper end of its bar.
    pub y: f64,
    /// The height of its bar.
    pub height: f64,
    /// The place of its name.
    pub text: (f64, f64),
}

/// Requests that an owner has on the new side.
#[derive(Debug, Clone, PartialEq)]
pub struct Ribbon {
    /// The old owner, as its place.
    pub from: usize,
    /// The new owner, as its place.
    pub to: usize,
    /// Percent of the requests.
    pub share: f64,
    /// Whether other hosts get them.
    pub moves: bool,
    /// Its outline.
    pub path: String,
}

/// The picture of a change.
#[must_use]
pub fn ribbon_picture(change: &TrafficChange) -> RibbonPicture {
    let change = condensed(change);
    let before = bars(&change.before, NAMES, NAMES - 8.0);
    let right = WIDTH - NAMES;
    let after = bars(&change.after, right - BAR_WIDTH, right + 8.0);
    let mut ribbons = Vec::new();
    let mut left: Vec<f64> = before.iter().map(|bar| bar.y).collect();
    let mut rooms: Vec<f64> = after.iter().map(|bar| bar.y).collect();
    // Flows are in the order of their old owners, then of their new ones; both ends fill from above.
    for flow in &change.flows {
        for (share, moves) in [(flow.stays, false), (flow.moves, true)] {
            let ends = (left.get_mut(flow.from), rooms.get_mut(flow.to));
            let (Some(start), Some(end)) = ends else {
                continue;
            };
            let height = share * WHOLE / 100.0;
            if share > 0.0 {
                let path = outline(*start, *end, height.max(THIN));
                ribbons.push(Ribbon {
                    from: flow.from,
                    to: flow.to,
                    share,
                    moves,
                    path,
                });
            }
            *start += height;
            *end += height;
        }
    }
    ribbons.sort_by_key(|ribbon| ribbon.moves);
    let height = |bars: &[OwnerBar]| {
        let ends = bars
            .iter()
            .map(|bar| (bar.y + bar.height).max(bar.text.1 + 22.0));
        ends.fold(0.0, f64::max)
    };
    RibbonPicture {
        width: WIDTH,
        height: height(&before).max(height(&after)) + 6.0,
        before,
        after,
        ribbons,
    }
}

/// The bars of a side, with their names next to the middle of them.
fn bars(owners: &[OwnerShare], x: f64, text: f64) -> Vec<OwnerBar> {
    let mut top = 6.0;
    let place = |owner: &OwnerShare| {
        let height = owner.share * WHOLE / 100.0;
        let room = height.max(LEAST);
        let y = top + (room - height) / 2.0;
        let middle = top + room / 2.0;
        top += room + GAP;
        OwnerBar {
            name: owner.name.clone(),
            share: owner.share,
            x,
            y,
            height,
            text: (text, middle),
        }
    };
    owners.iter().map(place).collect()
}

fn outline(start: f64, end: f64, height: f64) -> String {
    let (from, to) = (NAMES + BAR_WIDTH, WIDTH - NAMES - BAR_WIDTH);
    let middle = f64::midpoint(from, to);
    let point = |x: f64, y: f64| format!("{},{}", fixed(x), fixed(y));
    let (below, end_below) = (start + height, end + height);
    format!(
        "M{}C{} {} {}L{}C{} {} {}Z",
        point(from, start),
        point(middle, start),
        point(middle, end),
        point(to, end),
        point(to, end_below),
        point(middle, end_below),
        point(middle, below),
        point(from, below),
    )
}

/// The change with the largest owners of each side, and the others as one.
fn condensed(change: &TrafficChange) -> TrafficChange {
    let (before, old) = largest(&change.before);
    let (after, new) = largest(&change.after);
    let mut flows: Vec<TrafficFlow> = Vec::new();
    for flow in &change.flows {
        let ends = (old.get(flow.from).copied(), new.get(flow.to).copied());
        let (Some(from), Some(to)) = ends else {
            continue;
        };
        match flows
            .iter_mut()
            .find(|known| (known.from, known.to) == (from, to))
        {
            Some(known) => {
                known.stays += flow.stays;
                known.moves += flow.moves;
            }
            None => flows.push(TrafficFlow { from, to, ..*flow }),
        }
    }
    flows.sort_by_key(|flow| (flow.from, flow.to));
    TrafficChange {
        before,
        after,
        flows,
    }
}

/// The shown owners in their order, and the place of each owner among them.
fn largest(owners: &[OwnerShare]) -> (Vec<OwnerShare>, Vec<usize>) {
    if owners.len() <= OWNERS {
        return (owners.to_vec(), (0..owners.len()).collect());
    }
    let mut by_share: Vec<usize> = (0..owners.len()).collect();
    let share = |at: &usize| owners.get(*at).map_or(0.0, |owner| owner.share);
    by_share.sort_by(|a, b| share(b).total_cmp(&share(a)));
    by_share.truncate(OWNERS - 1);
    let mut shown = Vec::new();
    let mut others = OwnerShare {
        name: None,
        share: 0.0,
    };
    let mut places = Vec::new();
    for (at, owner) in owners.iter().enumerate() {
        // Requests without a host are never among the others.
        if by_share.contains(&at) || owner.name.is_none() {
            places.push(shown.len());
            shown.push(owner.clone());
        } else {
            places.push(usize::MAX);
            others.share += owner.share;
        }
    }
    let left = places.iter().filter(|place| **place == usize::MAX).count();
    others.name = Some(format!("{left} others"));
    for place in &mut places {
        if *place == usize::MAX {
            *place = shown.len();
        }
    }
    shown.push(others);
    (shown, places)
}

impl OwnerBar {
    /// Its share as a text.
    #[must_use]
    pub fn percent(&self) -> String {
        decimal(self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(name: &str, share: f64) -> OwnerShare {
        OwnerShare {
            name: Some(name.into()),
            share,
        }
    }

    fn flow(from: usize, to: usize, stays: f64, moves: f64) -> TrafficFlow {
        TrafficFlow {
            from,
            to,
            stays,
            moves,
        }
    }

    #[test]
    fn ribbons_fill_the_bars() {
        let change = TrafficChange {
            before: vec![owner("P0", 100.0), owner("P1", 0.0)],
            after: vec![owner("P0", 70.0), owner("P1", 30.0)],
            flows: vec![flow(0, 0, 70.0, 0.0), flow(0, 1, 0.0, 30.0)],
        };
        let picture = ribbon_picture(&change);
        let heights = |bars: &[OwnerBar]| -> Vec<f64> {
            bars.iter().map(|bar| bar.height * 100.0 / WHOLE).collect()
        };
        assert_eq!(heights(&picture.before), [100.0, 0.0]);
        assert_eq!(heights(&picture.after).map_round(), [70.0, 30.0]);
        let [stays, moves] = &picture.ribbons[..] else {
            panic!("{picture:?}");
        };
        assert_eq!((stays.moves, moves.moves), (false, true));
        assert_eq!((moves.from, moves.to, moves.share), (0, 1, 30.0));
        // The second one starts where the first one ends.
        let [top, _] = &picture.before[..] else {
            panic!()
        };
        let start = fixed(top.y + 70.0 * WHOLE / 100.0);
        assert!(
            moves.path.starts_with(&format!("M112.0,{start}C")),
            "{moves:?}"
        );
        assert!(picture.height > picture.after[1].y + picture.after[1].height);
    }

    trait Rounded {
        fn map_round(self) -> Vec<f64>;
    }

    impl Rounded for Vec<f64> {
        fn map_round(self) -> Vec<f64> {
            self.into_iter().map(f64::round).collect()
        }
    }

    #[test]
    fn many_owners_are_one() {
        let mut before: Vec<OwnerShare> = (0..30)
            .map(|at| owner(&format!("zone {at}"), 3.0))
            .collect();
        before.push(OwnerShare {
            name: None,
            share: 10.0,
        });
        let flows = (0..31).map(|at| flow(at, at, 0.0, if at == 30 { 10.0 } else { 3.0 }));
        let change = TrafficChange {
            after: before.clone(),
            before,
            flows: flows.collect(),
        };
        let picture = ribbon_picture(&change);
        let last: Vec<Option<&str>> = picture
            .before
            .iter()
            .map(|bar| bar.name.as_deref())
            .collect();
        assert_eq!(last.len(), OWNERS);
        assert_eq!(
            last.iter().rev().take(2).collect::<Vec<_>>(),
            [&Some("22 others"), &None]
        );
        let sum: f64 = picture.ribbons.iter().map(|ribbon| ribbon.share).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    }
}
