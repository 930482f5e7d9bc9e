//! The screens of the playground, and what is open on them: the part of the state that is not the scenario.

use spillgate_codec::import::TextPosition;
use spillgate_scenario::{EditedScenario, HostAt, PageFigure, PriorityAt, link::LinkView};

/// A screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Screen {
    /// The clusters, their shares and their explanation.
    #[default]
    Build,
    /// Losses of hosts.
    WhatIf,
    /// One request, step by step.
    Trace,
    /// Lessons about load balancing.
    Learn,
    /// Predicted shares and those of a running Envoy.
    Live,
    /// When failures are noticed, and what fails until then: a part of [`Screen::WhatIf`].
    Incident,
    /// Sessions while hosts fail and recover: a part of [`Screen::WhatIf`].
    Timeline,
    /// What a change of the configuration does: a part of [`Screen::WhatIf`].
    Compare,
    /// The load of each host over all callers: a part of [`Screen::WhatIf`].
    Fleet,
}

impl Screen {
    /// All screens, in the order of the navigation.
    pub const ALL: [Self; 9] = [
        Self::Build,
        Self::WhatIf,
        Self::Trace,
        Self::Learn,
        Self::Live,
        Self::Incident,
        Self::Timeline,
        Self::Compare,
        Self::Fleet,
    ];

    /// Whether its figures are those of the imported clusters, so that the limits of the import concern them.
    #[must_use]
    pub(crate) const fn has_figures_of_import(self) -> bool {
        match self {
            Self::Build | Self::WhatIf | Self::Trace | Self::Live => true,
            Self::Incident | Self::Timeline | Self::Fleet => true,
            // A lesson has clusters of its own.
            Self::Learn => false,
            // It counts the limits that its verdict does not cover.
            Self::Compare => false,
        }
    }

    /// The screen that has it as a part, and so its button in the navigation; itself for most.
    #[must_use]
    pub const fn tab(self) -> Self {
        match self {
            Self::Incident | Self::Timeline | Self::Compare | Self::Fleet => Self::WhatIf,
            other => other,
        }
    }

    /// The parts of its tab, in order: only itself for most.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        let all = Self::ALL.into_iter();
        all.filter(move |screen| screen.tab() == self.tab())
    }

    /// Its title among the parts of its tab.
    #[must_use]
    pub const fn part_title(self) -> &'static str {
        match self {
            Self::WhatIf => "Losses",
            other => other.title(),
        }
    }

    /// Its name in links and tests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::WhatIf => "what-if",
            Self::Trace => "trace",
            Self::Learn => "learn",
            Self::Live => "live",
            Self::Incident => "incident",
            Self::Timeline => "timeline",
            Self::Compare => "compare",
            Self::Fleet => "fleet",
        }
    }

    /// Its title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Build => "Build",
            Self::WhatIf => "What-if",
            Self::Trace => "Trace",
            Self::Learn => "Learn",
            Self::Live => "Live",
            Self::Incident => "Incident",
            Self::Timeline => "Sessions",
            Self::Compare => "Compare",
            Self::Fleet => "Fleet",
        }
    }

    /// The screen with that name. Links also have [`ZONES`], the name of a part of What-if.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == ZONES {
            Self::WhatIf.name()
        } else {
            name
        };
        Self::ALL.into_iter().find(|screen| screen.name() == name)
    }

    /// Its key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Build => "1",
            Self::WhatIf => "2",
            Self::Trace => "3",
            Self::Learn => "5",
            Self::Live => "6",
            Self::Incident => "0",
            Self::Timeline => "7",
            Self::Compare => "8",
            Self::Fleet => "9",
        }
    }
}

/// The name in links of the screen for losses of a zone, which What-if has.
const ZONES: &str = "zones";

/// The input of What-if for that of [`ZONES`], `ZONE:PERCENT%` with a zone or `REGION/ZONE`: the same loss.
/// Empty without a zone.
fn losses_of_zones(input: &str) -> String {
    let first = input.lines().next().unwrap_or_default();
    match first.rsplit_once(':') {
        None | Some(("", _)) => String::new(),
        Some((zone, percent)) => match zone.split_once('/') {
            Some((region, zone)) => format!("region={region},zone={zone}:{percent}"),
            None => format!("zone={zone}:{percent}"),
        },
    }
}

/// What a user does on a screen, to the playground.
#[derive(Debug, Clone, PartialEq)]
pub enum ScreenAction {
    /// Changes the input of the screen.
    Input(String),
    /// Opens the import dialog at a position of the configuration.
    Source(TextPosition),
    /// Shows another cluster, by its index in the scenario.
    Cluster(usize),
    /// Opens a scenario of the screen on the first screen.
    Open(Box<EditedScenario>),
    /// Shows the state of a running Envoy, which is no step of the user.
    Follow(Box<EditedScenario>),
    /// Changes what the scenario is compared with.
    Compare(CompareChange),
    /// Opens the import dialog.
    Import,
}

/// A change of the old side of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareChange {
    /// Keeps the current scenario as the old side.
    Keep,
    /// Compares with the scenario as it was opened.
    Forget,
    /// Exchanges the sides.
    Swap,
}

/// What the playground shows of the scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageView {
    /// The open screen.
    pub screen: Screen,
    /// The input of each screen, in a format of its own, by the screen's name.
    inputs: LinkView,
}

impl PageView {
    /// The input of a screen; empty if the user has not changed it.
    #[must_use]
    pub fn input(&self, screen: Screen) -> &str {
        let found = self.inputs.iter().find(|(name, _)| name == screen.name());
        found.map_or("", |(_, input)| input)
    }

    /// Replaces the input of a screen.
    pub fn set_input(&mut self, screen: Screen, input: String) {
        self.inputs.retain(|(name, _)| name != screen.name());
        if !input.is_empty() {
            self.inputs.push((screen.name().into(), input));
        }
    }

    /// The first screen whose input is another one in `other`.
    #[must_use]
    pub fn changed_input(&self, other: &Self) -> Option<Screen> {
        let mut screens = Screen::ALL.into_iter();
        screens.find(|&screen| self.input(screen) != other.input(screen))
    }

    /// The settings of a link, without those of a page that was only opened.
    #[must_use]
    pub fn to_link(&self, selected: Option<PageFigure>) -> LinkView {
        let mut view = LinkView::new();
        if self.screen != Screen::Build {
            view.push(("screen".into(), self.screen.name().into()));
        }
        if let Some(figure) = selected {
            view.push(("figure".into(), figure_name(figure)));
        }
        view.extend(self.inputs.iter().cloned());
        view
    }

    /// The view and the selected figure of a link. Unknown settings are ignored.
    #[must_use]
    pub fn from_link(view: LinkView) -> (Self, Option<PageFigure>) {
        let (mut found, mut selected) = (Self::default(), None);
        for (name, value) in view {
            match name.as_str() {
                "screen" => found.screen = Screen::named(&value).unwrap_or_default(),
                "figure" => selected = figure_named(&value),
                ZONES if !found.input(Screen::WhatIf).is_empty() => {}
                ZONES => found.set_input(Screen::WhatIf, losses_of_zones(&value)),
                name => {
                    if let Some(screen) = Screen::named(name) {
                        found.set_input(screen, value);
                    }
                }
            }
        }
        (found, selected)
    }
}

/// `0.1` is the load of P1 of the first cluster, `a0.1` its availability, `p0.1` its panic mode, `z0.1.2`
/// its third locality, `0.1.4` its fifth host, `2` the share of the third cluster.
fn figure_name(figure: PageFigure) -> String {
    match figure {
        PageFigure::Cluster(cluster) => cluster.to_string(),
        PageFigure::Priority(at) => format!("{}.{}", at.cluster, at.priority),
        PageFigure::Availability(at) => format!("a{}.{}", at.cluster, at.priority),
        PageFigure::Panic(at) => format!("p{}.{}", at.cluster, at.priority),
        PageFigure::Zone(at, zone) => format!("z{}.{}.{zone}", at.cluster, at.priority),
        PageFigure::Host(HostAt { priority: at, host }) => {
            format!("{}.{}.{host}", at.cluster, at.priority)
        }
    }
}

fn figure_named(name: &str) -> Option<PageFigure> {
    let of_priority = |name: &str| figure_named(name)?.priority();
    if let Some(name) = name.strip_prefix('a') {
        return of_priority(name).map(PageFigure::Availability);
    }
    if let Some(name) = name.strip_prefix('p') {
        return of_priority(name).map(PageFigure::Panic);
    }
    if let Some(name) = name.strip_prefix('z') {
        return match figure_named(name)? {
            PageFigure::Host(HostAt { priority, host }) => Some(PageFigure::Zone(priority, host)),
            _ => None,
        };
    }
    let mut places = name.split('.').map(str::parse);
    let mut place = || places.next().transpose().ok();
    let (first, second, third, rest) = (place()?, place()?, place()?, place()?);
    let at = |cluster, priority| PriorityAt { cluster, priority };
    match (first, second, third, rest) {
        (Some(cluster), None, ..) => Some(PageFigure::Cluster(cluster)),
        (Some(cluster), Some(priority), None, _) => {
            Some(PageFigure::Priority(at(cluster, priority)))
        }
        (Some(cluster), Some(priority), Some(host), None) => Some(PageFigure::Host(HostAt {
            priority: at(cluster, priority),
            host,
        })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_names() {
        let at = PriorityAt {
            cluster: 3,
            priority: 1,
        };
        for figure in [
            PageFigure::Cluster(2),
            PageFigure::Priority(at),
            PageFigure::Availability(at),
            PageFigure::Panic(at),
            PageFigure::Zone(at, 2),
            PageFigure::Host(HostAt {
                priority: at,
                host: 40,
            }),
        ] {
            assert_eq!(figure_named(&figure_name(figure)), Some(figure));
        }
        for other in [
            "", ".", "a", "a1", "p0.1.2", "z0.1", "z", "zz0.1.2", "1.", "1.2.3.4", "-1",
        ] {
            assert_eq!(figure_named(other), None, "{other}");
        }
    }

    #[test]
    fn a_view_survives_its_link() {
        let mut view = PageView {
            screen: Screen::WhatIf,
            ..PageView::default()
        };
        view.set_input(Screen::WhatIf, "zone=a:40%".into());
        view.set_input(Screen::WhatIf, "zone=a:50%".into());
        let figure = Some(PageFigure::Cluster(0));
        assert_eq!(
            PageView::from_link(view.to_link(figure)),
            (view.clone(), figure)
        );
        view.set_input(Screen::WhatIf, String::new());
        assert_eq!(view.input(Screen::WhatIf), "");
        assert_eq!(PageView::default().to_link(None), LinkView::new());
    }

    #[test]
    fn parts_share_a_tab() {
        let parts = |screen: Screen| screen.parts().collect::<Vec<_>>();
        let of_what_if = [
            Screen::WhatIf,
            Screen::Incident,
            Screen::Timeline,
            Screen::Compare,
            Screen::Fleet,
        ];
        assert_eq!(parts(Screen::Timeline), of_what_if);
        assert_eq!(parts(Screen::WhatIf), parts(Screen::Timeline));
        assert_eq!(parts(Screen::Trace), [Screen::Trace]);
    }

    #[test]
    fn links_to_zones_open_what_if_with_the_loss() {
        let opened = |view: &[(&str, &str)]| {
            let view = view.iter();
            let view = view.map(|(name, value)| ((*name).into(), (*value).into()));
            PageView::from_link(view.collect()).0
        };
        let zones = ("screen", "zones");
        let view = opened(&[zones, ("zones", "eu/zone:1:50%\nreviews")]);
        assert_eq!(view.screen, Screen::WhatIf);
        assert_eq!(view.input(Screen::WhatIf), "region=eu,zone=zone:1:50%");
        let view = opened(&[zones, ("zones", "a:100%\n")]);
        assert_eq!(view.input(Screen::WhatIf), "zone=a:100%");
        for none in [":100%\nreviews", ""] {
            assert_eq!(opened(&[zones, ("zones", none)]).input(Screen::WhatIf), "");
        }
        let view = opened(&[("what-if", "zone=b:1%"), ("zones", "a:100%\n")]);
        assert_eq!(view.input(Screen::WhatIf), "zone=b:1%");
        assert_eq!(view.screen, Screen::Build);
    }

    #[test]
    fn settings_of_newer_pages_are_ignored() {
        let newer = vec![
            ("sound".into(), "on".into()),
            ("screen".into(), "radio".into()),
        ];
        assert_eq!(PageView::from_link(newer), (PageView::default(), None));
    }
}
