//! The input of the screen, also as a text in links.

/// The selection, its loss, and the expectations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// The selector of the chosen option; an unknown one chooses the first.
    pub selector: String,
    /// The lost part of it, in percent.
    pub percent: u32,
    /// The expectations.
    pub expectations: Vec<String>,
}

impl Question {
    /// The initial input: 40 % of the largest zone or priority whose loss changes a load.
    #[must_use]
    pub fn first() -> Self {
        Self {
            percent: 40,
            ..Self::default()
        }
    }

    /// Reads `SELECTOR:PERCENT%` and the expectations, one on each line. An empty text is the initial
    /// input, and what cannot be read has its initial value.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut lines = text.lines();
        let first = Self::first();
        let Some((selector, percent)) = lines.next().and_then(|line| line.rsplit_once(':')) else {
            return first;
        };
        let percent = percent.strip_suffix('%').and_then(|text| text.parse().ok());
        Self {
            selector: selector.into(),
            percent: percent.unwrap_or(first.percent).min(100),
            expectations: lines.map(Into::into).collect(),
        }
    }

    /// The text that [`Question::from_text`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        if *self == Self::first() {
            return String::new();
        }
        let mut text = format!("{}:{}%", self.selector, self.percent);
        for expectation in &self.expectations {
            text.push('\n');
            text.push_str(expectation);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_survives_its_text() {
        let question = Question {
            selector: "cluster=a:b,priority=0".into(),
            percent: 70,
            expectations: vec!["no 503".into(), "load(P0) >= 60".into()],
        };
        for question in [question, Question::first(), Question::default()] {
            assert_eq!(Question::from_text(&question.to_text()), question);
        }
        assert_eq!(Question::from_text("zone=a"), Question::first());
        assert_eq!(Question::from_text("zone=a:x%").percent, 40);
        assert_eq!(Question::from_text("zone=a:400%").percent, 100);
    }
}
