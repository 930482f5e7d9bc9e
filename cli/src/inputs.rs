//! The texts of several files and folders, for all commands that accept them.

use std::path::{Path, PathBuf};

use spillgate_answers::input::{Faults, name_of, read_text};
use spillgate_config::{Diagnostic, NamedText, envoy::has_messages, node::check_total_size};
use spillgate_explain::format::some_names;

use crate::{
    control_planes::{ReadAs, of_other_control_planes},
    folder::files_below,
    mesh::{has_documents, has_kubernetes_objects, is_mesh},
    root::named_files,
};

/// The maximum number of skipped files in a warning.
const MOST_NAMED: usize = 10;

/// The texts of the arguments, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inputs(Vec<InputText>);

/// A text and its folder.
#[derive(Debug, Clone)]
struct InputText {
    text: NamedText,
    /// The folder in the arguments that contains the file; `None` for a file in the arguments.
    folder: Option<String>,
}

/// The texts that a reader gets.
#[derive(Debug)]
pub(crate) struct ChosenTexts {
    /// The texts, in the order of the arguments.
    pub(crate) texts: Vec<NamedText>,
    /// The warnings about skipped files by folder, and about documents of other control planes by file.
    pub(crate) skipped: Vec<(String, Vec<Diagnostic>)>,
    /// The texts of the skipped files.
    pub(crate) others: Vec<NamedText>,
}

/// The kind of the texts.
pub(crate) enum InputKind {
    /// Envoy's configuration.
    Envoy(ChosenTexts),
    /// Documents of a mesh.
    Mesh(ChosenTexts),
}

/// The standard input in arguments.
const STDIN: &str = "-";

/// Whether a path is the standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Rejects arguments that read the standard input twice.
///
/// # Errors
/// If more than one path is `-`; `arguments` names those that accept a file instead.
pub(crate) fn check_stdin<'p>(
    paths: impl IntoIterator<Item = &'p PathBuf>,
    arguments: &str,
) -> Result<(), Faults> {
    let stdin = paths.into_iter().filter(|path| is_stdin(path));
    if stdin.count() < 2 {
        return Ok(());
    }
    let fault = Diagnostic::error("input/twice", "standard input cannot be read twice")
        .expected(format!("a file for {arguments}"));
    Err(Faults::one(STDIN, &fault))
}

impl Inputs {
    /// Texts that are not files.
    ///
    /// # Errors
    /// If they are too large.
    pub(crate) fn of(texts: impl IntoIterator<Item = NamedText>) -> Result<Self, Faults> {
        Self::default().with(texts)
    }

    /// With further texts that are not files.
    ///
    /// # Errors
    /// If they are too large.
    pub(crate) fn with(
        mut self,
        texts: impl IntoIterator<Item = NamedText>,
    ) -> Result<Self, Faults> {
        for text in texts {
            self.push(text, None)?;
        }
        Ok(self)
    }

    /// Reads files, the files of folders, and the standard input for `-`.
    ///
    /// # Errors
    /// Every file that cannot be read, and texts that are too large together.
    pub(crate) fn read<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Self, Faults> {
        let mut inputs = Self::default();
        let mut faults = Faults::default();
        for path in paths {
            let added = if path.is_dir() {
                inputs.add_folder(path)
            } else {
                inputs.add(path, None)
            };
            if let Err(wrong) = added {
                faults.extend(wrong);
            }
        }
        if faults.is_empty() {
            Ok(inputs)
        } else {
            Err(faults)
        }
    }

    /// Adds the files below `root` that the texts name.
    ///
    /// # Errors
    /// Every file that is missing or unreadable.
    pub(crate) fn add_named(&mut self, root: &Path) -> Result<(), Faults> {
        let texts = self.0.iter().map(|input| &input.text);
        for text in named_files(root, texts)? {
            self.push(text, None)?;
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Faults> {
        files_below(folder)?
            .iter()
            .try_for_each(|path| self.add(path, Some(name_of(folder))))
    }

    fn add(&mut self, path: &Path, folder: Option<String>) -> Result<(), Faults> {
        self.push(read_text(path)?, folder)
    }

    /// Adds a text; `folder` is the folder in the arguments that has it.
    ///
    /// # Errors
    /// If the texts are too large together.
    pub(crate) fn push(&mut self, text: NamedText, folder: Option<String>) -> Result<(), Faults> {
        let earlier = self.0.iter().map(|input| &input.text);
        let sizes = earlier.chain([&text]).map(|text| text.text.len());
        check_total_size(sizes).map_err(|fault| Faults::one(&text.name, &fault))?;
        self.0.push(InputText { text, folder });
        Ok(())
    }

    /// Whether a text is such.
    pub(crate) fn any(&self, is: impl Fn(&NamedText) -> bool) -> bool {
        self.0.iter().any(|input| is(&input.text))
    }

    /// Takes out the texts that are such.
    pub(crate) fn take(&mut self, is: impl Fn(&NamedText) -> bool) -> Vec<NamedText> {
        let all = std::mem::take(&mut self.0);
        let (taken, others) = all.into_iter().partition(|input| is(&input.text));
        self.0 = others;
        let taken: Vec<InputText> = taken;
        taken.into_iter().map(|input| input.text).collect()
    }

    /// All texts.
    pub(crate) fn texts(self) -> Vec<NamedText> {
        self.0.into_iter().map(|input| input.text).collect()
    }

    /// The texts for a reader of Envoy configurations or of mesh documents: one document of a mesh
    /// makes all texts those of a mesh, also objects of Kubernetes without an Envoy configuration.
    ///
    /// # Errors
    /// If no file of the folders has such a configuration.
    pub(crate) fn kind(self) -> Result<InputKind, Faults> {
        if self.is_mesh() {
            self.mesh().map(InputKind::Mesh)
        } else {
            self.envoy().map(InputKind::Envoy)
        }
    }

    /// Whether the texts are those of a mesh.
    pub(crate) fn is_mesh(&self) -> bool {
        self.any(is_mesh)
            || self.any(has_kubernetes_objects) && !self.any(|text| has_messages(&text.source()))
    }

    /// The texts with Envoy's configuration.
    ///
    /// # Errors
    /// If no file of the folders has one.
    pub(crate) fn envoy(self) -> Result<ChosenTexts, Faults> {
        self.chosen(ReadAs::Envoy, |text| has_messages(&text.source()))
    }

    /// The texts with documents that meshes use.
    ///
    /// # Errors
    /// If no file of the folders has one.
    pub(crate) fn mesh(self) -> Result<ChosenTexts, Faults> {
        self.chosen(ReadAs::Mesh, has_documents)
    }

    /// The texts of the files in the arguments, and those texts of folders that `is_chosen` accepts.
    fn chosen(
        self,
        read_as: ReadAs,
        is_chosen: impl Fn(&NamedText) -> bool,
    ) -> Result<ChosenTexts, Faults> {
        let content = match read_as {
            ReadAs::Envoy => "Envoy configuration",
            ReadAs::Mesh => "mesh documents",
        };
        let all = self.0.iter().map(|input| &input.text);
        let notes = of_other_control_planes(all, read_as);
        let (mut texts, mut skipped) = (Vec::new(), Vec::new());
        let mut others: Vec<(String, Vec<String>)> = Vec::new();
        for InputText { text, folder } in self.0 {
            match folder.filter(|_| !is_chosen(&text)) {
                None => texts.push(text),
                Some(folder) => {
                    let name = text.name.clone();
                    match others.last_mut() {
                        Some((last, names)) if *last == folder => names.push(name),
                        _ => others.push((folder, vec![name])),
                    }
                    skipped.push(text);
                }
            }
        }
        if let (true, Some((folder, _))) = (texts.is_empty(), others.first()) {
            let what = format!("no file of the folder has {content}");
            let faults = Faults::one(folder, &Diagnostic::error("input/no-files", what));
            return Err(faults.with_notes(&notes));
        }
        let what = format!("files without {content} are skipped");
        let warning = |names: Vec<String>| {
            Diagnostic::warning("input/skipped", what.as_str())
                .found(some_names(&names, MOST_NAMED))
        };
        let others = others.into_iter();
        Ok(ChosenTexts {
            texts,
            others: skipped,
            skipped: others
                .map(|(folder, names)| (folder, vec![warning(names)]))
                .chain(notes)
                .collect(),
        })
    }
}
