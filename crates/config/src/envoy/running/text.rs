//! The text format of `/clusters`: one value per line, `cluster::address::name::value`.

use alloc::{borrow::Cow, boxed::Box, format, vec::Vec};
use core::str::FromStr;

use spillgate_core::{model::Weight, names::Names};

use super::{
    ClusterStatus, HostStatus,
    flags::read_flags,
    lines::{Figure, Line, begins, double_colon, first_line, name, place, prefix, split},
};
use crate::{
    Diagnostic, Position,
    envoy::assignment::MAXIMUM_PRIORITY,
    node::{check_size, quote},
    proto::Report,
};

/// Values of a host that are read.
#[derive(Clone, Copy)]
enum OfHost {
    RqActive,
    RqTotal,
    CxTotal,
    Hostname,
    HealthFlags,
    Weight,
    Region,
    Zone,
    SubZone,
    Canary,
    Priority,
}

impl OfHost {
    /// The value of that name; many are unused. The first letter and the length distinguish most of
    /// them.
    fn named(name: &str) -> Option<Self> {
        let (figure, whole) = match (name.as_bytes().first()?, name.len()) {
            (b'r', 9) => (Self::RqActive, "rq_active"),
            (b'r', 8) => (Self::RqTotal, "rq_total"),
            (b'c', 8) => (Self::CxTotal, "cx_total"),
            (b'h', 8) => (Self::Hostname, "hostname"),
            (b'h', 12) => (Self::HealthFlags, "health_flags"),
            (b'w', 6) => (Self::Weight, "weight"),
            (b'r', 6) => (Self::Region, "region"),
            (b'z', 4) => (Self::Zone, "zone"),
            (b's', 8) => (Self::SubZone, "sub_zone"),
            (b'c', 6) => (Self::Canary, "canary"),
            (b'p', 8) => (Self::Priority, "priority"),
            _ => return None,
        };
        (name == whole).then_some(figure)
    }
}

/// Whether the first line of a text is one of this format.
#[cfg(feature = "yaml")]
pub(crate) fn is_clusters_text(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().map(str::trim_end);
    let first = lines.find(|line| !line.is_empty());
    first.is_some_and(|line| split(line, None).is_some())
}

/// Reads the text format. It may be abridged, for example by `grep`, if hosts keep their
/// `health_flags`.
///
/// # Errors
/// Every fault in text order.
pub fn read_text(text: &str) -> Result<Vec<ClusterStatus<'_>>, Vec<Diagnostic>> {
    read_with(text, &mut ReportedParts::default(), true, Refuse).map(|(clusters, Refuse)| clusters)
}

/// A complete response of a running Envoy, perhaps of a newer one.
#[derive(Debug)]
pub struct Reported<'a> {
    /// The clusters.
    pub clusters: Vec<ClusterStatus<'a>>,
    /// The first unknown health flag or line.
    pub unknown: Option<Diagnostic>,
}

/// Reads a complete response in text format, as a poller gets it. Unknown lines, if
/// they contain `::`, are skipped. An unknown health flag means an unhealthy host if its name begins with `failed`, a
/// degraded one if it begins with `degraded`, and otherwise has no effect.
///
/// # Errors
/// Every other fault in text order. A response without a line break at its end is incomplete.
///
/// # Examples
/// ```
/// use spillgate_config::clusters::read_reported;
/// use spillgate_core::model::CoarseHealth;
///
/// let reported = read_reported("shop::10.0.0.1:80::health_flags::/failed_new_check\n")?;
/// let health = reported.clusters[0].hosts[0].health;
/// assert_eq!(health.map(|health| health.coarse()), Some(CoarseHealth::Unhealthy));
/// assert!(reported.unknown.is_some());
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_reported(text: &str) -> Result<Reported<'_>, Vec<Diagnostic>> {
    ReportedParts::default().read(text, true)
}

/// A complete response that is read in parts of whole lines, so that it need not fit into memory.
///
/// # Examples
/// ```
/// use spillgate_config::clusters::ReportedParts;
///
/// let mut parts = ReportedParts::default();
/// let part = parts.read("shop::10.0.0.1:80::health_flags::healthy\n", false)?;
/// assert!(part.clusters.is_empty(), "more lines of the host may follow");
/// let part = parts.read("shop::10.0.0.1:80::weight::7\n", true)?;
/// assert_eq!(part.clusters[0].hosts[0].weight.map(|weight| weight.get()), Some(7));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
#[derive(Debug, Default)]
pub struct ReportedParts {
    /// The last cluster with its last host: more lines of both may follow.
    open: Option<ClusterStatus<'static>>,
    /// The [`OfHost`] values of that host, one bit each.
    seen: u16,
    /// The lines so far.
    lines: u32,
}

impl ReportedParts {
    /// Reads the next part. Returns the clusters with the hosts that are complete; the first one may
    /// continue the last one of an earlier part.
    ///
    /// # Errors
    /// Every fault in text order, as in [`read_reported`].
    pub fn read<'a>(
        &mut self,
        text: &'a str,
        is_last: bool,
    ) -> Result<Reported<'a>, Vec<Diagnostic>> {
        if !text.is_empty() && !text.ends_with('\n') {
            let is_break = |byte: &u8| *byte == b'\n';
            let start = text.bytes().rposition(|byte| is_break(&byte));
            let last = text.get(start.map_or(0, |end| end + 1)..);
            let number = 1 + text.as_bytes().iter().filter(|byte| is_break(byte)).count();
            let number = self.lines.saturating_add(number as u32);
            let fault = not_a_line(last.unwrap_or_default(), number)
                .expected("a line break at the end of the response");
            return Err(Vec::from([fault]));
        }
        let (clusters, Tolerate(unknown)) = read_with(text, self, is_last, Tolerate(None))?;
        Ok(Reported { clusters, unknown })
    }

    /// Keeps the last host for the next part.
    fn keep_open(&mut self, clusters: &mut Vec<ClusterStatus<'_>>, seen: u16) {
        let Some(mut last) = clusters.pop() else {
            return;
        };
        self.seen = seen;
        let open = last.hosts.pop().map(HostStatus::into_owned);
        let (hosts, position) = (open.into_iter().collect(), last.position);
        // Only a name with further hosts is copied: it is in the lines of each of them.
        let name = if last.hosts.is_empty() {
            last.name.into_owned()
        } else {
            let name = last.name.as_ref().into();
            clusters.push(last);
            name
        };
        self.open = Some(ClusterStatus {
            name: Cow::Owned(name),
            position,
            hosts,
        });
    }
}

/// The handling of unknown flags and lines.
trait UnknownValues {
    /// Whether the value is skipped; `fault` describes it.
    fn skips(&mut self, fault: impl FnOnce() -> Diagnostic) -> bool;
}

/// Unknown values are errors.
struct Refuse;

impl UnknownValues for Refuse {
    fn skips(&mut self, _: impl FnOnce() -> Diagnostic) -> bool {
        false
    }
}

/// Unknown values are skipped; the first one is kept.
struct Tolerate(Option<Diagnostic>);

impl UnknownValues for Tolerate {
    fn skips(&mut self, fault: impl FnOnce() -> Diagnostic) -> bool {
        self.0.get_or_insert_with(fault);
        true
    }
}

fn read_with<'a, U: UnknownValues>(
    text: &'a str,
    parts: &mut ReportedParts,
    is_last: bool,
    unknown: U,
) -> Result<(Vec<ClusterStatus<'a>>, U), Vec<Diagnostic>> {
    check_size(text.len()).map_err(|fault| Vec::from([fault]))?;
    let mut reader = Reader {
        clusters: parts.open.take().into_iter().collect(),
        names: Names::default(),
        seen: parts.seen,
        prefix: "",
        address: "",
        report: Report::default(),
        unknown,
    };
    let (mut rest, mut number) = (text, parts.lines);
    while !rest.is_empty() {
        number = number.saturating_add(1);
        // Most lines belong to the host of the previous line: their prefix is known and the name of
        // a value follows.
        let known = reader.prefix.len();
        let name = if known > 0 && begins(rest, reader.prefix) {
            rest.get(known..).and_then(name)
        } else {
            None
        };
        let value = name.map_or(0, |name| known + name.len() + "::".len());
        let (line, after) = first_line(rest, value);
        match name {
            Some(name) => reader.known_host(line, number, name, value),
            None => reader.line(line, number),
        }
        rest = after;
    }
    parts.lines = number;
    if !is_last {
        parts.keep_open(&mut reader.clusters, reader.seen);
    } else if reader.clusters.is_empty() {
        let fault = Diagnostic::error("clusters/empty", "input lists no clusters");
        reader.report.push(fault.expected(EXPECTED));
    }
    reader.check();
    let Reader {
        clusters,
        report,
        unknown,
        ..
    } = reader;
    report.finish().map(|_| (clusters, unknown))
}

const EXPECTED: &str = "/clusters lines: cluster::address::name::value";

struct Reader<'a, U> {
    clusters: Vec<ClusterStatus<'a>>,
    names: Names,
    /// The [`OfHost`] values of the last host, one bit each.
    seen: u16,
    /// The prefix of every line of the last host: `cluster::address::`.
    prefix: &'a str,
    /// Its address.
    address: &'a str,
    report: Report,
    unknown: U,
}

impl<'a, U: UnknownValues> Reader<'a, U> {
    /// Reads a line of the last host; its value begins at that index.
    fn known_host(&mut self, line: &'a str, number: u32, name: &str, value: usize) {
        if let (Some(figure), Some(value)) = (OfHost::named(name), line.get(value..)) {
            self.figure(Line { line, number }, self.address, figure, value);
        }
    }

    /// Reads any line.
    fn line(&mut self, line: &'a str, number: u32) {
        if line.trim().is_empty() {
            return;
        }
        let current = self.clusters.last().map(|cluster| cluster.name.as_ref());
        let Some((cluster, figure)) = split(line, current) else {
            let fault = || not_a_line(line, number).expected(EXPECTED);
            // Any other text is not from Envoy.
            if !(double_colon(line).is_some() && self.unknown.skips(fault)) {
                self.report.push(fault());
            }
            return;
        };
        let known = self
            .clusters
            .last()
            .is_some_and(|last| last.name == cluster);
        if !known {
            self.begin(cluster, number);
        }
        if let Figure::OfHost {
            address,
            name,
            value,
        } = figure
        {
            self.prefix = prefix(line, address);
            self.address = address;
            let at = Line { line, number };
            self.host(at, address);
            if let Some(figure) = OfHost::named(name) {
                self.figure(at, address, figure, value);
            }
        }
    }

    fn begin(&mut self, name: &'a str, number: u32) {
        self.prefix = "";
        let position = Position {
            line: number,
            column: 1,
        };
        if !self.names.add(name) {
            let fault = "cluster appears twice; pass one response only";
            let fault = Diagnostic::error("clusters/repeated", fault).at("", position);
            self.report.push(fault.found(quote(name)));
        }
        self.clusters.push(ClusterStatus {
            name: Cow::Borrowed(name),
            position,
            hosts: Vec::new(),
        });
    }

    /// Begins a host unless it is the last one.
    fn host(&mut self, at: Line<'a>, address: &'a str) {
        let hosts = self.clusters.last().map(|cluster| &cluster.hosts);
        let last = hosts.and_then(|hosts| hosts.last());
        if last.is_none_or(|host| host.address != address) {
            self.new_host(at, address);
        }
    }

    fn new_host(&mut self, at: Line<'a>, address: &'a str) {
        if let Some(cluster) = self.clusters.last_mut() {
            let host = HostStatus::new(Cow::Borrowed(address), at.place(address));
            cluster.hosts.push(host);
            self.seen = 0;
        }
    }

    fn figure(&mut self, at: Line<'a>, address: &'a str, figure: OfHost, value: &'a str) {
        let bit = 1 << figure as u16;
        // A static cluster may have an address twice; its values then start again.
        if self.seen & bit != 0 {
            let head = at.line.get(..self.prefix.len().saturating_sub(2));
            let own = head.and_then(|head| head.get(head.len().saturating_sub(address.len())..));
            self.new_host(at, own.unwrap_or(address));
        }
        self.seen |= bit;
        let host = self
            .clusters
            .last_mut()
            .and_then(|cluster| cluster.hosts.last_mut());
        let skips = |name: &str| {
            let fault = || unknown_flag(name).at("", at.place(value));
            self.unknown.skips(fault)
        };
        if let Some(host) = host
            && let Err(fault) = set(host, figure, value, skips)
        {
            self.report.push(fault.at("", at.place(value)));
        }
    }

    /// Reports hosts without health, the reason to read a response.
    fn check(&mut self) {
        if self.report.errors() > 0 {
            return;
        }
        for host in self.clusters.iter().flat_map(|cluster| &cluster.hosts) {
            if host.health.is_none() {
                self.report.push(
                    Diagnostic::error("clusters/no-health", "host without health_flags")
                        .at("", host.position)
                        .found(quote(&host.address))
                        .expected("a health_flags line; is the input truncated?"),
                );
            }
        }
    }
}

fn set<'a>(
    host: &mut HostStatus<'a>,
    figure: OfHost,
    value: &'a str,
    skips_flag: impl FnMut(&str) -> bool,
) -> Result<(), Box<Diagnostic>> {
    match figure {
        OfHost::HealthFlags => match read_flags(value, skips_flag) {
            Ok(health) => host.health = Some(health),
            Err(unknown) => return Err(Box::new(unknown_flag(unknown))),
        },
        OfHost::Hostname => host.hostname = Some(Cow::Borrowed(value)),
        OfHost::Region => host.locality.region = Some(Cow::Borrowed(value)),
        OfHost::Zone => host.locality.zone = Some(Cow::Borrowed(value)),
        OfHost::SubZone => host.locality.sub_zone = Some(Cow::Borrowed(value)),
        OfHost::Canary => host.canary = Some(number(value, "true or false")?),
        // Only a decrease counts, so a faulty value must not fail the whole response.
        OfHost::RqTotal => host.totals.requests = value.parse().unwrap_or(0),
        OfHost::CxTotal => host.totals.connections = value.parse().unwrap_or(0),
        OfHost::RqActive => host.active_requests = Some(number(value, "an integer")?),
        OfHost::Weight => {
            let expected = "an integer from 1 to 4294967295";
            let weight = Weight::new(number(value, expected)?);
            host.weight = Some(weight.ok_or_else(|| bad(value, expected))?);
        }
        OfHost::Priority => {
            let legal = value.parse().ok().filter(|p| *p <= MAXIMUM_PRIORITY);
            let expected = || format!("an integer from 0 to {MAXIMUM_PRIORITY}");
            host.priority = Some(legal.ok_or_else(|| bad(value, &expected()))?);
        }
    }
    Ok(())
}

fn unknown_flag(name: &str) -> Diagnostic {
    Diagnostic::error("clusters/health-flag", "unknown health flag (Envoy 1.40)")
        .found(quote(name))
        .expected("healthy, or flags such as /failed_active_hc")
}

fn not_a_line(line: &str, number: u32) -> Diagnostic {
    Diagnostic::error("clusters/line", "not a line of /clusters")
        .at("", place(number, line, line))
        .found(quote(line))
}

fn number<T: FromStr>(value: &str, expected: &str) -> Result<T, Box<Diagnostic>> {
    value.parse().map_err(|_| bad(value, expected))
}

fn bad(value: &str, expected: &str) -> Box<Diagnostic> {
    let fault = Diagnostic::error("clusters/value", "invalid value");
    Box::new(fault.found(quote(value)).expected(expected))
}
