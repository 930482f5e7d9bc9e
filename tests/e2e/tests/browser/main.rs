//! Tests of the page in a browser, one module for each screen or subject.

mod documentation;
mod editing;
mod embed;
mod figures;
mod filter;
mod groups;
mod import;
mod import_files;
mod import_kept;
mod import_large;
mod keys;
mod learn;
mod live;
mod live_demo;
mod looks;
mod mutated;
mod offline;
mod overlaps;
mod screens;
mod share;
mod single_file;
mod timeline;
mod trace;
mod trace_steps;
mod twins;
mod what_if;
