//! The answer of the module that runs scenarios.

use std::rc::Rc;

use crate::bridge;
use spillgate_codec::import::{TimelineAnswer, TimelineQuestion};
use yew::prelude::*;

/// The latest answer, and what the module does now.
pub(super) struct Answered {
    pub(super) answer: Option<Rc<TimelineAnswer>>,
    /// Whether the answer is to an earlier question.
    pub(super) is_busy: bool,
    /// Why the module failed; empty if it did not.
    pub(super) failure: String,
}

/// The answers so far, and the question of the latest one.
#[derive(Clone, Default, PartialEq)]
struct Answers {
    to: Option<Rc<Question>>,
    answer: Option<Rc<TimelineAnswer>>,
    failure: String,
}

/// A scenario file and what to run.
#[derive(Debug, PartialEq)]
pub(super) struct Question {
    pub(super) script: String,
    pub(super) run: TimelineQuestion,
}

/// Asks the module after each change; the previous answer remains until the next one.
#[hook]
pub(super) fn use_answer(question: &Rc<Question>) -> Answered {
    let answers = use_state(Answers::default);
    use_effect_with((), |()| bridge::cancel_simulation);
    {
        let answers = answers.clone();
        use_effect_with(Rc::clone(question), move |question| {
            let bytes = question.run.to_bytes();
            let (to, text) = (Some(Rc::clone(question)), question.script.clone());
            bridge::simulate(text, bytes, move |answer| {
                let read = answer.map(|bytes| TimelineAnswer::from_bytes(&bytes));
                answers.set(match read {
                    Ok(Some(answer)) => Answers {
                        to,
                        answer: Some(Rc::new(answer)),
                        failure: String::new(),
                    },
                    Ok(None) => Answers {
                        to,
                        answer: None,
                        failure: "the module is from another version; reload the page".into(),
                    },
                    Err(failure) => Answers {
                        to,
                        answer: None,
                        failure,
                    },
                });
            });
        });
    }
    Answered {
        is_busy: answers.to.as_ref() != Some(question),
        answer: answers.answer.clone(),
        failure: answers.failure.clone(),
    }
}
