//! From a request to the answer.

use spillgate_core::json::Writer;
use spillgate_scenario::{
    EditedScenario, Headline, PATTERNS, ScenarioOutcome, Tone, link, priority_at,
};

use crate::{
    Control, ControlKind, WidgetRequest, WidgetView, shares,
    view::{bars, split_table},
};
#[cfg(feature = "sweep")]
use crate::{
    ControlEdit,
    stage::Stage,
    view::{SweepShown, sweep},
};

/// Everything that a widget shows.
#[derive(Debug)]
pub struct Widget {
    /// The link of the scenario after the edits, with the view of the playground that it came with.
    pub state: String,
    /// The name of the shown cluster.
    pub cluster: String,
    /// The result in one sentence.
    pub headline: String,
    /// Further sentences.
    pub facts: Vec<(Tone, String)>,
    /// The picture as HTML; empty in the view `table`.
    pub figure: String,
    /// The same figures as an HTML table.
    pub table: String,
    /// The sliders, in the order of the priorities.
    pub controls: Vec<Control>,
    /// The figures.
    pub outcome: ScenarioOutcome,
}

/// The answer to the text of a [`WidgetRequest`]: one JSON object with the parts of a [`Widget`], or
/// with `error`, the reason why the link is unreadable.
#[must_use]
pub fn answer(request: &str) -> String {
    written(Widget::of(&WidgetRequest::from_text(request)))
}

/// The answer to bytes that may not be a text.
pub(crate) fn answer_bytes(request: &[u8]) -> String {
    match str::from_utf8(request) {
        Ok(request) => answer(request),
        Err(error) => written(Err(error.to_string())),
    }
}

fn written(widget: Result<Widget, String>) -> String {
    let mut json = Writer::new();
    json.begin_object();
    match widget {
        Ok(widget) => {
            json.key("patterns");
            json.string(PATTERNS);
            widget.write(&mut json);
        }
        Err(reason) => {
            json.key("error");
            json.string(&reason);
        }
    }
    json.end_object();
    json.finish()
}

impl Widget {
    /// Computes a widget.
    ///
    /// # Errors
    /// Why the link is unreadable.
    pub fn of(request: &WidgetRequest<'_>) -> Result<Self, String> {
        let base: EditedScenario = link::read(request.state).map_err(|error| error.to_string())?;
        let view = link::read_view(request.state).map_err(|error| error.to_string())?;
        let scenario = request
            .edits
            .iter()
            .fold(base.clone(), |scenario, edit| edit.apply(scenario));
        let outcome = ScenarioOutcome::of(&scenario);
        let headline = Headline::of(&outcome);
        let tone = if headline.severity.is_alarm() {
            Tone::Warning
        } else {
            Tone::Plain
        };
        let mut widget = Self {
            state: link::with_view(link::write(&scenario), &view),
            cluster: scenario.name(scenario.root()).into(),
            headline: headline.sentence(),
            facts: vec![(tone, headline.reason)],
            figure: String::new(),
            table: split_table(&outcome, request.prefix),
            controls: healthy_controls(&outcome),
            outcome,
        };
        match request.view {
            WidgetView::Table => {}
            // A cluster without hosts has nothing to lose.
            #[cfg(feature = "sweep")]
            WidgetView::Sweep if !widget.controls.is_empty() => {
                widget.draw_sweep(request, &base);
            }
            WidgetView::Bars | WidgetView::Sweep => widget.draw_bars(request),
        }
        Ok(widget)
    }

    fn draw_bars(&mut self, request: &WidgetRequest<'_>) {
        self.figure = bars(&self.outcome, request.size, request.prefix, &self.headline);
    }

    #[cfg(feature = "sweep")]
    fn draw_sweep(&mut self, request: &WidgetRequest<'_>, base: &EditedScenario) {
        let Some(stage) = Stage::of(base, None) else {
            return;
        };
        let is_lost = |edit: &&ControlEdit| edit.kind == ControlKind::Lost && edit.at == stage.at;
        let lost = request.edits.iter().rev().find(is_lost);
        let control = Control {
            kind: ControlKind::Lost,
            at: stage.at,
            name: base.priority_name(stage.at),
            value: lost.map_or(0, |edit| edit.count).min(stage.hosts.len()),
            most: stage.hosts.len(),
        };
        let shown = sweep(&stage, &control.name, control.value, request.prefix);
        let SweepShown {
            facts,
            figure,
            table,
        } = shown;
        self.facts.extend(facts);
        self.figure = figure;
        self.table = table;
        self.controls = vec![control];
    }

    fn write(&self, json: &mut Writer) {
        let texts = [
            ("state", &self.state),
            ("cluster", &self.cluster),
            ("headline", &self.headline),
            ("figure", &self.figure),
            ("table", &self.table),
        ];
        for (name, text) in texts {
            json.key(name);
            json.string(text);
        }
        json.key("facts");
        json.begin_list();
        for (tone, text) in &self.facts {
            json.begin_object();
            json.key("tone");
            json.string(match tone {
                Tone::Good => "good",
                Tone::Warning => "warning",
                Tone::Plain => "plain",
            });
            json.key("text");
            json.string(text);
            json.end_object();
        }
        json.end_list();
        json.key("controls");
        json.begin_list();
        for control in &self.controls {
            json.begin_object();
            for (name, text) in [("id", control.id()), ("label", control.label())] {
                json.key(name);
                json.string(&text);
            }
            for (name, number) in [("value", control.value), ("most", control.most)] {
                json.key(name);
                json.uint(number as u64);
            }
            json.end_object();
        }
        json.end_list();
        shares::write(&self.outcome, json);
    }
}

/// A slider for each priority with hosts. A member that an aggregate lists twice has one.
fn healthy_controls(outcome: &ScenarioOutcome) -> Vec<Control> {
    let rows = outcome
        .priorities()
        .iter()
        .filter(|row| !row.hosts.is_empty() && !row.repeated);
    rows.map(|row| Control {
        kind: ControlKind::Healthy,
        at: priority_at(row.row.at),
        name: row.name.clone(),
        value: row.healthy(),
        most: row.hosts.len(),
    })
    .collect()
}
