//! The comparison.

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use spillgate_testkit::{Client, Port};

use super::configuration::{Numbers, vary};
use super::field::{IgnoredField, read, settable};
use super::outcome::AblationOutcome;
use super::requests::request;
use crate::{Envoy, Workdir, eventually};

/// How much is compared.
#[derive(Debug, Clone, Copy)]
pub struct AblationOptions {
    /// The number of random configurations; each field is set once in each.
    pub configurations: usize,
    /// The number of fields that are set at a time.
    pub fields_at_a_time: usize,
    /// The number of requests to each Envoy.
    pub requests: usize,
    /// The seed of configurations and requests.
    pub seed: u64,
}

/// The result.
#[derive(Debug)]
pub struct Ablation {
    /// The number of fields that were set.
    pub fields: usize,
    /// The number of requests to Envoys with fields.
    pub requests: usize,
    /// Fields that change a choice, with the first request that shows it.
    pub differences: Vec<String>,
    /// The number of choices of random policies with fields.
    pub random_choices: u64,
    /// Of each cluster with random choices, the probability of its shares if the fields change nothing.
    pub probabilities: Vec<(String, f64)>,
    /// Whether a removed request header changed choices, as it must.
    pub detects: bool,
}

/// What all Envoys of a comparison share. Hash policies read the addresses of hosts, so their port stays.
struct Stage<'w> {
    workdir: &'w Workdir,
    listener: Port,
    hosts: Port,
    free: Port,
    options: AblationOptions,
}

/// From start to the end of an Envoy that was asked to end.
const ENDS: Duration = Duration::from_secs(30);

impl Ablation {
    /// Compares Envoys with and without the fields.
    ///
    /// # Errors
    /// When Envoy refuses a value, or a request is lost.
    pub fn run(workdir: &Workdir, options: AblationOptions) -> Result<Self> {
        let stage = Stage {
            workdir,
            listener: Port::lease()?,
            hosts: Port::lease()?,
            free: Port::lease()?,
            options,
        };
        let mut fields = settable(|text| stage.filled(text))?;
        let (mut without, mut with) = (AblationOutcome::default(), AblationOutcome::default());
        let mut result = Self {
            fields: fields.len(),
            requests: 0,
            differences: Vec::new(),
            random_choices: 0,
            probabilities: Vec::new(),
            detects: false,
        };
        for round in 0..options.configurations {
            let seed = options.seed.wrapping_add(round as u64);
            let plain = stage.outcome(seed, &[], |_| ())?;
            shuffle(&mut fields, &mut Numbers(seed));
            for group in fields.chunks(options.fields_at_a_time) {
                let group: Vec<&IgnoredField> = group.iter().collect();
                let outcome = stage.outcome(seed, &group, |_| ())?;
                result.requests += outcome.requests();
                without.add_random(&plain);
                with.add_random(&outcome);
                if outcome.certain != plain.certain {
                    stage.find(seed, &group, &plain, &mut result.differences)?;
                }
            }
            if round == 0 {
                let changed = stage.outcome(seed, &[], remove_user)?;
                result.detects = changed.certain != plain.certain;
            }
        }
        result.random_choices = with.random_choices();
        result.probabilities = with.probabilities(&without)?;
        Ok(result)
    }
}

/// A setting that changes choices: hash policies read the header.
fn remove_user(configuration: &mut Value) {
    let routes = &mut configuration["static_resources"]["listeners"][1]["filter_chains"][0];
    let routes = &mut routes["filters"][0]["typed_config"]["route_config"];
    routes["request_headers_to_remove"] = json!(["x-user"]);
}

fn shuffle(fields: &mut [IgnoredField], numbers: &mut Numbers) {
    for last in (1..fields.len()).rev() {
        fields.swap(last, numbers.below(last as u64 + 1) as usize);
    }
}

impl Stage<'_> {
    /// A text with ports and folder in place of their names.
    fn filled(&self, text: &str) -> String {
        let folder = self.workdir.path().display().to_string();
        let mut text = text.replace("FOLDER", &folder);
        for (name, port) in [
            ("\"LISTENER_PORT\"", &self.listener),
            ("\"HOST_PORT\"", &self.hosts),
            ("\"FREE_PORT\"", &self.free),
        ] {
            text = text.replace(name, &port.number().to_string());
        }
        text
    }

    /// What an Envoy with these fields does in a random configuration.
    fn outcome(
        &self,
        seed: u64,
        fields: &[&IgnoredField],
        change: impl FnOnce(&mut Value),
    ) -> Result<AblationOutcome> {
        let names = || fields.iter().map(|field| field.full_name());
        let names = || names().collect::<Vec<_>>().join(", ");
        let mut numbers = Numbers(seed);
        let mut configuration: Value = serde_json::from_str(&self.filled(&read("ablation.json")?))?;
        vary(&mut configuration, &mut numbers);
        for field in fields {
            field.set(&mut configuration)?;
        }
        change(&mut configuration);
        let logs = ["access", "access.up"].map(|name| self.workdir.path().join(name));
        for log in &logs {
            if log.exists() {
                fs::remove_file(log)?;
            }
        }
        let mut admin_port = 0;
        let mut envoy = Envoy::start_with(self.workdir, |node, admin| {
            admin_port = admin;
            configuration["node"]["id"] = json!(node);
            configuration["admin"] = json!({"address": {"socket_address": {
                "address": "127.0.0.1", "port_value": admin
            }}});
            Ok(configuration.to_string())
        })
        .with_context(|| format!("with {}", names()))?;
        let mut client = Client::new(self.listener.local());
        for number in 0..self.options.requests {
            let request = request(number, self.hosts.number(), &mut numbers);
            let headers = request
                .headers
                .iter()
                .map(|(name, value)| (*name, &**value));
            let headers: Vec<(&str, &str)> = headers.collect();
            client
                .get(&request.path, &headers)
                .with_context(|| format!("with {}", names()))?;
        }
        drop(client);
        // It writes the access logs completely before it ends.
        let admin = SocketAddr::from(([127, 0, 0, 1], admin_port));
        Client::new(admin).send("POST", "/quitquitquit", &[], b"")?;
        eventually("Envoy ends", ENDS, || Ok((!envoy.is_alive()).then_some(())))?;
        let [gateway, hosts] = logs.map(fs::read_to_string);
        let outcome = AblationOutcome::of(&gateway?, &hosts?)?;
        ensure!(
            outcome.requests() == self.options.requests,
            "{} of {} requests are in the log, with {}",
            outcome.requests(),
            self.options.requests,
            names()
        );
        Ok(outcome)
    }

    /// Adds those of the fields that change a choice on their own.
    fn find(
        &self,
        seed: u64,
        fields: &[&IgnoredField],
        plain: &AblationOutcome,
        found: &mut Vec<String>,
    ) -> Result<()> {
        let outcome = self.outcome(seed, fields, |_| ())?;
        let mut rows = plain.certain.iter().zip(&outcome.certain);
        let Some((before, after)) = rows.find(|(before, after)| before != after) else {
            return Ok(());
        };
        if let [field] = fields {
            let name = field.full_name();
            found.push(format!("seed {seed}: {name}: {before:?} becomes {after:?}"));
            return Ok(());
        }
        let known = found.len();
        let (first, second) = fields.split_at(fields.len() / 2);
        self.find(seed, first, plain, found)?;
        self.find(seed, second, plain, found)?;
        if found.len() == known {
            let names: Vec<String> = fields.iter().map(|field| field.full_name()).collect();
            found.push(format!("seed {seed}: only together: {}", names.join(", ")));
        }
        Ok(())
    }
}
