//! A client that keeps its cookies.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use crate::config::SERVED_HEADER;
use crate::{Client, HttpResponse, eventually};

/// Far more than a change takes.
const LIMIT: Duration = Duration::from_secs(30);
/// New clients for each host that is looked for: one is missed by chance once in many billions.
const LOOKED_AT: usize = 25;

/// One client. It keeps the last value of each cookie that it is given, until a response removes the
/// cookie with `Max-Age=0`, and sends them all.
#[derive(Debug, Clone, Default)]
pub struct Visitor {
    cookies: BTreeMap<String, String>,
}

impl Visitor {
    /// A client that brings this cookie.
    #[must_use]
    pub fn with_cookie(name: &str, value: &str) -> Self {
        Self {
            cookies: BTreeMap::from([(name.to_owned(), value.to_owned())]),
        }
    }

    /// Sends one request, never twice: the address of the host that served it.
    ///
    /// # Errors
    /// When there is no answer, or another than 200 from a host.
    pub fn visit(&mut self, client: &mut Client) -> Result<String> {
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let cookies = cookies.join("; ");
        let header = [("cookie", &*cookies)];
        let headers = if cookies.is_empty() { &[][..] } else { &header };
        let answer = client.once("GET", "/", headers)?;
        self.keep(&answer);
        let host = answer.header(SERVED_HEADER).map(str::to_owned);
        ensure!(answer.status == 200, "{} {}", answer.status, answer.text());
        host.context("the answer names no host")
    }

    /// What it keeps under that name.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Keeps the cookies of an answer.
    pub fn keep(&mut self, answer: &HttpResponse) {
        let set = answer
            .headers
            .iter()
            .filter(|(name, _)| name == "set-cookie");
        for (_, cookie) in set {
            let mut parts = cookie.split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else {
                continue;
            };
            if parts.any(|attribute| attribute.eq_ignore_ascii_case("max-age=0")) {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            };
        }
    }
}

/// New clients that each sent one request, with the hosts that served them.
///
/// # Errors
/// When a request fails.
pub fn begun(client: &mut Client, count: usize) -> Result<(Vec<Visitor>, Vec<String>)> {
    let mut visitors = vec![Visitor::default(); count];
    let hosts = round(client, &mut visitors)?;
    Ok((visitors, hosts))
}

/// A request of each client: the hosts that served them.
///
/// # Errors
/// When one fails.
pub fn round(client: &mut Client, visitors: &mut [Visitor]) -> Result<Vec<String>> {
    let numbered = visitors.iter_mut().enumerate();
    numbered
        .map(|(number, visitor)| {
            let host = visitor.visit(client);
            host.with_context(|| format!("client {number}"))
        })
        .collect()
}

/// Waits until new clients are served by `count` hosts, all of which are `right`.
///
/// # Errors
/// When a request fails, or that takes too long.
pub fn settled(
    client: &mut Client,
    what: &str,
    count: usize,
    right: impl Fn(&str) -> bool,
) -> Result<()> {
    eventually(what, LIMIT, || {
        let (_, hosts) = begun(client, count * LOOKED_AT)?;
        let found: BTreeSet<&str> = hosts.iter().map(String::as_str).collect();
        let all = found.len() == count && found.into_iter().all(&right);
        Ok(all.then_some(()))
    })
}

/// How many clients were served by the same host before and after.
#[must_use]
pub fn kept(before: &[String], after: &[String]) -> usize {
    before.iter().zip(after).filter(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_cookie_counts() {
        let mut visitor = Visitor::with_cookie("a", "1");
        let set = |cookie: &str| HttpResponse {
            status: 200,
            headers: vec![("set-cookie".to_owned(), cookie.to_owned())],
            body: Vec::new(),
        };
        visitor.keep(&set("a=2; Path=/; HttpOnly"));
        visitor.keep(&set("b=\"x=y\""));
        assert_eq!(visitor.cookie("a"), Some("2"));
        assert_eq!(visitor.cookie("b"), Some("\"x=y\""));
        assert_eq!(visitor.cookie("c"), None);
        visitor.keep(&set("a=; Path=/; Max-Age=0; HttpOnly"));
        assert_eq!(visitor.cookie("a"), None);
    }
}
