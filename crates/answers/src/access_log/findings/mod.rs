//! A line compared with the answer for a configuration: what its flags mean there, whether its host is possible,
//! and what can cause a difference.

use spillgate_config::node::Writer;
use spillgate_core::{
    route::{Route, RouteAction},
    visible::visible,
};

use super::{
    AccessLogLine, ResponseFlag,
    request::{omitted, rewrites_host},
};
use crate::{
    explain::{AskedRequest, RequestVerdict},
    pick::OwnReplyReason,
};

mod flag;
mod host;

/// The comparison of a line.
#[derive(Debug)]
pub struct LogFindings<'l> {
    /// The line.
    pub line: &'l AccessLogLine,
    /// Its flags, and what each means for this configuration.
    pub flags: Vec<(&'static ResponseFlag, Vec<String>)>,
    /// The share of such requests that the configuration sends to the host of the line, or answers as the line
    /// says, in percent; `None` if it is unknown.
    pub share: Option<f64>,
    /// Where the line differs from the configuration.
    pub differs: Vec<String>,
    /// What can cause a difference.
    pub causes: Vec<String>,
}

/// A line, the question that it asks, and the answer.
struct Compared<'c, 'a> {
    line: &'c AccessLogLine,
    asked: &'c AskedRequest<'a>,
    verdict: &'c RequestVerdict<'a>,
    /// Whether a Spillgate filter decides.
    is_steered: bool,
}

impl<'l> LogFindings<'l> {
    /// Compares a line with the answer to its request.
    #[must_use]
    pub fn of(
        line: &'l AccessLogLine,
        asked: &AskedRequest<'_>,
        verdict: &RequestVerdict<'_>,
        is_steered: bool,
    ) -> Self {
        let compared = Compared {
            line,
            asked,
            verdict,
            is_steered,
        };
        let mut found = Self {
            line,
            flags: Vec::new(),
            share: None,
            differs: Vec::new(),
            causes: Vec::new(),
        };
        if verdict.is_unknown {
            let why = match &verdict.unknown_hosts {
                Some(cluster) => format!("cluster {cluster}: {}", verdict.why_unknown),
                None => verdict.why_unknown.to_owned(),
            };
            found
                .causes
                .push(format!("the possible hosts are unknown: {why}"));
        }
        for flag in &line.flags {
            let here = compared.flag(flag, &mut found.differs);
            found.flags.push((flag, here));
        }
        if !verdict.is_unknown {
            found.share = compared.share(&mut found.differs);
        }
        compared.cluster(&mut found.differs);
        compared.route(&mut found.differs);
        compared.causes(&mut found);
        found
    }

    /// What the line states, in words.
    #[must_use]
    pub fn stated(&self) -> String {
        let flags: Vec<&str> = self.line.flags.iter().map(|flag| flag.name).collect();
        let mut text = match self.line.status {
            Some(status) => status.to_string(),
            None => "no response".to_owned(),
        };
        if !flags.is_empty() {
            text.push_str(&format!(" {}", flags.join(",")));
        }
        match &self.line.host {
            Some(host) => text.push_str(&format!(" from {host}")),
            None => text.push_str(" without a host"),
        }
        visible(&text).into_owned()
    }

    /// Writes the key `log` and its value.
    pub fn write(&self, w: &mut Writer) {
        let texts = |w: &mut Writer, key: &str, texts: &[String]| {
            w.key(key);
            w.begin_list();
            for text in texts {
                w.string(text);
            }
            w.end_list();
        };
        w.key("log");
        w.begin_object();
        w.key("format");
        w.string(self.line.format.name());
        w.key("status");
        match self.line.status {
            Some(status) => w.uint(status.into()),
            None => w.null(),
        }
        w.key("endpoint");
        match &self.line.host {
            Some(host) => w.string(host),
            None => w.null(),
        }
        w.key("flags");
        w.begin_list();
        for (flag, here) in &self.flags {
            w.begin_object();
            w.key("flag");
            w.string(flag.name);
            w.key("meaning");
            w.string(flag.meaning);
            texts(w, "here", here);
            w.end_object();
        }
        w.end_list();
        w.key("share");
        match self.share {
            Some(share) => w.uint((share * 100.0).round() as u64),
            None => w.null(),
        }
        texts(w, "differs", &self.differs);
        texts(w, "causes", &self.causes);
        w.end_object();
    }
}

/// The sum of shares; 0 without any.
fn total(shares: impl Iterator<Item = f64>) -> f64 {
    shares.fold(0.0, |sum, share| sum + share)
}

impl Compared<'_, '_> {
    /// The share of requests that Envoy answers itself for a reason, in percent.
    fn replies(&self, reason: OwnReplyReason) -> f64 {
        let replies = self.verdict.replies.iter();
        let of_reason = replies.filter(|reply| reply.reason == reason);
        total(of_reason.map(|reply| reply.share))
    }

    /// The routes that such requests can match.
    fn matched(&self) -> impl Iterator<Item = &Route> {
        let hosts = self.asked.routes.virtual_hosts.iter();
        let routes = hosts.flat_map(|host| &host.routes);
        routes.filter(|route| self.verdict.reached.routes.contains(&route.id))
    }

    /// The number of retries of the matched route.
    fn retries(&self) -> u32 {
        let forward = self.matched().find_map(|route| match &route.action {
            RouteAction::Forward(forward) => Some(forward),
            _ => None,
        });
        forward.map_or(0, |forward| forward.retry.retries)
    }

    /// What can cause the differences, and what decides in addition.
    fn causes(&self, found: &mut LogFindings<'_>) {
        let reached = &self.verdict.reached.routes;
        let omitted = omitted(self.asked.routes, reached, self.asked.request);
        if !omitted.is_empty() {
            found.causes.push(format!(
                "headers that routes or policies read and the line omits; state them with --header: {}",
                omitted.join(", ")
            ));
        }
        if rewrites_host(self.asked.routes) && self.line.original_host.is_none() {
            let what = "a route rewrites the host, and lines have it after that; state the host before it with --host";
            found.causes.push(what.to_owned());
        }
        if found.differs.is_empty() {
            return;
        }
        if self.retries() > 0 && self.line.host.is_some() && self.asked.request.attempts() == 0 {
            found.causes.push(format!(
                "the route retries, and the line has the host of the last attempt; state it with --attempt and --tried (at most {})",
                self.retries()
            ));
        }
        let what = "other hosts or health at the time of the line; state the /clusters output of that time with --health";
        found.causes.push(what.to_owned());
        found
            .causes
            .push("another version of the configuration at that time".to_owned());
    }
}
