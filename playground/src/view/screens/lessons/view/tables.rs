//! The tables of Envoy's documentation with the figures of the engine.

use crate::view::parts::{Button, cell, note, row};
use yew::prelude::*;

use crate::view::screens::lessons::{Lesson, LessonCell, LessonRow, LessonTable};

/// The address of Envoy's documentation.
const DOCUMENTATION: &str =
    "https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/";

/// The tables; a button in each row sets the controls, and the current row is marked.
pub(super) fn tables(
    lesson: &'static Lesson,
    values: &[u32],
    cells: &[Vec<Vec<LessonCell>>],
    on_values: &Callback<Vec<u32>>,
) -> Html {
    let tables = lesson.tables.iter().zip(cells).enumerate();
    let tables = tables.map(|(number, (table, cells))| {
        let columns = table.inputs.iter().map(|(_, head)| *head).chain(table.outputs.iter().copied());
        // Rows have numbers through all tables of the lesson.
        let before: usize = lesson.tables.iter().take(number).map(|table| table.rows.len()).sum();
        let rows = table.rows.iter().zip(cells).enumerate().map(|(at, (of, cells))| {
            let test = format!("lesson-row-{}", before + at + 1);
            let onclick = {
                let chosen = table.chosen(of, values);
                on_values.reform(move |_: MouseEvent| chosen.clone())
            };
            draw(lesson, table, Drawn { of, cells, test, is_current: table.is_current(of, values) }, onclick)
        });
        let notes = table.rows.iter().filter(|row| !row.differs.is_empty());
        html! {
            <div class="lesson-table" key={number}>
                <h3>{ table.caption }</h3>
                <div class="scroll" tabindex="0" role="region" aria-label={table.caption}>
                    <table class="figures">
                        <caption class="hidden">{ table.caption }</caption>
                        <thead><tr>{ for columns.map(|text| html! { <th scope="col">{ text }</th> }) }</tr></thead>
                        <tbody>{ for rows }</tbody>
                    </table>
                </div>
                { for notes.map(|row| note(differs(row))) }
                if table.page.is_empty() {
                    { note("Computed by the engine. A click on a row sets the controls.".into()) }
                } else {
                    <p class="note">
                        { "Rows of " }
                        <a href={format!("{DOCUMENTATION}{}", table.page)} rel="noreferrer" target="_blank">{ "Envoy's documentation" }</a>
                        { ", figures of the engine. A click on a row sets the controls." }
                    </p>
                }
            </div>
        }
    });
    html! { <>{ for tables }</> }
}

/// A row to draw.
struct Drawn<'a> {
    of: &'a LessonRow,
    cells: &'a [LessonCell],
    test: String,
    is_current: bool,
}

fn draw(
    lesson: &Lesson,
    table: &LessonTable,
    drawn: Drawn<'_>,
    onclick: Callback<MouseEvent>,
) -> Html {
    let inputs = table.inputs.iter().filter_map(|(control, _)| {
        let value = drawn.of.values.get(*control)?;
        Some(lesson.controls.get(*control)?.text(*value))
    });
    let mut inputs = inputs.collect::<Vec<_>>().into_iter();
    let first = inputs.next().unwrap_or_default();
    let set = Button {
        class: "figure",
        test: Some(drawn.test.clone()),
        name: Some(format!("Set the controls to this row: {first}")),
        text: first,
        disabled: false,
        onclick,
    };
    let mark = (!drawn.of.differs.is_empty()).then_some("*");
    let mut cells = vec![html! {
        <th scope="row" aria-current={drawn.is_current.then_some("true")}>{ set.view() }{ mark }</th>
    }];
    cells.extend(inputs.map(|text| cell("", None, text.into())));
    cells.extend(drawn.cells.iter().enumerate().map(|(at, of)| {
        cell(
            "",
            Some(format!("{}-{}", drawn.test, at + 1)),
            of.text().into(),
        )
    }));
    row(drawn.test, drawn.is_current.then_some("selected"), cells)
}

/// The figures of the documentation, and why Envoy's differ.
fn differs(row: &LessonRow) -> String {
    let cells: Vec<String> = row.documented.iter().map(LessonCell::text).collect();
    format!(
        "* The documentation has {}. {}",
        cells.join(", "),
        row.differs
    )
}
