//! The answer of a module that works in a worker of its own.

use std::rc::Rc;

use yew::prelude::*;

/// The latest answer, and what the module does now.
pub(crate) struct Answered<A> {
    pub(crate) answer: Option<Rc<A>>,
    /// Whether the answer is to an earlier question.
    pub(crate) is_busy: bool,
    /// Why the module failed; empty if it did not.
    pub(crate) failure: String,
}

/// How to ask a module.
pub(crate) struct AnswerModule<Q, A> {
    /// Asks, and reports the bytes of the answer or the reason why it failed. A later question replaces an earlier one.
    pub(crate) ask: fn(&Q, Done),
    /// Reads an answer; `None` for the bytes of another version.
    pub(crate) read: fn(&[u8]) -> Option<A>,
    /// Stops the module.
    pub(crate) cancel: fn(),
}

/// Called with the bytes of an answer.
pub(crate) type Done = Box<dyn FnOnce(Result<Vec<u8>, String>)>;

/// The answers so far, and the question of the latest one.
#[derive(PartialEq)]
struct Answers<Q, A> {
    to: Option<Rc<Q>>,
    answer: Option<Rc<A>>,
    failure: String,
}

/// Asks the module after each change; the previous answer remains until the next one.
#[hook]
pub(crate) fn use_answer<Q: PartialEq + 'static, A: PartialEq + 'static>(
    question: &Rc<Q>,
    module: &AnswerModule<Q, A>,
) -> Answered<A> {
    let answers = use_state(|| Answers {
        to: None,
        answer: None,
        failure: String::new(),
    });
    let AnswerModule { ask, read, cancel } = *module;
    use_effect_with((), move |()| cancel);
    {
        let answers = answers.setter();
        use_effect_with(Rc::clone(question), move |question: &Rc<Q>| {
            let to = Some(Rc::clone(question));
            let done = Box::new(move |answer: Result<Vec<u8>, String>| {
                let found = answer.and_then(|bytes| {
                    read(&bytes).ok_or_else(|| {
                        "the module is from another version; reload the page".to_owned()
                    })
                });
                let (answer, failure) = match found {
                    Ok(answer) => (Some(Rc::new(answer)), String::new()),
                    Err(failure) => (None, failure),
                };
                answers.set(Answers {
                    to,
                    answer,
                    failure,
                });
            });
            ask(question, done);
        });
    }
    Answered {
        is_busy: answers.to.as_ref() != Some(question),
        answer: answers.answer.clone(),
        failure: answers.failure.clone(),
    }
}
