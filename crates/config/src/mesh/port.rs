//! Ports of services: at the service, and at its hosts.

use alloc::string::String;

use crate::{
    node::NodeValue,
    proto::{Message, Report, wrong_type},
};

/// A port of a proxy or container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetPort {
    /// By its number.
    Number(u16),
    /// By its name.
    Name(String),
}

/// `targetPort`: a number or a name.
pub(crate) fn read_target_port(port: &Message<'_, '_>, report: &mut Report) -> Option<TargetPort> {
    const FIELD: &str = "targetPort";
    let node = port.get(FIELD)?;
    match &node.value {
        NodeValue::String(name) => Some(TargetPort::Name(name.as_ref().into())),
        NodeValue::Int(0) => None,
        NodeValue::Int(_) => port.port(FIELD, report).map(TargetPort::Number),
        _ => {
            report.push(wrong_type(
                node,
                &port.path.field(FIELD),
                "a port number or a port name",
            ));
            None
        }
    }
}
