//! The panel: its state, and what changes it.

use std::rc::Rc;

use spillgate_scenario::{
    EditedScenario, ImportFault, ImportOrigin, LineRange, PageFigure, PageLayout, TextLines,
};
use yew::prelude::*;

use super::{
    draft::{TextDraft, TextState},
    written_texts::WrittenTexts,
};
use crate::{
    bridge::{self, ReaderReply, Timer},
    state::Direction,
    view::{Act, Action, Shared, import::position_at},
};

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct TextPanelProps {
    pub(crate) store: Shared,
    pub(crate) act: Act,
    /// Imports a text.
    pub(crate) on_text: Callback<String>,
    pub(crate) on_close: Callback<()>,
}

/// The state of the module that reads texts.
pub(super) enum ReaderState {
    Loading,
    Ready,
    Failed(String),
}

pub(crate) struct TextPanel {
    pub(super) area: NodeRef,
    pub(super) numbers: NodeRef,
    pub(super) draft: TextDraft,
    /// The last scenario whose change the text has, or that stays different from the text.
    pub(super) seen: Option<Rc<EditedScenario>>,
    /// The text of the scenario without the lines of the user, until a reading confirms the text with them.
    pub(super) plain: Option<String>,
    /// What the text omits of the scenario, as sentences.
    pub(super) omitted: String,
    /// Why there is no text; empty if there is one.
    pub(super) refused: String,
    pub(super) faults: Vec<ImportFault>,
    /// The number of further faults.
    pub(super) more: usize,
    /// The fault that the caret went to.
    pub(super) current: Option<usize>,
    pub(super) reader: ReaderState,
    /// The reading of exactly this text.
    pub(super) read: Option<Rc<ImportOrigin>>,
    /// The number of the last reading.
    pub(super) reading: u32,
    /// A reading that waits for a pause.
    pub(super) reads: Option<Timer>,
    /// A writing that waits for a pause.
    pub(super) writes: Option<Timer>,
    /// The lines of the figure that the user selected, or those that changed.
    pub(super) marked: Option<LineRange>,
    /// The figure whose lines are marked as soon as the text is read.
    pub(super) wanted: Option<PageFigure>,
}

pub(crate) enum Msg {
    Load,
    Loaded(Result<(), String>),
    Write,
    Written(WrittenTexts),
    Typed(String),
    Read,
    /// The text lost the focus after an edit.
    Left,
    Reply(u32, Result<ReaderReply, String>),
    Scrolled,
    /// The caret moved.
    Caret,
    GoTo(usize),
    Step(Direction),
    /// Discards an edit.
    Again,
    Import,
}

impl Component for TextPanel {
    type Message = Msg;
    type Properties = TextPanelProps;

    fn create(ctx: &Context<Self>) -> Self {
        let draft = TextDraft::kept();
        ctx.link().send_message(Msg::Load);
        let is_shown = !draft.text.is_empty() && draft.is_of(ctx.props().store.scenario());
        if !is_shown {
            ctx.link().send_message(Msg::Write);
        }
        Self {
            area: NodeRef::default(),
            numbers: NodeRef::default(),
            seen: draft.of.clone(),
            draft,
            plain: None,
            omitted: String::new(),
            refused: String::new(),
            faults: Vec::new(),
            more: 0,
            current: None,
            reader: ReaderState::Loading,
            read: None,
            reading: 0,
            reads: None,
            writes: None,
            marked: None,
            wanted: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, before: &TextPanelProps) -> bool {
        let store = &ctx.props().store;
        if *store == before.store {
            return false;
        }
        if !Rc::ptr_eq(store.scenario(), before.store.scenario()) {
            let origin = store.scenario().origin.as_deref();
            let is_import = origin.is_some_and(|origin| origin.texts.config == self.draft.text);
            if self.draft.state != TextState::Same && is_import {
                // The user imported what the scenario could not follow.
                self.draft = TextDraft::agreed(self.draft.text.clone(), store.scenario());
                self.seen = Some(Rc::clone(store.scenario()));
                self.read(ctx);
            }
            if !self.draft.is_of(store.scenario()) {
                self.write_later(ctx);
            }
        } else if !bridge::has_focus(&self.area) {
            self.wanted = store.selected;
            self.show_wanted(ctx);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::Load => self.load(ctx),
            Msg::Loaded(Ok(())) => {
                self.reader = ReaderState::Ready;
                self.read(ctx);
            }
            Msg::Loaded(Err(reason)) => self.reader = ReaderState::Failed(reason),
            Msg::Write => {
                self.write(ctx);
                return false;
            }
            Msg::Written(texts) => self.written(ctx, texts),
            Msg::Typed(text) => self.typed(ctx, text),
            Msg::Read => self.read(ctx),
            Msg::Left => self.left(ctx),
            Msg::Reply(number, reply) => return self.reply(ctx, number, reply),
            Msg::Scrolled => {
                self.number_lines();
                return self.marked.is_some();
            }
            Msg::Caret => {
                self.select_at_caret(ctx);
                return false;
            }
            Msg::GoTo(number) => self.go_to(number),
            Msg::Step(direction) => self.step(direction),
            Msg::Again => {
                // Without a scenario, the text is written as a whole.
                self.draft = TextDraft {
                    text: std::mem::take(&mut self.draft.text),
                    ..TextDraft::default()
                };
                (self.faults, self.more) = (Vec::new(), 0);
                self.write(ctx);
            }
            Msg::Import => ctx.props().on_text.emit(self.draft.text.clone()),
        }
        true
    }

    fn rendered(&mut self, _: &Context<Self>, is_first: bool) {
        if is_first {
            bridge::rewrite_text(&self.area, &self.draft.text, (0, 0));
            self.number_lines();
        }
    }

    fn destroy(&mut self, ctx: &Context<Self>) {
        self.keep(ctx);
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.draw(ctx)
    }
}

impl TextPanel {
    /// Whether the scenario is that of the text.
    fn is_current(&self, scenario: &Rc<EditedScenario>) -> bool {
        self.draft.state == TextState::Same && self.draft.is_of(scenario)
    }

    pub(super) fn number_lines(&self) {
        let lines = self.draft.text.split('\n').count();
        bridge::show_line_numbers(&self.area, &self.numbers, lines);
    }

    /// Marks and selects the lines of the wanted figure, if the text is read.
    pub(super) fn show_wanted(&mut self, ctx: &Context<Self>) {
        let scenario = ctx.props().store.scenario();
        if !self.is_current(scenario) {
            return;
        }
        let Some(read) = &self.read else {
            return;
        };
        let figure = self.wanted.take();
        let lines = figure.and_then(|figure| TextLines::new(read).of(scenario, figure));
        if let Some(lines) = lines {
            self.mark(lines);
            let start = self.line_start(lines.first);
            let end = self.line_start(lines.last + 1);
            bridge::select_in_place(&self.area, (start, end));
        }
    }

    pub(super) fn mark(&mut self, lines: LineRange) {
        self.marked = Some(lines);
        bridge::reveal_lines(&self.area, lines.first, lines.last);
        self.number_lines();
    }

    /// Selects the figure at the caret. On a phone its explanation would cover the text.
    fn select_at_caret(&self, ctx: &Context<Self>) {
        let TextPanelProps { store, act, .. } = ctx.props();
        let scenario = store.scenario();
        let read = self.read.as_ref().filter(|_| self.is_current(scenario));
        if let (Some(read), PageLayout::Wide) = (read, bridge::layout()) {
            let line = position_at(&self.draft.text, bridge::caret(&self.area)).line;
            let figure = TextLines::new(read).figure_at(scenario, line);
            if let Some(figure) = figure.filter(|_| figure != store.selected) {
                act.run(Action::Select(figure));
            }
        }
    }
}
