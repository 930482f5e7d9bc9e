//! `spillgate explain`: its arguments, and the answer as text.
//!
//! Each step has its figures and its place in the configuration; every possible outcome follows with its
//! exact share. The answers are those of `spillgate_answers::explain`.

mod args;
mod grpc;
mod log;
mod mesh_host;
mod story;
mod success;

pub(crate) use args::ExplainArgs;

use spillgate_config::{
    Diagnostic, SourceMap,
    envoy::{ConfigPositions, Marks},
    node::Writer,
    steered::steering_configs_with,
};
use spillgate_core::{route::HeaderList, snapshot::Snapshot};
use spillgate_mesh::istio::IstioVersion;

use self::args::ExplainFormat;
use crate::{
    client_args::Client,
    clock::present,
    color::output_style,
    command::{Done, Finished},
    failed::failed_hosts,
    mesh::name_istio_version,
    session_keys::{of_variable, read_keys},
    spec::criteria,
};
use spillgate_answers::{
    access_log::{AccessLogLine, LogFindings},
    explain::{
        AskedRequest, DirectQuestion, ServingRoutes, add_session, decide, grpc_stories,
        listener_target, steered, straight_to, success_of, to_json, undecided,
    },
    input::Faults,
    pick::{GivenConnection, LOCAL, MAXIMUM_ATTEMPT, PickRequest, SOURCE, add_sent},
    steered::{DrawnResult, SteeredInput, SteeredOutcome, SteeringFilters},
    unknown::UnknownClusters,
};

/// Explains one request.
pub(crate) fn run(args: &ExplainArgs) -> Finished {
    if let Some(keys) = &args.keys {
        args.config.check_stdin(keys, "--keys")?;
    }
    let line = args.log.as_deref();
    let line = line.map(|text| log::read(text, args)).transpose()?;
    let mut config = args.config.read_for(&args.mesh, args.client)?;
    args.reported.apply(&mut config)?;
    let keys = args.keys.as_deref().map(read_keys).transpose()?;
    let mut done = Done::default();
    args.since.apply(&mut config, &mut done)?;
    let config = config;
    config.warn(&mut done);
    if args.format != ExplainFormat::Json {
        name_istio_version(&mut done, config.istio_version);
    }
    let mut request = request(args, line.as_ref());
    let target = match &args.cluster {
        Some(name) => {
            let question = DirectQuestion {
                hash_key: args.hash_key.as_deref(),
                session_host: args.session_host.as_deref(),
                strict_session: args.strict_session,
            };
            let criteria = || criteria(&config.envoy.model, args.criteria.as_deref());
            straight_to(name, &question, criteria, &config.envoy, &mut request)?
        }
        None => {
            let of_line = line.as_ref().and_then(|line| line.listener(&config.envoy));
            let (listener, key) = (
                args.listener.as_deref().or(of_line),
                args.hash_key.as_deref(),
            );
            let (target, warning) = listener_target(listener, key, &config.envoy, &mut request)?;
            done.warn(&config, warning.as_slice());
            let of_line = line.as_ref().and_then(AccessLogLine::host_of_request);
            mesh_host::check(&config, &target, args.host.as_deref().or(of_line))?;
            target
        }
    };
    let ServingRoutes {
        routes,
        marks,
        kind,
        chain,
        listener,
        undecided: limit_of_chain,
    } = &target;
    if let Some(line) = &line {
        log::check(line, args, kind)?;
        line.undo_changes(routes, &mut request);
    }
    let mut filters = SteeringFilters::default();
    let mut sessions = SessionTokens::Opened;
    if let Some(chain) = chain {
        let keys = |name: &str| of_variable(keys.as_ref(), name);
        let configs = steering_configs_with(chain, &keys);
        done.warn(&config, &configs.warnings);
        done.warn(&config, &configs.unknown_keys);
        if !configs.unknown_keys.is_empty() {
            sessions = SessionTokens::Unknown;
        }
        filters = SteeringFilters::new(configs, &config.envoy.model);
    }
    let snapshot = Snapshot::build(&config.envoy.model);
    if let Some(value) = &args.session {
        add_session(&mut request, routes, &filters, value).or_else(|fault| match sessions {
            SessionTokens::Opened => Err(fault),
            // A warning has said so.
            SessionTokens::Unknown => Ok(()),
        })?;
    }
    let unknown = UnknownClusters::of(&config.envoy);
    let asked = AskedRequest {
        snapshot: &snapshot,
        routes,
        kind,
        request: &request,
        unknown: &unknown,
        session_host: args.session_host.as_deref(),
        now: args.now.unwrap_or_else(present),
    };
    let headers = HeaderList(&request.headers);
    let passed_on = request.passed_on(&routes.receive(&headers, request.connection(&[])));
    let seed = args.seed.unwrap_or(0);
    let input = SteeredInput {
        headers: HeaderList(&passed_on),
        now: asked.now,
        seed,
        attempt: 0,
        tried: &[],
    };
    let drawn = filters.draw(routes, input).filter(|drawn| match drawn {
        // As without a filter.
        DrawnResult::Undecided(SteeredOutcome::Forward(headers)) => *headers != passed_on,
        _ => true,
    });
    // The places of a filter decision are in the filter's own configuration, which is not quoted.
    let no_marks = Marks::default();
    let marks_of_envoy = &config.envoy.marks;
    let (mut verdict, snapshot, marks_of_clusters) = match &drawn {
        Some(DrawnResult::Decision(drawn)) => (
            steered(&asked, filters, drawn, seed),
            &drawn.snapshot,
            &no_marks,
        ),
        Some(DrawnResult::Undecided(outcome)) => (
            undecided(&asked, filters, outcome, seed),
            &snapshot,
            marks_of_envoy,
        ),
        None => {
            let of_line = line.as_ref().filter(|_| args.seed.is_none());
            let verdict = match of_line.and_then(|line| line.host.as_deref()) {
                Some(host) => log::decide_for(host, &asked),
                None => decide(&asked, seed),
            };
            (verdict, &snapshot, marks_of_envoy)
        }
    };
    let is_steered = drawn.is_some();
    if verdict.is_overruled() {
        done.warn(&config, &[not_used()]);
    }
    verdict.success = match args.failed.as_slice() {
        [] => None,
        _ if verdict.unknown_hosts.is_some() => None,
        _ if is_steered => return Err(not_steered(config.files())),
        failed => {
            let mark = verdict.route.and_then(|route| marks.get(route));
            let failed = failed_hosts(&config.envoy.model, failed)?;
            Some(success_of(&asked, &config.envoy.marks, failed, mark)?)
        }
    };
    let places = ConfigPositions {
        model: &config.envoy.model,
        marks: marks_of_clusters,
        route: verdict.route.and_then(|route| marks.get(route)),
    };
    let limits = config
        .limits()
        .of_request(asked.snapshot, *listener, &verdict.reached);
    let of_success = verdict.success.iter().filter_map(|story| story.limit());
    let of_chain = limit_of_chain.as_deref();
    let limits = limits.with(config.files(), of_success.chain(of_chain));
    let stories = match args.client {
        Client::Envoy => None,
        Client::Grpc | Client::Both => {
            let mark = verdict.route.and_then(|route| marks.get(route));
            grpc::check(args, kind, is_steered, config.files())?;
            let reading = config.grpc_reading()?;
            let about = (&verdict, args.cluster.is_none());
            Some(grpc_stories(
                &config.texts,
                &config.envoy,
                &reading,
                about,
                mark,
            )?)
        }
    };
    let found = line
        .as_ref()
        .map(|line| LogFindings::of(line, &asked, &verdict, is_steered));
    let found = found.as_ref();
    let of_grpc = stories.as_ref();
    done.output = match args.format {
        ExplainFormat::Json => {
            let version = config.istio_version.map(IstioVersion::name);
            let about = (config.files(), &limits, version);
            let log = found.map(|found| |w: &mut Writer| found.write(w));
            let log = log.as_ref().map(|write| write as &dyn Fn(&mut Writer));
            let envoy = to_json(snapshot, &verdict, &places, about, log);
            match (of_grpc, args.client) {
                (None, _) => envoy,
                (Some(stories), Client::Both) => stories.to_json(Some(&envoy), version),
                (Some(stories), _) => stories.to_json(None, version),
            }
        }
        ExplainFormat::Text if args.client == Client::Grpc => {
            of_grpc.map(grpc::text).unwrap_or_default()
        }
        ExplainFormat::Text => {
            let story = story::Story {
                config: &config,
                snapshot,
                places: &places,
                kind,
                style: output_style(),
                limits: &limits,
                log: found,
            };
            let text = story.text_of(asked.request, &verdict);
            match of_grpc {
                None => text,
                Some(stories) => text + "\n" + &grpc::text(stories),
            }
        }
    };
    Ok(done)
}

/// Whether the filter's session tokens can be opened.
enum SessionTokens {
    Opened,
    /// The keys are unknown, so sessions are left out.
    Unknown,
}

/// Envoy does not use the host that the filter chose.
fn not_used() -> Diagnostic {
    let what = "Envoy does not use the host that the Spillgate filter chooses for this request";
    let warning = Diagnostic::warning("explain/choice-not-used", what);
    warning.expected(
        "the wiring that spillgate lint checks (steered-list-unread, steered-cluster-ignored)",
    )
}

/// The retries of a request that a Spillgate filter steers follow the filter's host list.
fn not_steered(files: &SourceMap) -> Faults {
    let what = "--failed: not modeled for requests that a Spillgate filter steers";
    Faults::one(files, &Diagnostic::error("failed/not-modeled", what))
}

/// The request that the options describe, and the line of `--log` where they do not.
fn request(args: &ExplainArgs, line: Option<&AccessLogLine>) -> PickRequest {
    let path = line.and_then(|line| line.path.as_deref());
    let method = line.and_then(|line| line.method.as_deref());
    let host = line.and_then(AccessLogLine::host_of_request);
    let own = [
        (":method", args.method.as_deref().or(method), "GET"),
        (":authority", args.host.as_deref().or(host), "localhost"),
        (":path", args.path.as_deref().or(path), "/"),
    ];
    let mut headers: Vec<(String, String)> = own
        .map(|(name, value, default)| (name.to_owned(), value.unwrap_or(default).to_owned()))
        .into();
    for (name, value) in args.headers.iter().cloned() {
        add_sent(&mut headers, name, value);
    }
    let source = args.source.or_else(|| line?.client());
    let local = args.local.or_else(|| line?.local);
    let sni = args.sni.clone().or_else(|| line?.server_name.clone());
    let attempts = line.and_then(|line| line.attempts);
    let mut request = PickRequest {
        headers,
        source: source.map_or_else(|| SOURCE.to_owned(), |source| source.to_string()),
        local: local.map_or_else(|| LOCAL.to_owned(), |local| local.to_string()),
        attempt: args
            .attempt
            .or_else(|| attempts?.checked_sub(1))
            .unwrap_or(0)
            .min(MAXIMUM_ATTEMPT),
        tried: args.tried.iter().map(ToString::to_string).collect(),
        active: args.active.clone(),
        // The clusters of the configuration have the times of --since-healthy.
        since_healthy: Vec::new(),
        given: GivenConnection {
            source: source.is_some(),
            local: local.is_some(),
            application_protocols: args.alpn.clone(),
            ..GivenConnection::default()
        }
        .with_sni(sni),
    };
    if let Some(line) = line {
        line.add_headers(&mut request);
    }
    request
}
