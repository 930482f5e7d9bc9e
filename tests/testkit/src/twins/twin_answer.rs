//! From a seed to the answers of `split` and `pick`.

use serde_json::Value;
use spillgate_answers::split;
use spillgate_answers::{
    limits::Limits,
    pick::{Answerer, PickRequest},
};
use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Format, ReadOptions, read_with},
    write::{envoy_json, envoy_yaml},
};
use spillgate_core::{
    model::Metadata,
    route::{PathMatch, RouteMatch},
    snapshot::Snapshot,
};

use crate::models::{Dice, Extent, listeners, model};

/// Requests that each listener gets.
const REQUESTS: usize = 4;

/// A random configuration, as YAML or as JSON, is read, written and answered: the split of all its
/// clusters as `split --format json` prints it, and a line of `pick` for each of some requests.
///
/// # Panics
/// When the configuration is refused: it is legal.
#[must_use]
pub fn answer(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let config = config(seed, &mut dice);
    let split = split::split(&config.model, &[], &Metadata::EMPTY).unwrap_or_else(refused);
    let mut answer = split::to_json(&split);
    let snapshot = Snapshot::build(&config.model);
    for listener in &config.listeners {
        let mut answerer = Answerer::new(&snapshot, &listener.routes);
        for i in 0..REQUESTS {
            let picked = answerer.answer(&request(&mut dice));
            answer.push_str(&picked.to_json(&Value::from(i), &Limits::default()));
            answer.push('\n');
        }
    }
    answer
}

fn config(seed: u64, dice: &mut Dice) -> EnvoyConfig {
    let yaml = seed.is_multiple_of(2);
    let extent = Extent {
        any_number: !yaml,
        // An interpreter is slow with larger tables, and larger ones test nothing else.
        largest_table: 1_024,
        ..Extent::all(4)
    };
    let model = model(dice, extent);
    let mut listeners = listeners(dice, &model, extent, spillgate_config::re2::compile);
    // Requests without a route test little: the last route matches all others.
    let tables = listeners.iter_mut().map(|listener| &mut listener.routes);
    for host in tables.flat_map(|table| &mut table.virtual_hosts) {
        if let Some(last) = host.routes.last_mut() {
            last.matcher = RouteMatch::path(PathMatch::Prefix("/".into()));
        }
    }
    let (written, format) = if yaml {
        (envoy_yaml(&model, &listeners), Format::Yaml)
    } else {
        (envoy_json(&model, &listeners), Format::Json)
    };
    let written = written.unwrap_or_else(refused);
    let options = ReadOptions {
        regex: Some(spillgate_config::re2::compile),
        for_grpc: false,
    };
    read_with(&written.text, format, &options).unwrap_or_else(refused)
}

fn refused<T>(faults: Vec<Diagnostic>) -> T {
    panic!("{faults:#?}")
}

/// A request that the routes of the models may match.
fn request(dice: &mut Dice) -> PickRequest {
    let paths = ["/", "/cart", "/api/v1/b", "/a/b/c?shop=prod", "/API/"];
    let values = ["", "shop", "api_v2", "b", "a.org", "017"];
    let named = |name: &str, value: String| (name.to_owned(), value);
    let headers = vec![
        named(":method", dice.one(&["GET", "POST"]).into()),
        named(
            ":authority",
            dice.one(&["shop", "prod:80", "zone.a"]).into(),
        ),
        named(":path", dice.one(&paths).into()),
        named(&dice.header(), dice.one(&values).into()),
        named("cookie", format!("shop={}", dice.one(&values))),
    ];
    PickRequest {
        headers,
        attempt: dice.below(3) as u32,
        ..PickRequest::plain()
    }
}

#[cfg(test)]
mod tests {
    use super::answer;

    /// What is compared must be worth it: shares, hosts that are certain, and draws.
    #[test]
    fn answers_say_much() {
        let answers: Vec<String> = (0..120).map(answer).collect();
        let having = |text| {
            answers
                .iter()
                .filter(|answer| answer.contains(text))
                .count()
        };
        assert!(answers.iter().all(|answer| answer.starts_with("{\n")));
        let counts = ["\"share\"", "\"endpoint\":\"", "\"distribution\""].map(having);
        assert!(counts.iter().all(|count| *count > 25), "{counts:?}");
        assert_eq!(answer(7), answers[7]);
    }
}
