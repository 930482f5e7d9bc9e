//! Envoy and gRPC next to each other, with the reasons of their differences after the loss.

use serde_json::{Value, json};
use spillgate_answers::{clients::ComparedClients, grpc::model_without, input::Faults};

use crate::{
    client::{compared, compared_tables},
    config::Config,
    split::Style,
    what_if::{
        json as json_of,
        loss_report::{Answer, Expected},
        question::Question,
        text::{expectation_table, headline},
    },
};

/// The answers for both clients.
#[derive(Debug)]
pub(in crate::what_if) struct BothAnswers {
    pub(in crate::what_if) envoy: Answer,
    pub(in crate::what_if) grpc: Answer,
    /// The shares of the cluster, before and after the loss.
    before: ComparedClients,
    after: ComparedClients,
}

impl BothAnswers {
    /// Puts the answers next to each other.
    pub(in crate::what_if) fn new(
        config: &Config,
        question: &Question,
        mut envoy: Answer,
        mut grpc: Answer,
    ) -> Result<Self, Faults> {
        let (model, scene) = (&config.envoy.model, question.scene());
        for (client, answer) in [("Envoy", &mut envoy), ("gRPC", &mut grpc)] {
            for expected in &mut answer.expectations {
                expected.expr = format!("{} ({client})", expected.expr);
            }
        }
        let names = [question.name().to_owned()];
        let both = |model| compared(config, model, &names, scene.criteria());
        Ok(Self {
            before: both(model)?,
            after: both(&model_without(model, &question.lost))?,
            envoy,
            grpc,
        })
    }

    /// The expectations of both; their texts name the client.
    pub(in crate::what_if) fn expectations(&self) -> impl Iterator<Item = &Expected> {
        let answers = [&self.envoy, &self.grpc].into_iter();
        answers.flat_map(|answer| &answer.expectations)
    }

    pub(in crate::what_if) fn text(&self, question: &Question, style: Style) -> String {
        let mut parts = vec![
            format!("Envoy: {}", headline(question, &self.envoy)),
            format!("gRPC: {}", headline(question, &self.grpc)),
        ];
        if !question.lost.is_empty() {
            parts.push(format!(
                "\nBefore the loss\n{}",
                compared_tables(&self.before, style)
            ));
        }
        let heading = if question.lost.is_empty() {
            "Without a loss"
        } else {
            "After the loss"
        };
        parts.push(format!(
            "\n{heading}\n{}",
            compared_tables(&self.after, style)
        ));
        if let Some(table) = expectation_table(self.expectations(), style) {
            parts.push(format!("\n{table}"));
        }
        parts.concat()
    }

    pub(in crate::what_if) fn value(&self, question: &Question) -> Value {
        json!({
            "client": "both",
            "cluster": question.name(),
            "lost": self.envoy.lost,
            "before": self.before.value(),
            "after": self.after.value(),
            "envoy": json_of::value(question, &self.envoy),
            "grpc": json_of::value(question, &self.grpc),
        })
    }
}
