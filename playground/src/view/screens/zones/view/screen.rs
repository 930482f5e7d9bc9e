//! The whole screen: the loss, the matrix, and the loss of each zone.

use std::rc::Rc;

use crate::{
    bridge,
    view::parts::{Button, Choice, Slider, Status, named, note, slider},
};
use spillgate_mesh::traffic::{largest_shares_text, traffic_csv, traffic_markdown, traffic_svg};
use spillgate_scenario::{EditedScenario, PageMessage, ShortNames};
use yew::prelude::*;

use super::{losses::losses, matrix::matrix};
use crate::view::screens::{
    input::use_input,
    zones::{ZoneViews, ZonesInput, ZonesTraffic},
};

/// The longest names of zones and of destinations that are shown whole, relative to the font size.
const ZONE_ROOM: f64 = 11.0;
const LISTED_ROOM: f64 = 24.0;

#[derive(PartialEq, Properties)]
pub(crate) struct ZonesProps {
    pub(crate) scenario: Rc<EditedScenario>,
    /// The input as a text.
    pub(crate) input: String,
    /// Called with a changed input.
    pub(crate) on_input: Callback<String>,
    /// Called with the cluster to show on the first screen.
    pub(crate) on_cluster: Callback<usize>,
}

/// The screen.
#[component]
pub(crate) fn Zones(props: &ZonesProps) -> Html {
    let text = use_input(&props.input, &props.on_input);
    let input = ZonesInput::from_text(&text.text);
    let views = use_memo(
        (Rc::clone(&props.scenario), input.destination.clone()),
        |(scenario, destination)| ZoneViews::new(scenario, destination),
    );
    let traffic = use_memo((Rc::clone(&views), input.clone()), |(views, input)| {
        ZonesTraffic::new(views, input)
    });
    let message = use_state(String::new);
    if traffic.before.zones.is_empty() {
        return html! { <main class="what-if">{ note(PageMessage::NoHosts.to_string()) }</main> };
    }
    let set = {
        let set = text.set.clone();
        move |next: ZonesInput| set.emit(next.to_text())
    };
    let on_zone = {
        let (input, set) = (input.clone(), set.clone());
        Callback::from(move |zone: String| {
            set(ZonesInput {
                zone,
                ..input.clone()
            });
        })
    };
    let on_percent = {
        let (input, set) = (input.clone(), set.clone());
        Callback::from(move |percent: u32| {
            set(ZonesInput {
                percent: percent.min(100),
                ..input.clone()
            });
        })
    };
    let on_destination = {
        let input = input.clone();
        Callback::from(move |destination: String| {
            set(ZonesInput {
                destination,
                ..input.clone()
            });
        })
    };
    let names = traffic
        .after
        .zones
        .iter()
        .chain(views.views.iter().map(|view| &view.zone));
    let short = ShortNames::of(names.map(String::as_str), ZONE_ROOM);
    let mut options = vec![(String::new(), "none".to_owned())];
    let zones = traffic.zones.iter().map(|row| &row.zone);
    options.extend(zones.map(|zone| (zone.clone(), short.get(zone).to_owned())));
    let destinations = views.destinations.iter();
    let listed = ShortNames::of(destinations.clone().map(String::as_str), LISTED_ROOM);
    let destinations: Vec<(String, String)> = destinations
        .map(|name| (name.clone(), listed.get(name).to_owned()))
        .collect();
    let headline = headline(&input, &traffic);
    let copies = [
        ("SVG", traffic_svg as fn(&[_]) -> String),
        ("Markdown", traffic_markdown),
        ("CSV", traffic_csv),
    ]
    .into_iter()
    .map(|(name, write)| {
        let (traffic, message) = (Rc::clone(&traffic), message.setter());
        let copy = Callback::from(move |_: MouseEvent| {
            let message = message.clone();
            let text = write(std::slice::from_ref(&traffic.after));
            bridge::copy(&text, move |result| message.set(result.to_string()));
        });
        Button {
            class: "",
            test: Some(format!("zones-copy-{name}")),
            name: Some(format!("Copy the table as {name}")),
            text: name.into(),
            disabled: false,
            onclick: copy,
        }
        .view()
    });
    html! {
        <main class="what-if">
            <section class="result" id="answer" tabindex="-1" aria-label="Result">
                <h2 class="eyebrow">{ "Where do the requests of each zone go?" }</h2>
                <p class="headline" data-test="zones-headline">{ named(&short, &headline) }</p>
                <div class="question">
                    if destinations.len() > 1 {
                        <Choice id="zones-destination" test="zones-destination" label="destination" options={destinations}
                            value={views.destination.clone()} on_value={on_destination} />
                    }
                    <Choice id="zones-lost" test="zones-lost" label="lost zone" {options}
                        value={input.zone.clone()} on_value={on_zone.clone()} />
                    { slider(Slider {
                        test: "zones-percent".into(),
                        label: "percent",
                        name: "Lost hosts of the zone in percent, rounded to whole hosts".into(),
                        value: input.percent,
                        range: (0, 100),
                        most: 100,
                        on_value: on_percent,
                    }) }
                </div>
                { matrix(&views, &traffic, &short, &on_zone, &props.on_cluster) }
                <p class="copies">{ "Copy as " }{ for copies }</p>
                <p class="note" data-said="yes">{ (*message).clone() }</p>
            </section>
            <div class="further">{ losses(&traffic, &short) }</div>
            <Status test="zones-status" text={headline} />
        </main>
    }
}

fn headline(input: &ZonesInput, traffic: &ZonesTraffic) -> String {
    let effect = largest_shares_text(std::slice::from_ref(&traffic.after));
    match traffic.lost {
        (0, _) => format!("Without a loss: {effect}."),
        (lost, all) => format!("{} loses {lost} of {all} hosts: {effect}.", input.zone),
    }
}
