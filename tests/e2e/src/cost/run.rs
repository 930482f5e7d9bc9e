//! The rounds.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use spillgate_config::filter::FilterForm;
use spillgate_core::draw::{Draw as _, SplitMix64};

use super::CostSettings;
use super::modules::ModuleTask;
use super::sample::{Driver, cpu_time};
use super::summary::{FilterCost, median};
use super::variants::{
    BEGINS, Clusters, REPEATED, USERS, Variant, bootstrap, requests, session_of,
};
use crate::config::SERVED_HEADER;
use crate::{Client, Envoy, Port, Upstream, Workdir};

/// What our filter counts each session as that stays where it is.
const KEPT: &str = "spillgate.sessions.kept";
/// The variants with sessions.
const SESSIONS: [Variant; 3] = [
    Variant::Native,
    Variant::Sessions,
    Variant::Module(ModuleTask::Session),
];
/// Requests to each listener before anything counts: connections are made, code is compiled.
const WARM_UP: usize = 4_000;

/// Sends requests to one variant for a profiler, which observes the Envoy with the printed id.
///
/// # Errors
/// When there is no variant of that name, Envoy does not start, or a request is not answered with
/// 200.
pub fn drive(name: &str, requests_sent: usize) -> Result<()> {
    let named = |variant: &Variant| variant.name() == name;
    let wanted = Variant::measured(false)
        .into_iter()
        .find(named)
        .with_context(|| format!("unknown variant `{name}`"))?;
    let mut variants = SESSIONS.to_vec();
    if !variants.contains(&wanted) {
        variants.push(wanted);
    }
    let stage = Stage::start(&variants)?;
    let mut listeners = stage.listeners.iter();
    let found = listeners.find(|(variant, _)| *variant == wanted);
    let (_, port) = found.context("no listener")?;
    let mut driver = Driver::connect(port.local())?;
    driver.drive(&stage.requests, WARM_UP)?;
    println!("{}", stage.envoy.id());
    let before = cpu_time(stage.envoy.id())?;
    driver.drive(&stage.requests, requests_sent)?;
    let spent = cpu_time(stage.envoy.id())? - before;
    println!("{:.2} us", spent as f64 / 1e3 / requests_sent as f64);
    Ok(())
}

/// One Envoy with a listener for each variant, and the requests to them.
pub(super) struct Stage {
    pub(super) listeners: Vec<(Variant, Port)>,
    pub(super) requests: Vec<Vec<u8>>,
    pub(super) envoy: Envoy,
    _hosts: Vec<Upstream>,
    _workdir: Workdir,
}

impl Stage {
    pub(super) fn start(variants: &[Variant]) -> Result<Self> {
        let workdir = Workdir::in_form("filter_cost", FilterForm::DynamicModule)?;
        let hosts = Port::lease()?;
        let clusters = Clusters::new(hosts.number())?;
        let serving = clusters
            .hosts()
            .map(|host| Upstream::open(&host))
            .collect::<Result<Vec<_>>>()?;
        let listeners = variants
            .iter()
            .map(|variant| Ok((*variant, Port::lease()?)))
            .collect::<Result<Vec<_>>>()?;
        let envoy = Envoy::start(&workdir, &bootstrap(&workdir, &clusters, &listeners)?)?;
        Ok(Self {
            requests: requests(&clusters, &begun_sessions(&listeners)?),
            listeners,
            envoy,
            _hosts: serving,
            _workdir: workdir,
        })
    }
}

/// Measures all variants.
///
/// # Errors
/// When Envoy does not start, a request is not answered with 200, or nothing follows from the
/// noise.
pub fn run(settings: &CostSettings) -> Result<Vec<FilterCost>> {
    let measured = Variant::measured(settings.hostcalls);
    let variants = std::iter::once(Variant::Nothing).chain(measured.iter().copied());
    let Stage {
        listeners,
        requests,
        envoy,
        _hosts,
        _workdir,
    } = Stage::start(&variants.collect::<Vec<_>>())?;
    let mut drivers = listeners
        .iter()
        .map(|(_, port)| Driver::connect(port.local()))
        .collect::<Result<Vec<_>>>()?;
    for ((variant, _), driver) in listeners.iter().zip(&mut drivers) {
        driver
            .drive(&requests, WARM_UP)
            .with_context(|| variant.name())?;
    }
    // Microseconds a request of the listener of that place.
    let mut sample = |place: usize| -> Result<f64> {
        let before = cpu_time(envoy.id())?;
        drivers[place].drive(&requests, settings.requests)?;
        let spent = cpu_time(envoy.id())? - before;
        Ok(spent as f64 / 1e3 / settings.requests as f64)
    };
    let mut added = vec![Vec::new(); measured.len()];
    let mut without = Vec::new();
    let mut draw = SplitMix64::new(1);
    for _ in 0..settings.rounds {
        let mut round = vec![Vec::new(); measured.len()];
        let mut before = sample(0)?;
        for index in shuffled(measured.len() * settings.samples, &mut draw) {
            let variant = index % measured.len();
            let between = sample(variant + 1)?;
            let after = sample(0)?;
            round[variant].push(between - f64::midpoint(before, after));
            without.push(after);
            before = after;
        }
        for (added, mut samples) in added.iter_mut().zip(round) {
            samples.sort_by(f64::total_cmp);
            added.push(median(&samples));
        }
    }
    // Every request to the listeners with our sessions brought a good one. Both forms count.
    let kept = envoy.total(KEPT)?;
    let sent = 2 * (WARM_UP + settings.rounds * settings.samples * settings.requests);
    ensure!(
        kept == sent as u64,
        "{kept} of {sent} requests kept their session"
    );
    rows(&measured, added, without)
}

/// What the samples come to: ratios to a filter that does nothing and to the native chain, and
/// hostcalls one by one.
fn rows(measured: &[Variant], added: Vec<Vec<f64>>, without: Vec<f64>) -> Result<Vec<FilterCost>> {
    let mut rows = vec![FilterCost::new(Variant::Nothing.name(), without)];
    let mut samples: Vec<(Variant, Vec<f64>)> = measured.iter().copied().zip(added).collect();
    let middle = |variant: Variant, samples: &[(Variant, Vec<f64>)]| {
        let found = samples.iter().find(|(of, _)| *of == variant);
        found.map_or(f64::NAN, |(_, of)| FilterCost::new("", of.clone()).median)
    };
    let peers = [Variant::Native, Variant::Subset].map(|peer| (peer, middle(peer, &samples)));
    let idle = middle(Variant::Idle, &samples);
    ensure!(
        idle > 0.0,
        "a filter that does nothing costs {idle:.1} us: this machine is too busy to measure anything"
    );
    for (variant, samples) in &mut samples {
        if let Variant::Calls(_) = variant {
            for sample in samples.iter_mut() {
                *sample = (*sample - idle) / f64::from(REPEATED);
            }
        }
        let mut row = FilterCost::new(variant.name(), std::mem::take(samples));
        match variant {
            Variant::Calls(_) => row.hostcall = true,
            Variant::Control => {}
            _ => {
                row.ratio = Some(row.median / idle);
                let peer = variant.native_peer();
                let native = peers
                    .iter()
                    .find(|(known, _)| *known == peer)
                    .map_or(f64::NAN, |(_, median)| *median);
                // On a busy machine, the native chain's own cost is lost in the noise.
                row.native_ratio = (native > 0.0).then(|| row.median / native);
                row.limit = variant.limit();
                if let Variant::Module(task) = variant {
                    // Its limits are those to the native chain.
                    (row.ratio, row.limit) = (row.native_ratio, Some(task.most_time()));
                }
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Sessions of the native chain and of both forms of our filter, one per user, spread over all
/// hosts; and with them a check that every listener serves.
pub(super) fn begun_sessions(listeners: &[(Variant, Port)]) -> Result<Vec<[String; 3]>> {
    let mut begun: [Vec<String>; 3] = Default::default();
    for (variant, port) in listeners {
        let mut client = Client::new(port.local());
        for _ in 0..USERS {
            let answer = client.get("/", &BEGINS)?;
            ensure!(
                answer.status == 200 && answer.header(SERVED_HEADER).is_some(),
                "{}: {} {}",
                variant.name(),
                answer.status,
                answer.text()
            );
            let Some(kind) = SESSIONS.iter().position(|one| one == variant) else {
                continue;
            };
            let cookie = answer.header("set-cookie").context("no session began")?;
            begun[kind].push(session_of(cookie)?);
        }
    }
    let hosts: BTreeSet<&String> = begun[0].iter().collect();
    ensure!(hosts.len() > 1, "all sessions are at one host: {hosts:?}");
    let of_user = |user: usize| {
        let session = |all: &Vec<String>| all.get(user).cloned().unwrap_or_default();
        begun.each_ref().map(session)
    };
    Ok((0..USERS).map(of_user).collect())
}

/// The numbers below `count` in a random order.
pub(super) fn shuffled(count: usize, draw: &mut SplitMix64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let other = (draw.draw() % (last as u64 + 1)) as usize;
        order.swap(last, other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_every_number_once() {
        let mut order = shuffled(20, &mut SplitMix64::new(3));
        assert_ne!(order, (0..20).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn ours_is_held_against_others() -> Result<()> {
        let measured = [Variant::Native, Variant::Idle, Variant::Ours];
        let added = vec![vec![10.0], vec![5.0], vec![14.0]];
        let rows = rows(&measured, added, vec![60.0])?;
        assert_eq!(rows[3].ratio, Some(2.8));
        assert_eq!(rows[3].native_ratio, Some(1.4));
        assert_eq!((rows[3].limit, rows[2].limit), (Some(2.8), None));
        assert_eq!(rows[0].ratio, None);
        Ok(())
    }
}
