//! `spillgate adopt` for control planes: objects next to those of the user, instead of a changed bootstrap.

mod bootstrap;
mod gateway;
mod gateway_api;
mod istio;
mod objects;
mod origin;
mod outcome;
mod plane;
mod route;
mod workload;

pub(super) use plane::plane;
