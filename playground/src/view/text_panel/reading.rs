//! From the text to the scenario.

use std::rc::Rc;

use spillgate_scenario::{
    ImportOrigin, Imported, LineRange, PageFigure, TextLines, import_result, page_error,
};
use yew::prelude::*;

use super::{
    draft::{TextDraft, TextState},
    panel::{Msg, ReaderState, TextPanel},
};
use crate::{
    bridge::{self, ReaderReply},
    view::import::ImportMessage,
};

/// The text is read after this pause in typing, in milliseconds. Each pause is a step to undo.
const PAUSE_MS: u32 = 400;
/// When to read again after another text took the reader, in milliseconds.
const AGAIN_MS: u32 = 500;
/// The code of a text that the scenario cannot follow.
pub(super) const NOT_FOLLOWED: &str = "page/not-followed";

impl TextPanel {
    /// Fetches the reader.
    pub(super) fn load(&mut self, ctx: &Context<Self>) {
        self.reader = ReaderState::Loading;
        let link = ctx.link().clone();
        bridge::load_reader(move |result| link.send_message(Msg::Loaded(result)));
    }

    pub(super) fn typed(&mut self, ctx: &Context<Self>, text: String) {
        self.draft.text = text;
        self.draft.state = TextState::Typed;
        self.plain = None;
        (self.read, self.marked, self.wanted) = (None, None, None);
        // The answer to an earlier text is out of date.
        self.reading += 1;
        self.number_lines();
        self.read_later(ctx);
    }

    /// Reads the text at once if it waits.
    pub(super) fn left(&mut self, ctx: &Context<Self>) {
        if self.reads.take().is_some() {
            self.read(ctx);
        }
    }

    pub(super) fn read_later(&mut self, ctx: &Context<Self>) {
        self.read_after(ctx, PAUSE_MS);
    }

    fn read_after(&mut self, ctx: &Context<Self>, pause: u32) {
        let link = ctx.link().clone();
        self.reads = Some(bridge::after(pause, move || link.send_message(Msg::Read)));
    }

    /// Starts to read the text.
    pub(super) fn read(&mut self, ctx: &Context<Self>) {
        let is_ready = matches!(self.reader, ReaderState::Ready);
        if !is_ready || self.draft.of.is_none() || !self.refused.is_empty() {
            return;
        }
        self.reads = None;
        self.reading += 1;
        let number = self.reading;
        let link = ctx.link().clone();
        bridge::read_texts(self.draft.texts(), move |reply| {
            link.send_message(Msg::Reply(number, reply));
        });
    }

    pub(super) fn reply(
        &mut self,
        ctx: &Context<Self>,
        number: u32,
        reply: Result<ReaderReply, String>,
    ) -> bool {
        if number != self.reading {
            return false;
        }
        let result = match reply {
            Ok(ReaderReply::Answer(answer)) => import_result(self.draft.texts(), &answer),
            Ok(ReaderReply::Missing) => {
                self.load(ctx);
                return true;
            }
            Ok(ReaderReply::Replaced) => {
                self.read_after(ctx, AGAIN_MS);
                return false;
            }
            Err(reason) => ImportMessage::ReaderFailed(&reason).failure(),
        };
        let origin = result.imported.as_ref().map(|imported| &imported.origin);
        if self.draft.unread.take().is_some() {
            self.draft.agreed = origin.cloned();
            if self.draft.state != TextState::Same {
                self.read(ctx);
                return false;
            }
        }
        if self.draft.state == TextState::Same && !self.confirms(ctx, origin) {
            self.read(ctx);
            return true;
        }
        self.current = None;
        (self.faults, self.more) = (result.faults, result.more);
        match result.imported {
            None => self.draft.state = TextState::Rejected,
            Some(imported) => {
                if self.draft.state != TextState::Same {
                    self.follow(ctx, &imported);
                }
                self.read = Some(imported.origin);
                self.mark_whole_host(ctx);
                self.show_wanted(ctx);
            }
        }
        true
    }

    /// Whether a text with lines of the user is the scenario. If not, it is written without them.
    fn confirms(&mut self, ctx: &Context<Self>, read: Option<&Rc<ImportOrigin>>) -> bool {
        let scenario = ctx.props().store.scenario();
        let Some(plain) = self.plain.take().filter(|_| self.draft.is_of(scenario)) else {
            return true;
        };
        if read.is_some_and(|read| TextDraft::is_confirmed(scenario, read)) {
            return true;
        }
        let earlier = std::mem::replace(&mut self.draft.text, plain);
        self.draft.unread = Some(self.draft.text.clone());
        self.show(&earlier);
        false
    }

    /// Changes the scenario as the user changed the text.
    fn follow(&mut self, ctx: &Context<Self>, imported: &Imported) {
        let props = ctx.props();
        let now = props.store.scenario();
        let is_seen = self.seen.as_ref().is_some_and(|seen| Rc::ptr_eq(seen, now));
        if !is_seen {
            // The text gets a change of the scenario first.
            self.write(ctx);
            return;
        }
        match self.draft.follow(now, &imported.origin, bridge::now()) {
            Err(refusal) => {
                let mut fault = page_error(NOT_FOLLOWED, refusal.to_string());
                fault.position = refusal.position();
                self.faults.insert(0, fault);
            }
            Ok(None) if !self.draft.is_of(now) => self.write(ctx),
            Ok(action) => {
                self.seen.clone_from(&self.draft.of);
                if let Some(action) = action {
                    props.act.run(action);
                }
            }
        }
    }

    /// Keeps the text of the panel that closes. If the user has typed, the scenario follows nevertheless.
    pub(super) fn keep(&mut self, ctx: &Context<Self>) {
        let draft = std::mem::take(&mut self.draft);
        if draft.state == TextState::Typed && draft.unread.is_none() {
            let texts = draft.texts();
            let props = ctx.props().clone();
            bridge::read_texts(texts.clone(), move |reply| {
                if let Ok(ReaderReply::Answer(answer)) = reply
                    && let Some(imported) = import_result(texts.clone(), &answer).imported
                {
                    let mut draft = TextDraft::kept();
                    let now = props.store.scenario();
                    if draft.state == TextState::Typed
                        && draft.text == texts.config
                        && let Ok(Some(action)) = draft.follow(now, &imported.origin, bridge::now())
                    {
                        props.act.run(action);
                    }
                    draft.keep();
                }
            });
        }
        draft.keep();
    }

    /// Extends a changed line to the lines of its host.
    fn mark_whole_host(&mut self, ctx: &Context<Self>) {
        let (Some(LineRange { first, last }), Some(read)) = (self.marked, &self.read) else {
            return;
        };
        let scenario = ctx.props().store.scenario();
        let lines = TextLines::new(read);
        let figure = lines.figure_at(scenario, first);
        if let Some(figure @ PageFigure::Host(_)) = figure
            && lines.figure_at(scenario, last) == Some(figure)
        {
            self.marked = lines.of(scenario, figure);
        }
    }
}
