//! The import dialog: texts, faults, choice of a cluster. Texts with errors cannot be imported.

use std::rc::Rc;

use yew::prelude::*;

use super::{
    outcome::{Outcome, ReaderState},
    summary::is_rejected,
    text_field::TextField,
};
use crate::{
    bridge::{self, File, Timer},
    state::{
        Direction, ImportFault, ImportField, ImportResult, ImportTexts, Imported, PageMessage,
        TextPosition, caret_offset, failed_import, import_result, next_fault, position_at,
        quick_fix, select,
    },
    view::{Act, Action, Shared},
};

/// Texts above this many bytes are read after a pause in typing.
const LARGE: usize = 200_000;
/// That pause, in milliseconds.
const PAUSE_MS: u32 = 120;

/// The initial state of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::view) enum Opening {
    /// With the imported texts.
    Start,
    /// With the caret at a position.
    At(ImportField, TextPosition),
}

impl Opening {
    /// At a finding; `None` if it has no position.
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
    texts: ImportTexts,
    reader: ReaderState,
    result: Option<ImportResult>,
    /// Whether the field for `/clusters` is open at first.
    with_clusters: bool,
    /// The cluster to show.
    root: usize,
    /// The fault at the caret.
    current: Option<usize>,
    /// A large text that is read later.
    waiting: Option<Timer>,
}

pub(in crate::view) enum Msg {
    /// The result of fetching the reader.
    Loaded(Result<(), String>),
    /// Fetches the reader.
    Load,
    Typed(ImportField, String),
    Chosen(ImportField, File),
    AddressChange(ImportField, Option<String>),
    Read,
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
            texts: origin.map_or_else(ImportTexts::default, |origin| origin.texts.clone()),
            reader: ReaderState::Loading,
            with_clusters: origin.is_some_and(|origin| !origin.texts.clusters.is_empty()),
            result: None,
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
                self.reader = ReaderState::Loading;
                let link = ctx.link().clone();
                bridge::load_reader(move |result| link.send_message(Msg::Loaded(result)));
            }
            Msg::Loaded(Ok(())) => {
                self.reader = ReaderState::Ready;
                self.read(ctx);
            }
            Msg::Loaded(Err(reason)) => self.reader = ReaderState::Failed(reason),
            Msg::Typed(field, text) => {
                match field {
                    ImportField::Config => self.texts.config = text,
                    ImportField::Clusters => self.texts.clusters = text,
                }
                self.read_changed(ctx);
            }
            Msg::Chosen(field, file) => {
                let link = ctx.link().clone();
                bridge::read_file(&file, move |text| {
                    link.send_message(Msg::AddressChange(field, text));
                });
                return false;
            }
            Msg::AddressChange(field, Some(text)) => {
                bridge::set_text(self.area(field), &text);
                return Component::update(self, ctx, Msg::Typed(field, text));
            }
            Msg::AddressChange(_, None) => self.result = Some(failed_import(&PageMessage::NoFile)),
            Msg::Read => self.read(ctx),
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
                    { "Paste a bootstrap, a config_dump, single clusters, endpoint assignments and routes, or policies and endpoints of Kuma or Istio, in YAML or JSON. The text stays in this page." }
                </p>
                { self.field(link, ImportField::Config) }
                <details class="more" open={self.with_clusters}>
                    <summary>{ "Hosts and health from /clusters" }</summary>
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
        self.result.as_ref()?.imported.as_ref()
    }

    fn fault(&self, number: usize) -> Option<&ImportFault> {
        self.result.as_ref()?.faults.get(number)
    }

    fn read_changed(&mut self, ctx: &Context<Self>) {
        self.waiting = None;
        if self.texts.config.len() + self.texts.clusters.len() > LARGE {
            self.result = None;
            let link = ctx.link().clone();
            self.waiting = Some(bridge::after(PAUSE_MS, move || {
                link.send_message(Msg::Read)
            }));
        } else {
            self.read(ctx);
        }
    }

    /// Reads the texts, or loads what they require.
    fn read(&mut self, ctx: &Context<Self>) {
        self.waiting = None;
        self.current = None;
        self.result = None;
        if self.texts.config.trim().is_empty() || !matches!(self.reader, ReaderState::Ready) {
            return;
        }
        let result = match bridge::call_reader(&self.texts.config, &self.texts.clusters) {
            Ok(Some(answer)) => import_result(self.texts.clone(), &answer),
            Ok(None) => return ctx.link().send_message(Msg::Load),
            Err(reason) => failed_import(&PageMessage::ReaderFailed(&reason)),
        };
        if let Some(imported) = &result.imported {
            self.root = imported.proposed;
        }
        self.result = Some(result);
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

    /// Goes to the next or previous fault in the field of the current fault or of the caret.
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
            .result
            .as_ref()
            .map_or(&[][..], |result| &result.faults);
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
            Err(error) => self.result = Some(failed_import(&PageMessage::NotShown(&error))),
        }
    }

    fn outcome(&self, link: &html::Scope<Self>) -> Outcome<'_> {
        Outcome {
            texts: &self.texts,
            reader: &self.reader,
            result: self.result.as_ref(),
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
            ImportField::Clusters => "Output of /clusters, text or JSON",
        };
        let field = TextField {
            field,
            area: self.area(field).clone(),
            label,
            invalid: is_rejected(self.result.as_ref(), field),
            on_text: link.callback(|(field, text)| Msg::Typed(field, text)),
            on_file: link.callback(|(field, file)| Msg::Chosen(field, file)),
        };
        field.view()
    }
}
