//! Clients, what they keep and what they send.

use alloc::{string::String, vec::Vec};

use super::Answer;

/// A client with one cookie.
#[derive(Debug, Clone, Default)]
pub(super) struct Client {
    /// The token that it was given last.
    pub(super) jar: Option<Kept>,
    /// The hosts that its session has left.
    pub(super) left: Vec<usize>,
}

impl Client {
    /// Keeps the token of an answer; `before` is the truth of its own token, if that was good. A client
    /// whose session is lost begins another one.
    pub(super) fn keep(&mut self, answer: &Answer, token: Option<Kept>, before: Option<&Issued>) {
        match (before, answer.host) {
            (Some(before), Some(host)) if before.host != host => {
                self.left.retain(|&left| left != host);
                self.left.push(before.host);
            }
            (None, Some(_)) => self.left.clear(),
            _ => {}
        }
        if token.is_some() || answer.lost {
            self.jar = token;
        }
    }
}

/// A token and what is true of it.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) text: String,
    pub(super) truth: Issued,
}

/// What a token says, written down when it was issued: checks do not open tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Issued {
    /// Whose it is.
    pub(super) client: usize,
    /// The number of the host.
    pub(super) host: usize,
    /// The number of the key that sealed it.
    pub(super) key: u8,
    /// When the session began and when the token ends, by the clocks of the gateways that said so.
    pub(super) began: u64,
    pub(super) ends: u64,
}

/// What a request brings.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    /// The number of the client.
    pub(super) client: usize,
    pub(super) what: Brings,
    /// The token, if there is one.
    pub(super) text: Option<Vec<u8>>,
    /// What is true of it, where a gateway issued it like this.
    pub(super) truth: Option<Issued>,
}

/// Whose token a request brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brings {
    /// The client's own, if it has one.
    Own,
    /// Another client's.
    Borrowed,
    /// One with a few bits turned.
    Garbled,
    /// One that somebody sealed with a key of his own.
    Foreign,
    /// One that was issued for another service.
    OtherScope,
    /// Something of the form of a token.
    Noise,
}

impl Brings {
    /// In a few words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "its own token",
            Self::Borrowed => "the token of another client",
            Self::Garbled => "a garbled token",
            Self::Foreign => "a token of a foreign key",
            Self::OtherScope => "a token of another scope",
            Self::Noise => "noise",
        }
    }
}

impl Sent {
    /// A request with a token that a gateway issued, if there is one.
    pub(super) fn kept(client: usize, what: Brings, kept: Option<&Kept>) -> Self {
        Self {
            client,
            what,
            text: kept.map(|kept| kept.text.clone().into_bytes()),
            truth: kept.map(|kept| kept.truth),
        }
    }

    /// A request with a token that no gateway issued.
    pub(super) const fn made_up(client: usize, what: Brings, text: Vec<u8>) -> Self {
        Self {
            client,
            what,
            text: Some(text),
            truth: None,
        }
    }
}
