//! The fields that all documents of a form have.

use crate::proto::{
    Irrelevance::{Document, Process},
    Schema,
};

/// The fields of every object of Kubernetes next to `spec`.
pub(crate) const KUBE_DOCUMENT: &str = "apiVersion kind metadata status spec";

/// The fields of every document of Kuma, in its Universal and Kubernetes forms.
pub(crate) const KUMA_DOCUMENT: &str =
    "type name mesh labels apiVersion kind metadata status creationTime modificationTime kri spec";

/// An object with `spec`, next to which nothing else is read.
pub(crate) static OBJECT: Schema = Schema::new("document", "metadata spec")
    .ignored(&[(
        Document,
        "apiVersion kind status type name mesh labels creationTime modificationTime kri",
    )])
    .lenient();

/// An entry of `metadata.ownerReferences`.
pub(crate) static OWNER: Schema = Schema::new("owner", "name")
    .ignored(&[(
        Document,
        "apiVersion blockOwnerDeletion controller kind uid",
    )])
    .lenient()
    .of("ObjectMeta.ownerReferences");

/// `metadata`.
pub(crate) static OBJECT_META: Schema = Schema::new(
    "ObjectMeta",
    "name namespace labels annotations creationTimestamp deletionTimestamp \
     ownerReferences",
)
.ignored(&[
    (
        Document,
        "generateName generation managedFields resourceVersion selfLink uid \
         clusterName",
    ),
    (Process, "finalizers deletionGracePeriodSeconds"),
])
.lenient()
.of("ObjectMeta");
