//! Runs `spillgate pick`: reads CONFIG and REQUESTS and prints one line per row.

use std::path::PathBuf;

use clap::Arg;
use spillgate_answers::{
    explain::{AskedKind, AskedRequest, arithmetic_of},
    input::{Faults, read_text},
    limits::Reached,
    pick::{
        Answerer, CLOSED, CountField, ListenerChains, OwnReply, OwnReplyReason, PickOutput,
        PickRequest, RequestRow, ServingChain, no_chain, read_connections, read_requests,
        redis_tables,
    },
    steered::SteeringFilters,
    unknown::UnknownClusters,
};
use spillgate_config::{
    Diagnostic,
    envoy::{ListenerConfig, ListenerProtocol},
    steered::steering_configs_with,
};
use spillgate_core::{
    model::Model,
    route::{RedisRoutes, RouteTable},
    snapshot::Snapshot,
};

use crate::{
    clock::present,
    command::Done,
    config::{Config, ConfigArgs},
    session_keys::of_variable,
};

/// The options of `spillgate pick`.
#[derive(Debug, clap::Args)]
pub(crate) struct PickArgs {
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Listener that receives the requests: name, address or number [default: the first with
    /// routes].
    #[arg(long, value_name = "NAME")]
    pub(crate) listener: Option<String>,
    /// Add the arithmetic of certain results, as in explain.
    #[arg(long)]
    pub(crate) arithmetic: bool,
}

/// The argument CONFIG, whose last file has the requests: options can be between the two.
pub(crate) fn with_requests(config: Arg) -> Arg {
    config
        .value_names(["CONFIG", "REQUESTS"])
        .num_args(1..)
        .help("CONFIG: files, folders, or `-` for standard input; last, REQUESTS: one JSON object per line")
}

/// CONFIG and REQUESTS.
fn files(args: &ConfigArgs) -> Result<(ConfigArgs, PathBuf), Faults> {
    let fault = |message, expected: &str| {
        let fault = Diagnostic::error("input/requests", message).expected(expected);
        Faults::one("pick", &fault)
    };
    let mut config = args.clone();
    let requests = config.config.pop();
    match (requests, config.config.is_empty(), &config.admin.url) {
        (Some(requests), false, None) | (Some(requests), true, Some(_)) => Ok((config, requests)),
        (_, true, _) => Err(fault(
            "no file with requests",
            "REQUESTS after CONFIG, or `-` for standard input",
        )),
        (_, false, _) => Err(fault(
            "files of a configuration and a running Envoy",
            "CONFIG or --admin, then REQUESTS",
        )),
    }
}

/// Answers every row of the requests with the routes of a listener, one JSON object per line.
///
/// # Errors
/// Every error of both files, and an unknown listener.
pub(crate) fn run(args: &PickArgs) -> Result<Done, Faults> {
    let (config, requests) = files(&args.config)?;
    config.check_stdin(&requests, "REQUESTS")?;
    let config = config.read();
    let listener = args.listener.as_deref();
    let chains = config.as_ref().ok().map(|config| chains(config, listener));
    let is_http = match &chains {
        Some(Ok((chains, _))) => chains.is_http(),
        _ => true,
    };
    let rows = read_text(&requests).and_then(|text| {
        let rows = if is_http {
            read_requests(&text.text, "localhost", CountField::Rejected)
        } else {
            read_connections(&text.text)
        };
        match rows {
            Ok(list) => Ok((text, list)),
            Err(faults) => Err(Faults::all(&text, &faults)),
        }
    });
    // The errors of both files are shown at once.
    let (config, chains, (text, list)) = match (&config, chains, rows) {
        (Ok(config), Some(chains), Ok(rows)) => (config, chains, rows),
        (config, _, rows) => {
            let mut faults = Faults::default();
            faults.extend(config.as_ref().err().cloned().unwrap_or_default());
            faults.extend(rows.err().unwrap_or_default());
            return Err(faults);
        }
    };
    let mut done = Done::default();
    config.warn(&mut done);
    done.warn(&text, &list.warnings);
    let (chains, warning) = chains?;
    done.warn(config, warning.as_slice());

    let snapshot = Snapshot::build(&config.envoy.model);
    let tables = chains.all().map(ChainTables::of).collect::<Vec<_>>();
    let mut answerers = Vec::new();
    for tables in &tables {
        answerers.push(ChainAnswerers::new(config, tables, &snapshot, &mut done));
    }
    let limits = config.limits();
    for row in &list.rows {
        let mut row = row.clone();
        let mut undecided = None;
        let mut arithmetic = Vec::new();
        let answer = match chains.serving(&mut row.request) {
            ServingChain::NoMatch => (
                None,
                closed(OwnReplyReason::NoFilterChain),
                Reached::default(),
            ),
            ServingChain::Chain(at, chain, limit) => {
                undecided = limit;
                let mut answerers = answerers.iter_mut();
                let answerer = answerers.find(|one| core::ptr::eq(one.tables.chain, chain));
                match answerer {
                    Some(answerer) => {
                        let (answer, reached) = answerer.answer(&row);
                        if args.arithmetic && answer.is_certain() {
                            arithmetic = answerer.arithmetic(&row);
                        }
                        (Some(at), answer, reached)
                    }
                    None => (
                        None,
                        closed(OwnReplyReason::NoFilterChain),
                        Reached::default(),
                    ),
                }
            }
        };
        let (listener, answer, reached) = answer;
        let limits = limits
            .of_request(&snapshot, listener, &reached)
            .with(config.files(), undecided.as_deref());
        done.output.push_str(&answer.to_json_with(
            &row.i,
            &arithmetic,
            &reached.depends_on(),
            &limits,
        ));
        done.output.push('\n');
    }
    Ok(done)
}

/// The filter chains of the listener.
fn chains<'c>(
    config: &'c Config,
    name: Option<&str>,
) -> Result<(ListenerChains<'c>, Option<Diagnostic>), Faults> {
    ListenerChains::find(&config.envoy, name).map_err(|fault| no_chain(&config.envoy, &fault))
}

/// No filter chain or no route serves the connection.
fn closed(reason: OwnReplyReason) -> PickOutput {
    PickOutput::NoHost {
        status: CLOSED,
        cluster: None,
        replies: vec![OwnReply::to_all(CLOSED, reason)],
    }
}

/// A filter chain with its routes; a Redis proxy has a table for each cluster.
struct ChainTables<'c> {
    chain: &'c ListenerConfig,
    redis: Vec<(&'c str, RouteTable)>,
}

impl<'c> ChainTables<'c> {
    fn of(chain: &'c ListenerConfig) -> Self {
        let redis = match &chain.protocol {
            ListenerProtocol::Redis(routes) => redis_tables(routes),
            _ => Vec::new(),
        };
        Self { chain, redis }
    }
}

/// A filter chain with an answerer for each of its tables.
struct ChainAnswerers<'c> {
    tables: &'c ChainTables<'c>,
    snapshot: &'c Snapshot,
    unknown: UnknownClusters,
    is_steered: bool,
    routes: Answerer<'c>,
    redis: Vec<(&'c str, Answerer<'c>)>,
}

impl<'c> ChainAnswerers<'c> {
    fn new(
        config: &Config,
        tables: &'c ChainTables<'c>,
        snapshot: &'c Snapshot,
        done: &mut Done,
    ) -> Self {
        let filters = filters(config, tables.chain, &config.envoy.model, done);
        let redis = tables.redis.iter();
        let unknown = UnknownClusters::of(&config.envoy);
        Self {
            tables,
            snapshot,
            unknown: unknown.clone(),
            is_steered: !filters.is_empty(),
            routes: Answerer::new(snapshot, &tables.chain.routes)
                .at(present())
                .without_hosts_of(unknown.clone())
                .steered_by(filters),
            redis: redis
                .map(|(name, table)| {
                    let answerer = Answerer::new(snapshot, table);
                    (*name, answerer.without_hosts_of(unknown.clone()))
                })
                .collect(),
        }
    }

    /// How the numbers of a row lead to its result. Empty where more than the row and Envoy's routes decides: the
    /// Spillgate filter, or what a client keeps.
    fn arithmetic(&self, row: &RequestRow) -> Vec<String> {
        let chain = self.tables.chain;
        let kind = match &chain.protocol {
            ListenerProtocol::Http => AskedKind::Request,
            ListenerProtocol::Tcp => AskedKind::Connection,
            ListenerProtocol::Udp => AskedKind::Session,
            ListenerProtocol::Redis(_) | ListenerProtocol::Unknown => return Vec::new(),
        };
        if self.is_steered || row.session.is_some() {
            return Vec::new();
        }
        arithmetic_of(&AskedRequest {
            snapshot: self.snapshot,
            routes: &chain.routes,
            kind: &kind,
            request: &row.request,
            unknown: &self.unknown,
            session_host: None,
            now: present(),
        })
    }

    /// The answer to a row, and what the row reached.
    fn answer(&mut self, row: &RequestRow) -> (PickOutput, Reached) {
        let answer = match &self.tables.chain.protocol {
            ListenerProtocol::Http => self.routes.answer_row(row),
            ListenerProtocol::Tcp | ListenerProtocol::Udp => {
                self.routes.answer_row(row).of_connection()
            }
            ListenerProtocol::Redis(routes) => return self.answer_key(routes, &row.request),
            ListenerProtocol::Unknown => {
                let unknown = PickOutput::Unknown {
                    route: String::new(),
                    why: "network filter",
                    cluster: None,
                };
                return (unknown, Reached::default());
            }
        };
        (answer, self.routes.reached().clone())
    }

    fn answer_key(&mut self, routes: &RedisRoutes, request: &PickRequest) -> (PickOutput, Reached) {
        let no_route = || (closed(OwnReplyReason::NoRoute), Reached::default());
        let key = request.given.key.as_deref().unwrap_or_default();
        let Some(target) = routes.target(key.as_bytes()) else {
            return no_route();
        };
        let mut request = request.clone();
        request.given.key_hash = Some(target.hash);
        let mut redis = self.redis.iter_mut();
        let found = redis.find(|(name, _)| *name == target.cluster);
        found.map_or_else(no_route, |(_, answerer)| {
            let answer = answerer.answer(&request).of_connection();
            (answer, answerer.reached().clone())
        })
    }
}

/// The Spillgate filters of a chain.
fn filters(
    config: &Config,
    chain: &ListenerConfig,
    model: &Model,
    done: &mut Done,
) -> SteeringFilters {
    let configs = steering_configs_with(chain, &|name| of_variable(None, name));
    done.warn(config, &configs.warnings);
    done.warn(config, &configs.unknown_keys);
    SteeringFilters::new(configs, model)
}
