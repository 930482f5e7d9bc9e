//! A text that may contain documents of a mesh.

use spillgate_answers::input::Faults;
use spillgate_config::mesh::{KubeDocuments, MeshDocuments, ReadMeshText, read_text};
use spillgate_config::{NamedText, re2};

/// Whether a text contains documents of a mesh. Most Envoy configurations contain none of the words of
/// a mesh; they are not read for that.
pub(crate) fn is_mesh(text: &NamedText) -> bool {
    const WORDS: [&str; 6] = [
        "Mesh",
        "kuma.io",
        "istio",
        "trafficPolicy",
        "trafficDistribution",
        "parentRefs",
    ];
    let may = WORDS.iter().any(|word| text.text.contains(word));
    may && read(text, 0).is_mesh
}

/// Whether a text has documents that a mesh uses, or is unreadable.
pub(crate) fn has_documents(text: &NamedText) -> bool {
    let documents = read(text, 0).documents;
    documents.map_or(true, |documents| !documents.is_empty())
}

/// Whether a text has objects of Kubernetes that a mesh uses, such as Services and Pods, or faults in
/// such objects.
pub(crate) fn has_kubernetes_objects(text: &NamedText) -> bool {
    let documents = || read(text, 0).documents;
    text.text.contains("apiVersion")
        && documents().map_or(true, |documents| documents.kube != KubeDocuments::default())
}

/// The documents of a text. `file` is the number of the file in the places of the documents.
///
/// # Errors
/// Every error of the text.
pub(crate) fn documents_of(text: &NamedText, file: usize) -> Result<MeshDocuments, Faults> {
    let documents = read(text, file).documents;
    documents.map_err(|faults| Faults::all(text, &faults))
}

fn read(text: &NamedText, file: usize) -> ReadMeshText {
    read_text(&text.text, text.source().format, file, Some(re2::compile))
}
