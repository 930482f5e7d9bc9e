//! The Learn screen: nine lessons, each with a question that the reader answers before the result.
//!
//! A lesson is data ([`Lesson`]): texts, controls, and the clusters for values of the controls. The engine
//! computes its figures ([`LessonResult`]) and decides which option is right; [`view`] draws it.
//!
//! The options are claims about a result, so a lesson cannot contradict the playground; a test checks
//! that exactly one holds. Rows of Envoy's documentation are values of the controls with the
//! documented figures. Five of them differ from Envoy 1.40 and have a note: the documentation
//! rounds shares that Envoy rounds down, leaves out panic mode, or expects a fallback that Envoy
//! ignores. Lessons with such rows have 100 hosts for each priority, so hosts are percentages.
//! "Open in Build" passes the scenario as bytes, because a link would drop subsets.

mod caption;
mod claim;
mod content;
mod input;
mod lesson;
mod progress;
mod result;
mod setup;
mod table;
mod view;
mod yaml;

pub use claim::LessonClaim;
pub use content::LESSONS;
pub use input::LessonsInput;
pub use lesson::{
    Lesson, LessonCell, LessonControl, LessonFigure, LessonOption, LessonRow, LessonTable,
    LessonValues,
};
pub use progress::LessonProgress;
pub use result::{LessonHost, LessonResult, ServingHosts, SessionFate};
pub use setup::{LessonSession, LessonSetup};
pub(crate) use view::Learn;
pub use yaml::{YamlLine, lesson_yaml, yaml_lines};

#[cfg(test)]
mod tests;
