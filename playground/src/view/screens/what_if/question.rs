//! The input of the screen, also as a text in links.

use spillgate_config::question::screen_lines;
use spillgate_sim::Amount;

/// The losses and the expectations.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The losses, at least one.
    pub losses: Vec<LossInput>,
    /// The expectations.
    pub expectations: Vec<String>,
}

/// A loss that the user chose.
#[derive(Debug, Clone, PartialEq)]
pub struct LossInput {
    /// The selector of the chosen option; an unknown one chooses the first with an effect.
    pub selector: String,
    /// The lost part of it.
    pub amount: Amount,
}

impl LossInput {
    /// The initial loss: 40 % of the largest zone or priority whose loss changes a load.
    #[must_use]
    pub const fn first() -> Self {
        Self {
            selector: String::new(),
            amount: Amount::Percent(40.0),
        }
    }
}

impl Question {
    /// The initial input.
    #[must_use]
    pub fn first() -> Self {
        Self {
            losses: vec![LossInput::first()],
            expectations: Vec::new(),
        }
    }

    /// Reads `SELECTOR:AMOUNT` on the first lines, and the expectations, one on each line. An empty text is
    /// the initial input, and what cannot be read has its initial value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let (losses, expectations) = screen_lines(text);
        let loss = |line: &str| {
            let (selector, amount) = line.rsplit_once(':')?;
            Some(LossInput {
                selector: selector.into(),
                amount: Amount::parse(amount).unwrap_or(LossInput::first().amount),
            })
        };
        let mut losses: Vec<LossInput> = losses.into_iter().filter_map(loss).collect();
        if losses.is_empty() {
            losses.push(LossInput::first());
        }
        Self {
            losses,
            expectations: expectations.into_iter().map(Into::into).collect(),
        }
    }

    /// The text that [`Question::from_text`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        if *self == Self::first() {
            return String::new();
        }
        let losses = self.losses.iter();
        let losses = losses.map(|loss| format!("{}:{}", loss.selector, loss.amount));
        let lines: Vec<String> = losses.chain(self.expectations.iter().cloned()).collect();
        lines.join("\n")
    }

    /// The question with another loss at a place.
    #[must_use]
    pub fn with_loss(&self, at: usize, loss: LossInput) -> Self {
        let mut next = self.clone();
        if let Some(place) = next.losses.get_mut(at) {
            *place = loss;
        }
        next
    }

    /// The question without the loss at a place; the last one stays.
    #[must_use]
    pub fn without_loss(&self, at: usize) -> Self {
        let mut next = self.clone();
        if next.losses.len() > 1 && at < next.losses.len() {
            next.losses.remove(at);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(selector: &str, amount: Amount) -> LossInput {
        LossInput {
            selector: selector.into(),
            amount,
        }
    }

    #[test]
    fn a_question_survives_its_text() {
        let question = Question {
            losses: vec![
                loss("cluster=a:b,priority=0", Amount::Hosts(3)),
                loss("zone=b", Amount::Percent(70.0)),
            ],
            expectations: vec!["no 503".into(), "load(P0) >= 60".into()],
        };
        let mut expected = Question::first();
        expected
            .expectations
            .push("share(host=10.0.0.1:80) < 9".into());
        for question in [question, Question::first(), expected] {
            assert_eq!(Question::from_text(&question.to_text()), question);
        }
    }

    #[test]
    fn an_unreadable_loss_has_its_initial_value() {
        assert_eq!(Question::from_text("zone=a"), Question::first());
        for text in ["zone=a:x%", "zone=a:400%", "zone=a:"] {
            let question = Question::from_text(text);
            assert_eq!(question.losses, [loss("zone=a", Amount::Percent(40.0))]);
        }
    }

    #[test]
    fn the_last_loss_stays() {
        let question = Question::from_text("zone=a:1\nzone=b:2");
        let rest = question.without_loss(0);
        assert_eq!(rest.losses, [loss("zone=b", Amount::Hosts(2))]);
        assert_eq!(rest.without_loss(0), rest);
    }
}
