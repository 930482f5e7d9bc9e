//! Numbers that may be texts (`IntOrString`).

use alloc::string::String;

use spillgate_mesh::kuma::KumaNumber;

use crate::{
    node::NodeValue,
    proto::{Message, Report, wrong_type},
};

/// An integer or a decimal text.
pub(super) fn read_number(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<KumaNumber> {
    let node = parent.get(field)?;
    match &node.value {
        NodeValue::Int(value) => return Some(KumaNumber::Integer(*value)),
        NodeValue::Uint(value) => return Some(KumaNumber::Text(alloc::format!("{value}"))),
        NodeValue::Decimal(text) | NodeValue::String(text) => {
            return Some(KumaNumber::Text(String::from(text.as_ref())));
        }
        _ => {}
    }
    let path = parent.path.field(field);
    report.push(wrong_type(node, &path, "an integer or a decimal text"));
    None
}
