//! The form of errors, warnings and findings: the problem, its line in the input, notes and the remedy.

use std::{
    env,
    io::{self, IsTerminal as _},
};

use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use spillgate_answers::{
    excerpt::Excerpt,
    located::{FileNames as _, LocatedDiagnostic},
};
use spillgate_config::{Diagnostic, DiagnosticSeverity, Position, node::quote};
use spillgate_core::visible::visible;

use crate::{
    color::style_of,
    printed::{painted, print, print_line},
    split::Style,
};

/// The environment variable for the form of messages: `short` (one line each) or `full`.
const FORM: &str = "SPILLGATE_MESSAGES";

/// A problem in an input, ready to be rendered.
pub(crate) struct Problem<'p> {
    pub(crate) level: Level<'static>,
    /// The code of an error or a warning, or the rule of a finding.
    pub(crate) code: &'p str,
    pub(crate) title: &'p str,
    /// The file, option or URL.
    pub(crate) file: &'p str,
    pub(crate) position: Option<Position>,
    pub(crate) excerpt: Option<&'p Excerpt>,
    /// Notes and help in order, in visible form.
    pub(crate) notes: Vec<(Level<'static>, String)>,
}

/// How the path of the field is introduced.
pub(crate) fn at() -> Level<'static> {
    Level::NOTE.with_name("at")
}

impl Problem<'_> {
    /// The problem in several lines.
    pub(crate) fn rendered(&self, style: Style) -> String {
        let renderer = match style {
            Style::Colored => Renderer::styled(),
            Style::Plain | Style::Markdown => Renderer::plain(),
        };
        let renderer = renderer.decor_style(DecorStyle::Ascii);
        painted(renderer.render(&[self.group()]))
    }

    fn group(&self) -> Group<'_> {
        let title = self.level.clone().primary_title(visible(self.title));
        let mut group = title.id(self.code).elements(self.origin());
        if let (Some(excerpt), Some(position)) = (self.excerpt, self.position) {
            let snippet = Snippet::source(excerpt.text.as_str()).line_start(position.line as usize);
            let snippet = if excerpt.is_cut {
                snippet
            } else {
                snippet.path(visible(self.file))
            };
            let marked = AnnotationKind::Primary.span(excerpt.marked.clone());
            group = group.element(snippet.annotation(marked));
        }
        for (level, text) in &self.notes {
            group = group.element(level.clone().message(text.as_str()));
        }
        group
    }

    /// The place, unless the excerpt has it: of a cut line, it would have the wrong column.
    fn origin(&self) -> Option<Origin<'_>> {
        if self.excerpt.is_some_and(|excerpt| !excerpt.is_cut) {
            return None;
        }
        let origin = Origin::path(visible(self.file));
        Some(match self.position {
            Some(Position { line, column }) => {
                origin.line(line as usize).char_column(column as usize)
            }
            None => origin,
        })
    }
}

/// A warning of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandWarning {
    /// About an input.
    Located(Box<LocatedDiagnostic>),
    /// A line of text.
    Line(String),
}

impl CommandWarning {
    /// The warning in one line. The prefix distinguishes it from errors.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Located(one) => format!("warning: {}", one.line()),
            Self::Line(line) => format!("warning: {line}"),
        }
    }
}

/// Prints a warning to standard error.
pub(crate) fn print_warning(warning: &CommandWarning) -> io::Result<()> {
    match warning {
        CommandWarning::Located(one) if !is_short() => print_located(one, Level::WARNING),
        _ => print_line(io::stderr().lock(), &warning.line()),
    }
}

/// Prints an error to standard error, or a warning that explains one.
pub(crate) fn print_fault(fault: &LocatedDiagnostic) -> io::Result<()> {
    match (fault.diagnostic.severity, is_short()) {
        (DiagnosticSeverity::Error, true) => print_line(io::stderr().lock(), &fault.line()),
        (DiagnosticSeverity::Error, false) => print_located(fault, Level::ERROR),
        (DiagnosticSeverity::Warning | DiagnosticSeverity::Limit, _) => {
            print_warning(&CommandWarning::Located(Box::new(fault.clone())))
        }
    }
}

/// Whether a message is one line, as editors and scripts read it: if the user chose so, else if no terminal
/// shows it.
pub(crate) fn is_short() -> bool {
    match env::var_os(FORM) {
        Some(form) if form == "short" => true,
        Some(form) if form == "full" => false,
        _ => !io::stderr().is_terminal(),
    }
}

/// Warns about a form that does not exist.
pub(crate) fn warn_unknown_form() -> io::Result<()> {
    let form = env::var_os(FORM).unwrap_or_default();
    let form = form.to_string_lossy();
    if matches!(&*form, "" | "short" | "full") {
        return Ok(());
    }
    let warning = Diagnostic::warning("input/messages-form", "unknown form of messages")
        .found(quote(&form))
        .expected("short or full");
    for located in FORM.locate(&[&warning]) {
        print_warning(&CommandWarning::Located(Box::new(located)))?;
    }
    Ok(())
}

fn print_located(one: &LocatedDiagnostic, level: Level<'static>) -> io::Result<()> {
    let stderr = io::stderr();
    let text = problem_of(one, level).rendered(style_of(&stderr));
    print(stderr.lock(), &(text + "\n\n"))
}

fn problem_of<'p>(one: &'p LocatedDiagnostic, level: Level<'static>) -> Problem<'p> {
    let diagnostic = &one.diagnostic;
    let value = match (&diagnostic.found, &diagnostic.expected) {
        (Some(found), Some(expected)) => Some(format!("found {found}, expected {expected}")),
        (Some(found), None) => Some(format!("found {found}")),
        (None, Some(expected)) => Some(format!("expected {expected}")),
        (None, None) => None,
    };
    let suggestion = diagnostic.suggestion.as_ref();
    let path = Some(&diagnostic.path).filter(|path| !path.is_empty());
    let notes = [
        value.map(|value| (Level::NOTE, value)),
        suggestion.map(|name| (Level::HELP, format!("did you mean {name}?"))),
        path.map(|path| (at(), path.clone())),
    ];
    let notes = notes.into_iter().flatten();
    let notes = notes
        .map(|(level, text)| (level, visible(&text).into_owned()))
        .collect();
    Problem {
        level,
        code: diagnostic.code,
        title: &diagnostic.message,
        file: &one.file,
        position: one.position,
        excerpt: one.excerpt.as_ref(),
        notes,
    }
}
