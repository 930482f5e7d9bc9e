//! The path from the root to a field, cheap to extend and printed only for diagnostics.

use alloc::{
    borrow::Cow,
    rc::Rc,
    string::{String, ToString},
};
use core::fmt;

/// A path such as `static_resources.clusters[0].lb_policy`.
#[derive(Debug, Clone, Default)]
pub struct Path(Option<Rc<Step>>);

#[derive(Debug)]
struct Step {
    parent: Path,
    segment: Segment,
}

#[derive(Debug)]
enum Segment {
    Field(Cow<'static, str>),
    Index(usize),
}

impl Path {
    /// The path of the whole input.
    pub const fn root() -> Self {
        Self(None)
    }

    /// The path of a field of this message.
    pub fn field(&self, name: impl Into<Cow<'static, str>>) -> Self {
        self.step(Segment::Field(name.into()))
    }

    /// The path of an element of this list.
    pub fn index(&self, index: usize) -> Self {
        self.step(Segment::Index(index))
    }

    /// The path as text.
    pub fn text(&self) -> String {
        self.to_string()
    }

    fn step(&self, segment: Segment) -> Self {
        let parent = self.clone();
        Self(Some(Rc::new(Step { parent, segment })))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(step) = &self.0 else {
            return Ok(());
        };
        step.parent.fmt(f)?;
        match &step.segment {
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Field(name) if step.parent.0.is_some() => write!(f, ".{name}"),
            Segment::Field(name) => f.write_str(name),
        }
    }
}
