//! The answer about one cluster, for the chosen client.

use serde_json::Value;
use spillgate_answers::{input::Faults, limits::Limits};

use super::{
    WhatIfArgs,
    client::BothAnswers,
    inquiry::{Figures, Inquiry},
    json as json_of,
    loss_report::{Answer, Expected},
    question::Question,
    success::{self, RouteSuccess},
    text,
};
use crate::{client_args::Client, split::Style};

/// An answer with the odds of success, if they are asked for.
#[derive(Debug)]
pub(super) struct ClusterAnswer {
    clients: ClientAnswers,
    pub(super) success: Vec<RouteSuccess>,
}

/// The answers for one client or for both.
#[derive(Debug)]
enum ClientAnswers {
    One(Box<Answer>),
    Both(Box<BothAnswers>),
}

impl ClusterAnswer {
    /// Answers for the chosen client.
    ///
    /// # Errors
    /// Expectations that do not fit the cluster.
    pub(super) fn new(
        inquiry: &Inquiry<'_>,
        question: &Question,
        figures: Figures,
    ) -> Result<Self, Faults> {
        let config = inquiry.config;
        let of_envoy = || inquiry.answer(question, figures);
        let success = inquiry.success(question);
        let clients = match (inquiry.args.client, &inquiry.reading) {
            (Client::Envoy, _) | (_, None) => {
                let mut answer = of_envoy()?;
                let limits = success.iter().filter_map(|route| route.limit.as_deref());
                answer.limits = answer.limits.with(config.files(), limits);
                ClientAnswers::One(Box::new(answer))
            }
            (Client::Grpc, Some(reading)) => {
                ClientAnswers::One(Box::new(Answer::of_grpc(config, question, reading)?))
            }
            (Client::Both, Some(reading)) => {
                let grpc = Answer::of_grpc(config, question, reading)?;
                let both = BothAnswers::new(config, question, of_envoy()?, grpc)?;
                ClientAnswers::Both(Box::new(both))
            }
        };
        Ok(Self { clients, success })
    }

    /// The expectations, for each client.
    pub(super) fn expectations(&self) -> Vec<&Expected> {
        match &self.clients {
            ClientAnswers::One(answer) => answer.expectations.iter().collect(),
            ClientAnswers::Both(both) => both.expectations().collect(),
        }
    }

    /// The answer for each client, with its name if there are two.
    pub(super) fn by_client(&self) -> Vec<(Option<&'static str>, &Answer)> {
        match &self.clients {
            ClientAnswers::One(answer) => vec![(None, answer)],
            ClientAnswers::Both(both) => {
                vec![(Some("Envoy"), &both.envoy), (Some("gRPC"), &both.grpc)]
            }
        }
    }

    /// The settings that are not modeled and concern the cluster.
    pub(super) fn limits(&self) -> &Limits {
        match &self.clients {
            ClientAnswers::One(answer) => &answer.limits,
            ClientAnswers::Both(both) => &both.envoy.limits,
        }
    }

    /// The JSON object.
    pub(super) fn value(&self, question: &Question, args: &WhatIfArgs) -> Value {
        let mut value = match &self.clients {
            ClientAnswers::One(answer) => json_of::value(question, answer),
            ClientAnswers::Both(both) => both.value(question),
        };
        if let Some(value) = value.as_object_mut().filter(|_| !args.failed.is_empty()) {
            value.insert("success".into(), success::json(&self.success));
        }
        value
    }

    /// The text.
    pub(super) fn text(&self, question: &Question, args: &WhatIfArgs, style: Style) -> String {
        let text = match &self.clients {
            ClientAnswers::One(answer) => text::write(question, answer, style),
            ClientAnswers::Both(both) => both.text(question, style),
        };
        match success::text(&self.success, args) {
            Some(success) => text + "\n" + &success,
            None => text,
        }
    }
}
