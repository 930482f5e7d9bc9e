//! Header changes and values with commands.

mod format;
mod mutation;

pub(crate) use format::{read_format, write_format};
pub(crate) use mutation::{APPEND_ACTION, MutatedPlace, read_header_mutations, read_mutation_list};
