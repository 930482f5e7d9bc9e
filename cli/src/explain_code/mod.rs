//! `spillgate explain-code`: what a code of an error, a warning or a lint rule means.
//!
//! The texts are codes.md and rules.md, which tests compare with the codes and rules of the program. The documentation
//! site has a page for each code and rule.

use spillgate_core::visible::quoted;
mod args;
mod links;
mod pages;
mod plain;

pub(crate) use args::{EXAMPLES, ExplainCodeArgs};

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, nearest};

use self::{
    links::page,
    pages::{code_rows, message, rule_rows, section},
    plain::{code as code_of, plain},
};
use crate::command::{Done, Finished};

/// Prints the meaning of a code.
pub(crate) fn run(args: &ExplainCodeArgs) -> Finished {
    let code = args.code.trim_matches('`').trim();
    let Some(mut output) = rule(code).or_else(|| diagnostic(code)) else {
        let known = code_rows().chain(rule_rows()).map(|row| row.code);
        // A rule can have its name in both pages.
        let known: BTreeSet<&str> = known.collect();
        let fault = Diagnostic::error("code/unknown", "no message or lint rule has this code");
        let fault = fault.found(quoted(code)).expected(
            "a code such as config/eds, or a rule of spillgate lint such as priority-gap",
        );
        let fault = fault.suggest(nearest(code, known.into_iter()));
        return Err(Faults::one("CODE", &fault));
    };
    if let Some(page) = page(code) {
        output.push_str(&format!("\nsee {page}\n"));
    }
    Ok(Done {
        output,
        ..Done::default()
    })
}

/// A rule of `lint`: its problem, then its section.
fn rule(id: &str) -> Option<String> {
    let row = rule_rows().find(|row| row.code == id)?;
    let heading = format!("{id} ({}): {}\n", row.severity, row.meaning);
    Some(match section(id) {
        Some(text) => format!("{heading}\n{}\n", plain(text)),
        None => heading,
    })
}

/// A message: its meaning, then an input that causes it and the message.
fn diagnostic(code: &str) -> Option<String> {
    let meaning = code_rows().find(|row| row.code == code)?;
    let what = plain(meaning.meaning);
    let mut output = format!("{code} ({}): {what}\n", meaning.severity);
    if let Some(example) = meaning.example {
        output.push_str(&format!("\nexample  {}\n", code_of(example)));
        for (name, what) in [
            ("HOST", "an endpoint with an address"),
            ("ONE", "a load_assignment with one endpoint"),
        ] {
            if example
                .split(|c: char| !c.is_ascii_uppercase())
                .any(|word| word == name)
            {
                output.push_str(&format!("         {name}: {what}\n"));
            }
        }
    }
    // Cells of a table escape this character.
    let mut output = output.replace("\\|", "|");
    if let Some(message) = message(code) {
        output.push_str(&format!("message  {message}\n"));
    }
    Some(output)
}
