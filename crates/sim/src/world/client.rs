//! Clients: the tokens that they keep and send.

use alloc::{string::String, vec::Vec};

use super::GatewayAnswer;

/// A client with one cookie.
#[derive(Debug, Clone, Default)]
pub(crate) struct Client {
    /// The last token that it received.
    pub(crate) token: Option<KeptToken>,
    /// The hosts that the session has left.
    pub(crate) left: Vec<usize>,
}

impl Client {
    /// Keeps the token of an answer. `before` are the facts of the client's own token, if it was
    /// valid. After a response that removes its token, the client has none.
    pub(crate) fn keep(
        &mut self,
        answer: &GatewayAnswer,
        token: Option<KeptToken>,
        before: Option<&TokenFacts>,
    ) {
        match (before, answer.host) {
            (Some(before), Some(host)) if before.host != host => {
                // A host that the session came back to is no longer one that it has left.
                self.left.retain(|&left| left != host);
                self.left.push(before.host);
            }
            (None, Some(_)) => self.left.clear(),
            _ => {}
        }
        if token.is_some() || answer.removes_token {
            self.token = token;
        }
    }
}

/// A token and the facts about it.
#[derive(Debug, Clone)]
pub(crate) struct KeptToken {
    pub(crate) text: String,
    pub(crate) facts: TokenFacts,
}

/// The facts about a token, recorded when it was issued: checks do not open tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenFacts {
    /// The client that received it.
    pub(crate) client: usize,
    /// The number of its host.
    pub(crate) host: usize,
    /// The number of the key that sealed it.
    pub(crate) key: u8,
    /// When the session began, by the clock of the gateway that started it: seconds since the Unix
    /// epoch.
    pub(crate) issued: u64,
    /// When the token expires, by the clock of the gateway that sealed it: seconds since the Unix
    /// epoch.
    pub(crate) expires: u64,
    /// The highest epoch that a gateway which accepted or issued a token of the session required.
    pub(crate) epoch: u16,
}

/// A request that a client sends.
#[derive(Debug, Clone)]
pub(crate) struct SentRequest {
    /// The number of the client.
    pub(crate) client: usize,
    pub(crate) source: TokenSource,
    /// The token, if there is one.
    pub(crate) text: Option<Vec<u8>>,
    /// The facts about the token, if a gateway issued exactly this text.
    pub(crate) facts: Option<TokenFacts>,
}

/// The source of the token in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSource {
    /// The client's own token, if it has one.
    Own,
    /// The token of another client.
    OtherClient,
    /// A token with one to three changed characters.
    Altered,
    /// A token that was sealed with another secret.
    OtherKey,
    /// A token that was sealed for another scope.
    OtherScope,
    /// Random text that looks like a token.
    RandomText,
}

impl TokenSource {
    /// The source in words, as reports count it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own token",
            Self::OtherClient => "token of another client",
            Self::Altered => "altered token",
            Self::OtherKey => "token of another key",
            Self::OtherScope => "token of another scope",
            Self::RandomText => "random text",
        }
    }
}
