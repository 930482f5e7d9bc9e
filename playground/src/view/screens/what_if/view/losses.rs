//! The losses: a selection of hosts, and how many of them fail.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{Button, Choice, Number},
};
use spillgate_scenario::whole;
use spillgate_sim::Amount;
use yew::prelude::*;

use crate::view::screens::{
    losses::LossOption,
    what_if::{LossInput, Question, Stage},
};

/// Called with a changed question, and the place of the loss that the sweep shows from now on.
pub(super) type OnLosses = Callback<(Question, usize)>;

/// A row for each loss, and the button that adds one.
pub(super) fn losses(stage: &Rc<Stage>, question: &Question, on_losses: &OnLosses) -> Html {
    let rows = question.losses.iter().enumerate();
    let rows = rows.map(|(at, loss)| row(stage, question, at, loss, on_losses));
    let unused = stage.unused(question);
    let add = Button {
        class: "",
        test: Some("loss-add".into()),
        name: None,
        text: "Add another loss".into(),
        disabled: unused.is_none(),
        onclick: {
            let mut next = question.clone();
            next.losses.extend(unused.map(|option| LossInput {
                selector: option.selector.clone(),
                amount: Amount::Hosts(1),
            }));
            let last = next.losses.len().saturating_sub(1);
            on_losses.reform(move |_: MouseEvent| {
                focus_row(last);
                (next.clone(), last)
            })
        },
    };
    html! {
        <section class="question" aria-label="Losses">
            { for rows }
            <p class="copies">{ add.view() }</p>
        </section>
    }
}

/// The name of an element of a row.
fn of_row(name: &str, at: usize) -> String {
    match at {
        0 => name.to_owned(),
        more => format!("{name}-{}", more + 1),
    }
}

/// Moves the focus to a row after the next rendering.
fn focus_row(at: usize) {
    bridge::after(0, move || bridge::focus_id(&of_row("loss-of", at))).forget();
}

fn row(
    stage: &Rc<Stage>,
    question: &Question,
    at: usize,
    loss: &LossInput,
    on_losses: &OnLosses,
) -> Html {
    let test = |name: &str| of_row(name, at);
    let change = {
        let (question, on_losses) = (question.clone(), on_losses.clone());
        Callback::from(move |loss: LossInput| on_losses.emit((question.with_loss(at, loss), at)))
    };
    let options = stage.options.iter();
    let options: Vec<(String, String)> = options
        .map(|option| (option.selector.clone(), stage.names.in_text(&option.title)))
        .collect();
    let chosen = stage.option(&loss.selector);
    let (title, selector) = chosen.map_or(("", ""), |option| (&option.title, &option.selector));
    let on_selector = {
        let (stage, loss, change) = (Rc::clone(stage), loss.clone(), change.clone());
        Callback::from(move |selector: String| {
            change.emit(stage.within(&LossInput {
                selector,
                ..loss.clone()
            }));
        })
    };
    let (lost, _) = stage.count(loss);
    let all = chosen.map_or_else(String::new, LossOption::usable_hosts);
    let remove = Button {
        class: "quiet",
        test: Some(test("loss-remove")),
        name: Some(format!("Remove the loss of {title}")),
        text: "remove".into(),
        disabled: false,
        onclick: {
            let next = question.without_loss(at);
            on_losses.reform(move |_: MouseEvent| {
                let before = at.saturating_sub(1);
                focus_row(before);
                (next.clone(), before)
            })
        },
    };
    html! {
        <div class="loss" role="group" aria-label={format!("Loss {}: {title}", at + 1)} key={at}>
            <Choice id={test("loss-of")} test={test("loss-of")} label="lose hosts of" {options} value={selector.to_owned()} on_value={on_selector} />
            { amount(stage, loss, &test, title, &change) }
            <p class="note">
                <span data-test={test("loss-count")}>{ format!("{lost} of {all}") }</span>
                if question.losses.len() > 1 {
                    { remove.view() }
                }
            </p>
        </div>
    }
}

/// The unit, the slider and the number.
fn amount(
    stage: &Rc<Stage>,
    loss: &LossInput,
    test: &dyn Fn(&str) -> String,
    title: &str,
    change: &Callback<LossInput>,
) -> Html {
    let (lost, all) = stage.count(loss);
    let most = u32::try_from(all).unwrap_or(u32::MAX);
    let (unit, value, max) = match loss.amount {
        Amount::Percent(percent) => ("percent", percent as u32, 100),
        Amount::Hosts(_) => ("hosts", u32::try_from(lost).unwrap_or(u32::MAX), most),
    };
    let with = {
        let (loss, change) = (loss.clone(), change.clone());
        move |amount| {
            change.emit(LossInput {
                amount,
                ..loss.clone()
            });
        }
    };
    let on_unit = {
        let with = with.clone();
        Callback::from(move |unit: String| {
            with(if unit == "hosts" {
                Amount::Hosts(lost)
            } else {
                nearest_percent(lost, all)
            });
        })
    };
    let is_percent = unit == "percent";
    let on_value = Callback::from(move |value: u32| {
        with(if is_percent {
            Amount::Percent(f64::from(value.min(100)))
        } else {
            Amount::Hosts(value as usize)
        });
    });
    let oninput = {
        let on_value = on_value.clone();
        Callback::from(move |event: InputEvent| {
            if let Ok(value) = bridge::text_of(&event).parse() {
                on_value.emit(value);
            }
        })
    };
    let name = format!("Lost hosts of {title}, in {unit}");
    let of = stage.option(&loss.selector);
    let of = of.map_or_else(String::new, LossOption::usable_hosts);
    let spoken = if is_percent {
        format!("{}, {lost} of {of}", whole(value))
    } else {
        format!("{lost} of {of}")
    };
    let units = [("percent", "%"), ("hosts", "hosts")];
    let units = units.map(|(unit, label)| (unit.to_owned(), label.to_owned()));
    html! {
        <div class="slider">
            <Choice id={test("loss-unit")} test={test("loss-unit")} name={format!("Unit of the loss of {title}")} options={Vec::from(units)}
                value={unit.to_owned()} on_value={on_unit} />
            <input type="range" data-test={test("loss")} aria-label={name.clone()} aria-valuetext={spoken} min="0"
                max={max.to_string()} value={value.to_string()} {oninput} />
            <Number test={test("loss-number")} {name} {value} min={0} {max} {on_value} />
        </div>
    }
}

/// The percentage with this number of hosts; of many hosts the nearest one.
fn nearest_percent(lost: usize, all: usize) -> Amount {
    let percents = (0..=100).map(|percent: u32| Amount::Percent(percent.into()));
    let nearest = percents.min_by_key(|percent| percent.of(all).unwrap_or(all).abs_diff(lost));
    nearest.unwrap_or(Amount::Percent(0.0))
}
