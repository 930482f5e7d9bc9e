//! Callbacks of the cluster specifier. The module finds them by name.

use super::{AbiBuffer, Address, metadata::field_text};
use crate::{lent::found, specifier::QuestionObject};

/// `upstream.request_attempt_count` among the attributes.
const REQUEST_ATTEMPT_COUNT: u32 = 53;

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_cluster_specifier_set_cluster_name(
    question: Address,
    cluster: AbiBuffer,
) {
    let question: &QuestionObject = found(question);
    question.answer.replace(Some(cluster.copied()));
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_cluster_specifier_get_dynamic_metadata(
    question: Address,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut AbiBuffer,
) -> bool {
    let question: &QuestionObject = found(question);
    field_text(question.metadata.get(&namespace.text(), &key.text()), value)
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_cluster_specifier_get_attribute_int(
    question: Address,
    attribute: u32,
    value: *mut u64,
) -> bool {
    let question: &QuestionObject = found(question);
    assert_eq!(attribute, REQUEST_ATTEMPT_COUNT, "an attribute");
    // SAFETY: the module passes the address of a variable of its own.
    unsafe { *value = question.attempt };
    true
}
