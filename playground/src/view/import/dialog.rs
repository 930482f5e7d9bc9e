//! The dialog: texts, what is wrong with them, choice of a cluster. Nothing is taken over while
//! there are errors.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    outcome::{Outcome, Readers},
    summary::is_refused,
    text_field::TextField,
};
use crate::{
    bridge::{self, File, Timer},
    state::{
        Direction, ImportFault, ImportField, Imported, Reading, TextPosition, Texts, caret_offset,
        next_fault, position_at, quick_fix, select, take_in, unreadable,
    },
    view::{Act, Action, Shared},
};

/// Texts above this many bytes are read after a pause in typing, not at every key.
const LARGE: usize = 200_000;
/// That pause, in milliseconds.
const PAUSE_MS: u32 = 120;

/// How the dialog opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::view) enum Opening {
    /// With what was imported last, if anything was.
    Start,
    /// With the caret at a place in it.
    At(ImportField, TextPosition),
}

impl Opening {
    /// At a finding of what was imported; `None` where it has no place.
    pub(in crate::view) fn at_fault(store: &Shared, number: usize) -> Option<Self> {
        let origin = store.scenario().origin.as_deref()?;
        let fault = origin.faults.get(number)?;
        Some(Self::At(fault.field, fault.position?))
    }
}

#[derive(PartialEq, Properties)]
pub(in crate::view) struct ImportProps {
    pub(in crate::view) store: Shared,
    pub(in crate::view) act: Act,
    pub(in crate::view) opening: Opening,
    pub(in crate::view) on_close: Callback<()>,
}

pub(in crate::view) struct Import {
    dialog: NodeRef,
    config: NodeRef,
    clusters: NodeRef,
    texts: Texts,
    readers: Readers,
    reading: Option<Reading>,
    /// Whether the dialog opens with the field for `/clusters`.
    with_clusters: bool,
    /// The cluster to show.
    root: usize,
    /// The fault that the caret was put to.
    current: Option<usize>,
    /// A large text that is still to be read.
    waiting: Option<Timer>,
}

pub(in crate::view) enum Msg {
    /// The readers are there, or why not.
    Loaded(Result<(), String>),
    /// Another attempt to fetch them.
    Load,
    Typed(ImportField, String),
    Chosen(ImportField, File),
    Opened(ImportField, Option<String>),
    Look,
    GoTo(usize),
    Step(Direction),
    Fix(usize),
    Root(String),
    Apply,
    Close,
}

impl Component for Import {
    type Message = Msg;
    type Properties = ImportProps;

    fn create(ctx: &Context<Self>) -> Self {
        let origin = ctx.props().store.scenario().origin.as_deref();
        ctx.link().send_message(Msg::Load);
        Self {
            dialog: NodeRef::default(),
            config: NodeRef::default(),
            clusters: NodeRef::default(),
            texts: origin.map_or_else(Texts::default, |origin| origin.texts.clone()),
            readers: Readers::Coming,
            with_clusters: origin.is_some_and(|origin| !origin.texts.clusters.is_empty()),
            reading: None,
            root: 0,
            current: None,
            waiting: None,
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if !first {
            return;
        }
        bridge::set_text(&self.config, &self.texts.config);
        bridge::set_text(&self.clusters, &self.texts.clusters);
        bridge::open_dialog(&self.dialog);
        match ctx.props().opening {
            Opening::Start => bridge::focus_field(&self.config),
            Opening::At(field, position) => self.place_caret(field, position),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::Load => {
                self.readers = Readers::Coming;
                let link = ctx.link().clone();
                bridge::load_readers(move |result| link.send_message(Msg::Loaded(result)));
            }
            Msg::Loaded(Ok(())) => {
                self.readers = Readers::Ready;
                self.look();
            }
            Msg::Loaded(Err(why)) => self.readers = Readers::Failed(why),
            Msg::Typed(field, text) => {
                match field {
                    ImportField::Config => self.texts.config = text,
                    ImportField::Clusters => self.texts.clusters = text,
                }
                self.look_soon(ctx);
            }
            Msg::Chosen(field, file) => {
                let link = ctx.link().clone();
                bridge::read_file(&file, move |text| {
                    link.send_message(Msg::Opened(field, text));
                });
                return false;
            }
            Msg::Opened(field, Some(text)) => {
                bridge::set_text(self.area(field), &text);
                return Component::update(self, ctx, Msg::Typed(field, text));
            }
            Msg::Opened(_, None) => self.reading = Some(unreadable("the file cannot be read")),
            Msg::Look => self.look(),
            Msg::GoTo(number) => self.go_to(number),
            Msg::Step(direction) => self.step(direction),
            Msg::Fix(number) => {
                self.fix(number);
                return false;
            }
            Msg::Root(value) => self.root = value.parse().unwrap_or(self.root),
            Msg::Apply => self.apply(&ctx.props().act),
            Msg::Close => bridge::close_dialog(&self.dialog),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let link = ctx.link();
        let on_close = ctx.props().on_close.clone();
        let close = link.callback(|_: MouseEvent| Msg::Close);
        let onkeydown =
            link.batch_callback(|event: KeyboardEvent| bridge::fault_key(&event).map(Msg::Step));
        html! {
            <dialog ref={&self.dialog} class="sheet import" aria-labelledby="import-title" {onkeydown}
                onclose={Callback::from(move |_: Event| on_close.emit(()))}>
                <div class="sheet-head">
                    <h2 id="import-title">{ "Import an Envoy configuration" }</h2>
                    <button type="button" class="icon" aria-label="Close" onclick={close}>{ "\u{d7}" }</button>
                </div>
                <p class="note" id="import-help">
                    { "A bootstrap, a config_dump, or single clusters, assignments and routes; YAML or JSON. It is read in this page and sent nowhere." }
                </p>
                { self.field(link, ImportField::Config) }
                <details class="more" open={self.with_clusters}>
                    <summary>{ "Health and hosts from /clusters" }</summary>
                    { self.field(link, ImportField::Clusters) }
                </details>
                { self.outcome(link).view() }
                <div class="sheet-acts">
                    <button type="button" class="primary" data-test="import-apply" disabled={self.imported().is_none()}
                        onclick={link.callback(|_: MouseEvent| Msg::Apply)}>{ "Use this cluster" }</button>
                </div>
            </dialog>
        }
    }
}

impl Import {
    fn area(&self, field: ImportField) -> &NodeRef {
        match field {
            ImportField::Config => &self.config,
            ImportField::Clusters => &self.clusters,
        }
    }

    fn imported(&self) -> Option<&Imported> {
        self.reading.as_ref()?.imported.as_ref()
    }

    fn fault(&self, number: usize) -> Option<&ImportFault> {
        self.reading.as_ref()?.faults.get(number)
    }

    fn look_soon(&mut self, ctx: &Context<Self>) {
        self.waiting = None;
        if self.texts.config.len() + self.texts.clusters.len() > LARGE {
            self.reading = None;
            let link = ctx.link().clone();
            self.waiting = Some(bridge::after(PAUSE_MS, move || {
                link.send_message(Msg::Look)
            }));
        } else {
            self.look();
        }
    }

    /// Reads the texts as they are now.
    fn look(&mut self) {
        self.waiting = None;
        self.current = None;
        self.reading = None;
        if self.texts.config.trim().is_empty() || !matches!(self.readers, Readers::Ready) {
            return;
        }
        let reading = match bridge::ask_readers(&self.texts.config, &self.texts.clusters) {
            Ok(answer) => take_in(self.texts.clone(), &answer),
            Err(why) => unreadable(&format!("the readers broke off: {why}")),
        };
        if let Some(imported) = &reading.imported {
            self.root = imported.proposed;
        }
        self.reading = Some(reading);
    }

    fn place_caret(&self, field: ImportField, position: TextPosition) {
        let offset = caret_offset(self.texts.of(field), position);
        bridge::place_caret(self.area(field), offset, position.line);
    }

    fn go_to(&mut self, number: usize) {
        let place = self
            .fault(number)
            .and_then(|f| Some((f.field, f.position?)));
        if let Some((field, position)) = place {
            self.current = Some(number);
            self.place_caret(field, position);
        }
    }

    /// To the next fault of the field that the last one or the caret is in, or to the one before.
    fn step(&mut self, direction: Direction) {
        let in_clusters = match self.current.and_then(|number| self.fault(number)) {
            Some(fault) => fault.field == ImportField::Clusters,
            None => bridge::has_focus(&self.clusters),
        };
        let field = if in_clusters {
            ImportField::Clusters
        } else {
            ImportField::Config
        };
        let at = position_at(self.texts.of(field), bridge::caret(self.area(field)));
        let faults = self
            .reading
            .as_ref()
            .map_or(&[][..], |reading| &reading.faults);
        if let Some(number) = next_fault(faults, field, at, direction) {
            self.go_to(number);
        }
    }

    fn fix(&self, number: usize) {
        let fault = self.fault(number);
        let fix =
            fault.and_then(|fault| Some((fault, quick_fix(self.texts.of(fault.field), fault)?)));
        if let Some((fault, fix)) = fix {
            bridge::replace_text(self.area(fault.field), fix.start, fix.end, &fix.replacement);
        }
    }

    fn apply(&mut self, act: &Act) {
        let Some(imported) = self.imported() else {
            return;
        };
        match select(imported, self.root) {
            Ok(scenario) => {
                act.run(Action::Import(Rc::new(scenario), bridge::now()));
                bridge::close_dialog(&self.dialog);
            }
            Err(error) => self.reading = Some(unreadable(&error.to_string())),
        }
    }

    fn outcome(&self, link: &html::Scope<Self>) -> Outcome<'_> {
        Outcome {
            texts: &self.texts,
            readers: &self.readers,
            reading: self.reading.as_ref(),
            current: self.current,
            root: self.root,
            on_go: link.callback(Msg::GoTo),
            on_fix: link.callback(Msg::Fix),
            on_step: link.callback(Msg::Step),
            on_retry: link.callback(|()| Msg::Load),
            on_root: link.callback(Msg::Root),
        }
    }

    fn field(&self, link: &html::Scope<Self>, field: ImportField) -> Html {
        let label = match field {
            ImportField::Config => "Configuration",
            ImportField::Clusters => "What /clusters says, as text or JSON",
        };
        let field = TextField {
            field,
            area: self.area(field).clone(),
            label,
            invalid: is_refused(self.reading.as_ref(), field),
            on_text: link.callback(|(field, text)| Msg::Typed(field, text)),
            on_file: link.callback(|(field, file)| Msg::Chosen(field, file)),
        };
        field.view()
    }
}
