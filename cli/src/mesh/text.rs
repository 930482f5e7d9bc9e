//! A text that may contain documents of a mesh. It is parsed once.

use spillgate_config::{
    envoy::Format,
    mesh::{MeshDocuments, ReadMeshText, read_text},
};

use crate::input::{Faults, Text};

/// A text and, if it may have some, its documents of a mesh.
#[derive(Debug)]
pub(crate) struct MeshText {
    pub(crate) text: Text,
    read: Option<ReadMeshText>,
}

impl MeshText {
    /// Reads the documents of a text. Most Envoy configurations contain none of the words of a mesh;
    /// their documents are read on demand. `file` is the number of the file in the places of the
    /// documents.
    pub(crate) fn new(text: Text, file: usize) -> Self {
        const WORDS: [&str; 4] = ["Mesh", "kuma.io", "istio", "trafficPolicy"];
        let may = WORDS.iter().any(|word| text.text.contains(word));
        Self {
            read: may.then(|| read(&text, file)),
            text,
        }
    }

    /// Whether it contains documents of a mesh.
    pub(crate) fn is_mesh(&self) -> bool {
        self.read.as_ref().is_some_and(|read| read.is_mesh)
    }

    /// The documents, and the text.
    pub(crate) fn documents(self, file: usize) -> (Text, Result<MeshDocuments, Faults>) {
        let read = self.read.unwrap_or_else(|| read(&self.text, file));
        let faults = |faults: Vec<_>| Faults::all(&self.text.name, &faults);
        let documents = read.documents.map_err(faults);
        (self.text, documents)
    }
}

fn read(text: &Text, file: usize) -> ReadMeshText {
    let format = Format::guess(&text.name, &text.text);
    read_text(&text.text, format, file)
}
