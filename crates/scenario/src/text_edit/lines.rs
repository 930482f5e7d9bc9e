//! From a figure of the page to its lines in the text, and back.

use super::text_clusters;
use crate::{ClusterPlaces, EditedScenario, HostAt, ImportOrigin, PageFigure, PriorityAt};

/// Lines of a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRange {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl LineRange {
    const fn contains(self, line: u32) -> bool {
        self.first <= line && line <= self.last
    }
}

/// The lines of a text that was read.
#[derive(Debug)]
pub struct TextLines<'a> {
    lines: Vec<&'a str>,
    origin: &'a ImportOrigin,
}

impl<'a> TextLines<'a> {
    /// The lines of the configuration of a reading.
    #[must_use]
    pub fn new(origin: &'a ImportOrigin) -> Self {
        Self {
            lines: origin.texts.config.lines().collect(),
            origin,
        }
    }

    /// The lines that configure a figure: those of its host, locality, priority, member or setting.
    #[must_use]
    pub fn of(&self, scenario: &EditedScenario, figure: PageFigure) -> Option<LineRange> {
        match figure {
            PageFigure::Priority(at) => self.priority(scenario, at),
            PageFigure::Availability(at) => {
                let factor = self.places(scenario, at.cluster)?.overprovisioning_factor;
                let line = factor.map(|position| self.block(position.line));
                line.or_else(|| self.priority(scenario, at))
            }
            PageFigure::Panic(at) => {
                let threshold = self.places(scenario, at.cluster)?.panic_threshold;
                let line = threshold.map(|position| self.block(position.line));
                line.or_else(|| self.priority(scenario, at))
            }
            PageFigure::Cluster(cluster) => {
                let place = self.places(scenario, cluster)?.cluster?;
                Some(self.block(place.line))
            }
            PageFigure::Zone(at, zone) => {
                let localities = &self.places(scenario, at.cluster)?.localities;
                let place = localities.get(at.priority)?.get(zone)?;
                Some(self.block(place.line))
            }
            PageFigure::Host(HostAt { priority, host }) => {
                let priorities = &self.places(scenario, priority.cluster)?.priorities;
                let place = priorities.get(priority.priority)?.get(host)?;
                Some(self.block(place.endpoint.line))
            }
        }
    }

    /// The figure of the host, locality or setting in a line.
    #[must_use]
    pub fn figure_at(&self, scenario: &EditedScenario, line: u32) -> Option<PageFigure> {
        let clusters = text_clusters(scenario).into_iter();
        let mut figures = clusters.filter_map(|cluster| {
            let places = self.places(scenario, cluster)?;
            let is_in = |place: u32| place <= line && self.block(place).contains(line);
            let start = PriorityAt {
                cluster,
                priority: 0,
            };
            let setting = |place: Option<crate::TextPosition>, figure: PageFigure| {
                place.filter(|place| is_in(place.line)).map(|_| figure)
            };
            let host = places
                .priorities
                .iter()
                .enumerate()
                .find_map(|(priority, hosts)| {
                    let host = hosts.iter().position(|host| is_in(host.endpoint.line))?;
                    let priority = PriorityAt { cluster, priority };
                    Some(PageFigure::Host(HostAt { priority, host }))
                });
            let zone = || {
                let mut localities = places.localities.iter().enumerate();
                localities.find_map(|(priority, places)| {
                    let zone = places.iter().position(|place| is_in(place.line))?;
                    Some(PageFigure::Zone(PriorityAt { cluster, priority }, zone))
                })
            };
            host.or_else(zone)
                .or_else(|| setting(places.panic_threshold, PageFigure::Panic(start)))
                .or_else(|| {
                    let figure = PageFigure::Availability(start);
                    setting(places.overprovisioning_factor, figure)
                })
        });
        figures.next()
    }

    /// The entries of the localities of a priority, as far as they are one after the other.
    fn priority(&self, scenario: &EditedScenario, at: PriorityAt) -> Option<LineRange> {
        let localities = &self.places(scenario, at.cluster)?.localities;
        let places = localities.get(at.priority)?.iter();
        let mut blocks: Vec<LineRange> = places.map(|place| self.block(place.line)).collect();
        blocks.sort_by_key(|block| block.first);
        blocks.into_iter().reduce(|all, next| {
            if next.first <= all.last + 1 {
                LineRange {
                    first: all.first,
                    last: all.last.max(next.last),
                }
            } else {
                all
            }
        })
    }

    /// The positions of a cluster.
    fn places(&self, scenario: &EditedScenario, cluster: usize) -> Option<&'a ClusterPlaces> {
        let at = self.origin.index_of(scenario.name(cluster))?;
        self.origin.places.get(at)
    }

    /// A line, and those after it that are indented more: an entry of a list, or a key with its value.
    fn block(&self, line: u32) -> LineRange {
        let index = (line as usize).saturating_sub(1);
        let indent = self.lines.get(index).map_or(0, |line| indent(line));
        let mut last = line;
        let after = self.lines.iter().enumerate().skip(index + 1);
        for (at, text) in after {
            if text.trim().is_empty() {
                continue;
            }
            if self::indent(text) <= indent {
                break;
            }
            last = at as u32 + 1;
        }
        LineRange { first: line, last }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The lines of `new` that differ from `old`; if some were only removed, the line before them. `None` without a
/// difference.
#[must_use]
pub fn changed_lines(old: &str, new: &str) -> Option<LineRange> {
    if old == new {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = old.iter().zip(&new).take_while(same).count();
    let room = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev());
    let after = after.take(room).take_while(same).count();
    let last = (new.len() - after).max(1);
    Some(LineRange {
        first: (before + 1).min(last) as u32,
        last: last as u32,
    })
}
