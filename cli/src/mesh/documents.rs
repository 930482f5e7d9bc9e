//! Reads mesh documents and computes what proxies receive.

use std::path::Path;

use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{
    Diagnostic, NamedText,
    mesh::{
        MeshDocuments, MeshKind, MeshOutbound, MeshZone, PointOfView, SkippedDocument,
        left_out_warnings, zone_warnings,
    },
};
use spillgate_mesh::{Compat, istio::IstioVersion};

use super::{IstioArgs, MeshArgs, documents_of};
use crate::command::Done;

/// The documents of all files.
#[derive(Debug)]
pub(crate) struct MeshInput {
    /// The first file, for messages without a position.
    pub(crate) name: String,
    /// The texts of all files.
    pub(crate) texts: Vec<NamedText>,
    /// The documents.
    pub(crate) documents: MeshDocuments,
    /// The mesh.
    pub(crate) mesh: MeshKind,
    /// The warnings about each file.
    pub(crate) warnings: Vec<(String, Vec<Diagnostic>)>,
    /// The limits of simulations over time in each file.
    pub(crate) over_time: Vec<(String, Vec<Diagnostic>)>,
}

/// The point of view of `--as`: `gateway:NAME`, or a zone.
pub(crate) fn gateway_or_zone(text: &str) -> PointOfView {
    match text.strip_prefix("gateway:") {
        Some(name) => PointOfView::Gateway(name.into()),
        None => PointOfView::Zone(text.into()),
    }
}

impl MeshInput {
    /// The documents of texts, the first of which names the input.
    pub(crate) fn new(
        texts: Vec<NamedText>,
        from: Option<MeshKind>,
        istio: IstioArgs,
    ) -> Result<Self, Faults> {
        let mut wrong = Faults::default();
        let mut documents = MeshDocuments::default();
        let (mut warnings, mut over_time) = (Vec::new(), Vec::new());
        for (file, text) in texts.iter().enumerate() {
            match documents_of(text, file) {
                Ok(mut read) => {
                    warnings.push((text.name.clone(), take_warnings(&mut read)));
                    over_time.push((text.name.clone(), std::mem::take(&mut read.over_time)));
                    documents.append(read);
                }
                Err(faults) => wrong.extend(faults),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let name = texts.first().map_or("-", |first| first.name.as_str());
        let name = name.to_owned();
        let mesh = from.unwrap_or_else(|| MeshKind::of(&documents));
        istio.apply(&name, mesh, &mut documents)?;
        // lint has a rule for them.
        let unmatched = documents.unmatched_rules().into_iter();
        for (file, warning) in documents.policy_warnings().into_iter().chain(unmatched) {
            if let Some((_, found)) = warnings.get_mut(file) {
                found.push(warning);
            }
        }
        Ok(Self {
            mesh,
            name,
            texts,
            documents,
            warnings,
            over_time,
        })
    }

    /// Adds the documents of files in which nothing is read: two inputs can differ in them.
    pub(crate) fn add_others(&mut self, texts: &[NamedText]) {
        for text in texts {
            if let Ok(mut others) = documents_of(text, usize::MAX) {
                others.keep_others();
                self.documents.append(others);
            }
        }
    }

    /// The version of Istio whose rules apply; `None` for another mesh.
    pub(crate) fn istio_version(&self) -> Option<IstioVersion> {
        (self.mesh == MeshKind::Istio).then_some(self.documents.istio_version)
    }

    /// The point of view of the arguments; `None` without one. Adds the warnings about the file of
    /// the proxy to those of the documents.
    pub(crate) fn view(&mut self, args: &MeshArgs) -> Result<Option<PointOfView>, Faults> {
        if let Some(zone) = &args.zone {
            return Ok(Some(gateway_or_zone(zone)));
        }
        let Some(proxy) = args.proxy.as_deref() else {
            return Ok(None);
        };
        if !Path::new(proxy).is_file() {
            return Ok(Some(PointOfView::Name(proxy.into())));
        }
        let text = read_text(Path::new(proxy))?;
        let mut own = documents_of(&text, usize::MAX)?;
        self.warnings
            .push((text.name.clone(), take_warnings(&mut own)));
        self.texts.push(text);
        Ok(Some(PointOfView::Documents(own)))
    }

    /// What the proxy of a point of view receives.
    pub(crate) fn outbound(
        &self,
        view: &PointOfView,
        compat: Compat,
    ) -> Result<MeshOutbound, Faults> {
        MeshOutbound::new(&self.documents, self.mesh, view, compat)
            .map_err(|fault| Faults::one(&self.name, &fault))
    }

    /// What each zone receives. That a zone has no endpoints is no finding here: the documents name it, not the user.
    pub(crate) fn zones(&self, compat: Compat) -> Result<Vec<MeshZone>, Faults> {
        let mut zones = MeshOutbound::zones(&self.documents, self.mesh, compat)
            .map_err(|fault| Faults::one(&self.name, &fault))?;
        if zones.is_empty() {
            let fault = Diagnostic::error("input/no-zones", "the documents have no zones");
            let expected = "endpoints with zones, in the input or in --endpoints FILE";
            return Err(Faults::one(&self.name, &fault.expected(expected)));
        }
        for zone in &mut zones {
            let warnings = &mut zone.outbound.warnings;
            warnings.retain(|warning| warning.code != "mesh/unknown-zone");
        }
        Ok(zones)
    }

    /// What the proxy of the arguments receives. Documents of a single zone need no arguments.
    pub(crate) fn outbound_of(&mut self, args: &MeshArgs) -> Result<MeshOutbound, Faults> {
        let compat = args.compat.compat();
        if let Some(view) = self.view(args)? {
            return self.outbound(&view, compat);
        }
        let mut zones = self.zones(compat)?;
        match zones.pop() {
            Some(only) if zones.is_empty() => Ok(only.outbound),
            last => {
                zones.extend(last);
                Err(no_view(self, &zones))
            }
        }
    }

    /// Adds the warnings about the documents.
    pub(crate) fn warn(&self, done: &mut Done) {
        for (name, warnings) in &self.warnings {
            done.warn_file(&self.texts, name, warnings);
        }
    }

    /// Adds the warnings about what the zones receive, each once.
    pub(crate) fn warn_zones(&self, zones: &[MeshZone], done: &mut Done) {
        done.warn(&self.name, &zone_warnings(zones));
    }

    /// Adds the warnings about requests that figures of zones leave out.
    pub(crate) fn warn_left_out(&self, zones: &[MeshZone], done: &mut Done) {
        done.warn(&self.name, &left_out_warnings(zones));
    }
}

/// The warnings about the documents of a file: settings, then documents of other kinds.
fn take_warnings(read: &mut MeshDocuments) -> Vec<Diagnostic> {
    let mut found = std::mem::take(&mut read.warnings);
    let skipped = read.skipped.iter();
    found.extend(skipped.map(SkippedDocument::diagnostic));
    found
}

/// The error of an output that depends on the proxy.
pub(crate) fn no_view(input: &MeshInput, zones: &[MeshZone]) -> Faults {
    let names: Vec<&str> = zones.iter().map(|zone| zone.name.as_str()).collect();
    let fault = Diagnostic::error(
        "input/no-view",
        "the output depends on the proxy that sends the requests",
    );
    let expected = format!(
        "--as with one of {}, or --proxy NAME|FILE",
        names.join(", ")
    );
    Faults::one(&input.name, &fault.expected(expected))
}
