//! Sessions: the token that a client brings, the host it stands for, the token it takes along.
//!
//! The way of a session: [`carried`] finds the token among the request's headers, [`visit`] opens
//! it and asks the [`directory`] for its host; the decision is core's; after the answer [`visit`]
//! says which token is due and [`answer`] writes it.

mod answer;
mod carried;
mod directory;
mod visit;

pub(crate) use directory::Directory;
pub(crate) use visit::{Affinity, Presented, Visit};
