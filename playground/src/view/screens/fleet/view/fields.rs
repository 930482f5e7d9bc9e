//! What the user sets: the callers of each zone, and what hosts and traffic need.

use spillgate_scenario::ShortNames;
use spillgate_sim::fleet::LostCallers;
use yew::prelude::*;

use super::amount_field::AmountField;
use crate::view::{
    parts::{Choice, Slider, named, note, slider},
    screens::fleet::{CallerZone, FleetInput, FleetStage, ZoneCallers, input::positive},
};

/// The end of the slider; the number field takes more.
const SLIDER_END: u32 = 100;

/// All fields.
pub(super) fn fields(
    stage: &FleetStage,
    input: &FleetInput,
    names: &ShortNames,
    on_change: &Callback<FleetInput>,
) -> Html {
    let zones = stage.zones.iter().enumerate();
    let zones = zones.map(|(at, zone)| zone_fields(at, zone, input, names, on_change));
    html! {
        <section class="question" aria-label="Callers">
            { for zones }
            <div class="loss" role="group" aria-label="Hosts and traffic">
                { hosts_and_traffic(input, on_change) }
                { lost_callers(input, on_change) }
                if stage.has_zone_aware {
                    { zone_aware(stage.counts_callers(input), input, on_change) }
                }
            </div>
            { note("Callers are the proxies that send requests to this cluster. A link has these values.".into()) }
        </section>
    }
}

/// The callers of a zone.
fn zone_fields(
    at: usize,
    zone: &CallerZone,
    input: &FleetInput,
    names: &ShortNames,
    on_change: &Callback<FleetInput>,
) -> Html {
    let of = input.zone(&zone.key);
    let in_zone = if zone.locality.zone.is_empty() {
        String::from("without a zone")
    } else {
        format!("in zone {}", zone.name)
    };
    let set = {
        let (input, key, on_change) = (input.clone(), zone.key.clone(), on_change.clone());
        move |callers| on_change.emit(input.with_zone(&key, callers))
    };
    let on_callers = {
        let set = set.clone();
        Callback::from(move |callers| set(ZoneCallers { callers, ..of }))
    };
    let on_rps = {
        let set = set.clone();
        Callback::from(move |rps| set(ZoneCallers { rps, ..of }))
    };
    let on_bytes = Callback::from(move |bytes| set(ZoneCallers { bytes, ..of }));
    html! {
        <div class="loss" role="group" aria-label={format!("Callers {in_zone}")} key={zone.key.clone()}>
            <h3>{ named(names, &zone.name) }</h3>
            { slider(Slider {
                test: format!("fleet-callers-{}", zone.name),
                label: "callers",
                name: format!("Callers {in_zone}"),
                value: of.callers,
                range: (0, SLIDER_END),
                most: FleetInput::MOST_CALLERS,
                on_value: on_callers,
            }) }
            <AmountField id={format!("fleet-rps-{at}")} label="requests/s" value={of.rps} empty="0"
                name={format!("requests/s of each caller {in_zone}")} on_value={on_rps} />
            <AmountField id={format!("fleet-bytes-{at}")} label="bytes/request" value={of.bytes} empty="not known"
                name={format!("bytes/request with its response, of callers {in_zone}")} on_value={on_bytes} />
        </div>
    }
}

fn hosts_and_traffic(input: &FleetInput, on_change: &Callback<FleetInput>) -> Html {
    let on_capacity = {
        let input = input.clone();
        on_change.reform(move |capacity: Option<f64>| FleetInput {
            capacity: positive(capacity),
            ..input.clone()
        })
    };
    let on_price = {
        let input = input.clone();
        on_change.reform(move |price| FleetInput {
            price,
            ..input.clone()
        })
    };
    html! {
        <>
            <AmountField id="fleet-capacity" label="capacity of a host" value={input.capacity} empty="not known"
                name="capacity of a host, in requests per second" on_value={on_capacity} />
            <AmountField id="fleet-price" label="price per GB" value={input.price} empty="not known"
                name="price per GB between zones" on_value={on_price} />
        </>
    }
}

fn lost_callers(input: &FleetInput, on_change: &Callback<FleetInput>) -> Html {
    let options = [
        ("stay", "send as before"),
        ("fail", "fail too"),
        ("move", "fail; others send their requests"),
    ];
    let value = input.lost_callers.name();
    let input = input.clone();
    let on_value = on_change.reform(move |value: String| FleetInput {
        lost_callers: match value.as_str() {
            "fail" => LostCallers::Fail,
            "move" => LostCallers::Move,
            _ => LostCallers::Stay,
        },
        ..input.clone()
    });
    choice(
        "fleet-lost",
        "callers of a lost zone",
        &options,
        value,
        on_value,
    )
}

fn zone_aware(counts: bool, input: &FleetInput, on_change: &Callback<FleetInput>) -> Html {
    let options = [("off", "no local cluster"), ("on", "these callers")];
    let value = if counts { "on" } else { "off" };
    let input = input.clone();
    let on_value = on_change.reform(move |value: String| FleetInput {
        zone_aware: Some(value == "on"),
        ..input.clone()
    });
    choice(
        "fleet-local",
        "zone-aware routing counts",
        &options,
        value,
        on_value,
    )
}

fn choice(
    id: &'static str,
    label: &'static str,
    options: &[(&str, &str)],
    value: &str,
    on_value: Callback<String>,
) -> Html {
    let options = options.iter();
    let options = options.map(|(value, text)| ((*value).to_owned(), (*text).to_owned()));
    let options: Vec<(String, String)> = options.collect();
    html! {
        <Choice {id} test={id} {label} {options} value={value.to_owned()} {on_value} />
    }
}
