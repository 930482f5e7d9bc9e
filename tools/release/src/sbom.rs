//! The bill of materials in CycloneDX's JSON form: every crate in the shipped files, with its license and
//! its dependencies.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use cyclonedx_bom::models::component::Classification;
use cyclonedx_bom::models::dependency::{Dependencies, Dependency};
use cyclonedx_bom::models::license::{LicenseChoice, Licenses};
use cyclonedx_bom::prelude::{
    Bom, Component, Components, Metadata, NormalizedString, Purl, SpecVersion, Validate as _,
};
use serde_json::Value;

use crate::artifact::Artifact;
use crate::parts::{Parts, ReleaseId};

/// The packages that ship as programs or modules; the others ship as their dependencies.
pub const SHIPPED_PACKAGES: [&str; 6] = [
    "spillgate",
    "spillgate-embed",
    "spillgate-filter",
    "spillgate-module",
    "spillgate-playground",
    "spillgate-reader",
];

/// The document.
pub(crate) fn sbom(parts: &Parts, id: &ReleaseId) -> Result<Artifact> {
    let metadata: Value = serde_json::from_str(&parts.text("metadata.json")?)?;
    let graph = Graph::read(&metadata)?;
    let shipped = graph.reachable(&SHIPPED_PACKAGES)?;
    let mut whole = Component::new(
        Classification::Application,
        "spillgate-release",
        &id.version,
        Some(WHOLE.to_owned()),
    );
    whole.licenses = licenses(Some("Apache-2.0"));
    let timestamp = id
        .rfc3339()?
        .try_into()
        .map_err(|_| anyhow!("the time of the commit is out of range"))?;
    let components = shipped.iter().map(|id| graph.component(id));
    let mut dependencies: Vec<Dependency> = shipped.iter().map(|id| graph.dependency(id)).collect();
    dependencies.push(Dependency {
        dependency_ref: WHOLE.to_owned(),
        dependencies: graph.named(&SHIPPED_PACKAGES)?,
    });
    let bom = Bom {
        // A random number would differ from build to build.
        serial_number: None,
        metadata: Some(Metadata {
            timestamp: Some(timestamp),
            component: Some(whole),
            ..Metadata::default()
        }),
        components: Some(Components(components.collect::<Result<_>>()?)),
        dependencies: Some(Dependencies(dependencies)),
        spec_version: SpecVersion::V1_5,
        ..Bom::default()
    };
    let mut bytes = Vec::new();
    bom.output_as_json(&mut bytes, SpecVersion::V1_5)?;
    bytes.push(b'\n');
    Ok(Artifact::new(
        file_name(id),
        "the bill of materials (CycloneDX 1.5): all crates with their licenses",
        bytes,
    ))
}

/// The name of the file.
pub(crate) fn file_name(id: &ReleaseId) -> String {
    format!("spillgate-{}.cdx.json", id.version)
}

/// Checks that the document is valid, and that every component has a license and a package URL.
pub(crate) fn check(bytes: &[u8], id: &ReleaseId) -> Result<()> {
    let bom = Bom::parse_from_json(bytes).context("not a CycloneDX document")?;
    let result = bom.validate_version(SpecVersion::V1_5);
    ensure!(result.passed(), "not valid: {result:?}");
    let components = bom.components.map(|all| all.0).unwrap_or_default();
    for name in SHIPPED_PACKAGES {
        let version = NormalizedString::new(&id.version);
        let found = components.iter().any(|one| {
            one.name == NormalizedString::new(name) && one.version.as_ref() == Some(&version)
        });
        ensure!(found, "no component {name} {}", id.version);
    }
    let unlicensed = |one: &&Component| one.licenses.is_none() || one.purl.is_none();
    if let Some(component) = components.iter().find(unlicensed) {
        bail!("{}: no license or no package URL", component.name);
    }
    Ok(())
}

/// The reference of the whole release.
const WHOLE: &str = "release";

/// The packages of `cargo metadata`, and which of them each needs when it runs.
struct Graph<'a> {
    packages: BTreeMap<&'a str, &'a Value>,
    needs: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Graph<'a> {
    fn read(metadata: &'a Value) -> Result<Self> {
        let packages = list(&metadata["packages"])?
            .iter()
            .map(|package| Ok((text(&package["id"])?, package)));
        let mut needs = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"])? {
            let mut needed = BTreeSet::new();
            for dependency in list(&node["deps"])? {
                // Dependencies for tests and for build scripts are not in the files.
                let kinds = list(&dependency["dep_kinds"])?;
                if kinds.iter().any(|kind| kind["kind"].is_null()) {
                    needed.insert(text(&dependency["pkg"])?);
                }
            }
            needs.insert(text(&node["id"])?, needed);
        }
        Ok(Self {
            packages: packages.collect::<Result<_>>()?,
            needs,
        })
    }

    /// The ids of the packages with these names.
    fn ids(&self, names: &[&str]) -> Result<Vec<&'a str>> {
        let of = |name: &&str| {
            let mut all = self.packages.iter();
            let found = all.find(|(_, package)| package["name"] == **name);
            found
                .map(|(id, _)| *id)
                .with_context(|| format!("no package {name}"))
        };
        names.iter().map(of).collect()
    }

    /// The references of the packages with these names.
    fn named(&self, names: &[&str]) -> Result<Vec<String>> {
        let ids = self.ids(names)?;
        Ok(ids.into_iter().map(|id| self.reference(id)).collect())
    }

    /// The packages with these names, and all that they need.
    fn reachable(&self, names: &[&str]) -> Result<BTreeSet<&'a str>> {
        let mut found = BTreeSet::new();
        let mut open = self.ids(names)?;
        while let Some(id) = open.pop() {
            if found.insert(id) {
                open.extend(self.needs.get(id).into_iter().flatten());
            }
        }
        Ok(found)
    }

    /// `NAME@VERSION`. The id of a package in this workspace contains the builder's folder.
    fn reference(&self, id: &str) -> String {
        let field = |name: &str| {
            let package = self.packages.get(id);
            package
                .and_then(|package| package[name].as_str())
                .unwrap_or_default()
        };
        format!("{}@{}", field("name"), field("version"))
    }

    fn component(&self, id: &str) -> Result<Component> {
        let package = self
            .packages
            .get(id)
            .with_context(|| format!("no package {id}"))?;
        let (name, version) = (text(&package["name"])?, text(&package["version"])?);
        let reference = Some(self.reference(id));
        let mut component = Component::new(Classification::Library, name, version, reference);
        component.purl = Some(Purl::new("cargo", name, version)?);
        component.licenses = licenses(package["license"].as_str());
        Ok(component)
    }

    fn dependency(&self, id: &str) -> Dependency {
        let needs = self.needs.get(id).into_iter().flatten();
        Dependency {
            dependency_ref: self.reference(id),
            dependencies: needs.map(|needed| self.reference(needed)).collect(),
        }
    }
}

/// The license field of a package. Old packages write `A/B` for `A OR B`.
fn licenses(expression: Option<&str>) -> Option<Licenses> {
    let expression = expression?.replace('/', " OR ");
    Some(Licenses(vec![LicenseChoice::expression(&expression)]))
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value
        .as_array()
        .context("metadata.json: a list is expected")
}

fn text(value: &Value) -> Result<&str> {
    value.as_str().context("metadata.json: a text is expected")
}
