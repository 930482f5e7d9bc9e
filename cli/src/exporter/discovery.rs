//! Finds the targets: those of the arguments or of a file, and the addresses of names.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    net::{SocketAddr, ToSocketAddrs as _},
    path::PathBuf,
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use spillgate_answers::input::{Faults, name_of, read_text};
use spillgate_exporter::{
    MOST_TARGETS, TargetAddress, TargetSpec, read_target_list, spec_of_argument,
};

use super::{
    args::ExporterArgs,
    event::Event,
    found::FoundTargets,
    log::{Subject, first_code},
};

/// Where the targets are written.
#[derive(Debug)]
pub(super) struct TargetSource {
    /// The file; `None` for arguments.
    file: Option<PathBuf>,
    specs: Vec<TargetSpec>,
    /// The addresses that names had when they were resolved last.
    addresses: BTreeMap<String, Vec<SocketAddr>>,
}

/// A thread that finds the targets once an interval. It ends with this value.
#[derive(Debug)]
pub(super) struct Discovery {
    _alive: Sender<()>,
}

impl TargetSource {
    /// The targets of the arguments.
    ///
    /// # Errors
    /// Every value and every line that is no target.
    pub(super) fn of(args: &ExporterArgs) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut specs = Vec::new();
        for (number, text) in (1..).zip(&args.admin) {
            match spec_of_argument(number, text, &specs) {
                Ok(spec) => specs.push(spec),
                Err(fault) => faults.push("--admin", &fault),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut source = Self {
            file: args.targets.clone(),
            specs,
            addresses: BTreeMap::new(),
        };
        source.read_file().map(|()| source)
    }

    /// Reads the file again, if the targets come from one. The last ones stay if that fails.
    fn read_file(&mut self) -> Result<(), Faults> {
        if let Some(file) = &self.file {
            let text = read_text(file)?;
            self.specs = read_target_list(&text.name, &text.text)
                .map_err(|faults| Faults::all(&text, &faults))?;
        }
        Ok(())
    }

    /// The present targets. A name that cannot be resolved keeps its last addresses.
    fn find(&mut self) -> FoundTargets {
        let mut found = FoundTargets::default();
        if let Some(file) = self
            .file
            .as_deref()
            .map(|file| Subject::of_place(name_of(file)))
        {
            match self.read_file() {
                Ok(()) => found.successes.push(file),
                Err(faults) => {
                    found.failures.push((file, first_code(&faults)));
                }
            }
        }
        let mut labels = BTreeSet::new();
        for spec in &self.specs {
            if let TargetAddress::Dns(host) = &spec.address {
                let subject = Subject::of_place(spec.place.clone());
                match resolve(host) {
                    Some(addresses) => {
                        self.addresses.insert(host.clone(), addresses);
                        found.successes.push(subject);
                    }
                    None => found.failures.push((subject, "exporter/unresolved")),
                }
            }
            let addresses = match &spec.address {
                TargetAddress::Dns(host) => self.addresses.get(host),
                TargetAddress::Url(_) => None,
            };
            for target in spec.targets(addresses.map_or(&[], Vec::as_slice)) {
                // An address that two names have, or a name and a line, is read once.
                if !labels.insert(target.label.clone()) {
                    continue;
                }
                if found.targets.len() < MOST_TARGETS {
                    found.targets.push(target);
                } else {
                    found.left_out += 1;
                }
            }
        }
        found
    }
}

/// The addresses of `HOST:PORT`, sorted; `None` without any.
fn resolve(host: &str) -> Option<Vec<SocketAddr>> {
    let mut addresses: Vec<_> = host.to_socket_addrs().ok()?.collect();
    addresses.sort_unstable();
    addresses.dedup();
    (!addresses.is_empty()).then_some(addresses)
}

impl Discovery {
    /// Starts to find the targets, now and once an interval. Names are resolved in this thread alone, because that
    /// can take long.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub(super) fn start(
        mut source: TargetSource,
        interval: Duration,
        events: Sender<Event>,
    ) -> io::Result<Self> {
        let (alive, ended) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            while events.send(Event::Found(source.find())).is_ok() {
                if ended.recv_timeout(interval) == Err(RecvTimeoutError::Disconnected) {
                    break;
                }
            }
        })?;
        Ok(Self { _alive: alive })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn source(file: &std::path::Path) -> TargetSource {
        TargetSource {
            file: Some(file.to_owned()),
            specs: Vec::new(),
            addresses: BTreeMap::new(),
        }
    }

    fn labels(found: &FoundTargets) -> Vec<&str> {
        let targets = found.targets.iter();
        targets.map(|target| target.label.as_str()).collect()
    }

    #[test]
    fn a_changed_file_is_read_again_and_a_wrong_one_keeps_the_targets() {
        let folder = std::env::temp_dir().join(format!("spillgate-targets-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("targets.txt");
        let mut source = source(&file);
        fs::write(&file, "a=127.0.0.1:1\n").unwrap();
        assert_eq!(labels(&source.find()), ["a"]);
        fs::write(&file, "a=127.0.0.1:1\nb=127.0.0.1:2\n").unwrap();
        assert_eq!(labels(&source.find()), ["a", "b"]);
        fs::write(&file, "a=https://127.0.0.1:1\n").unwrap();
        let found = source.find();
        assert_eq!(labels(&found), ["a", "b"]);
        let subject = Subject::of_place(name_of(&file));
        assert_eq!(found.failures, [(subject.clone(), "admin/url")]);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(source.find().failures, [(subject, "input/unreadable")]);
    }

    #[test]
    fn names_have_all_their_addresses_once() {
        let mut source = TargetSource {
            file: None,
            specs: read_target_list("t", "127.0.0.1:1\ndns:127.1:1\ne=dns:127.0.0.1:2\n").unwrap(),
            addresses: BTreeMap::new(),
        };
        let found = source.find();
        assert_eq!(labels(&found), ["127.0.0.1:1", "e/127.0.0.1:2"]);
        assert_eq!(
            found.successes,
            ["t:2", "t:3"].map(|place| Subject::of_place(place.into()))
        );
    }

    #[test]
    fn further_targets_are_counted() {
        let lines = (0..MOST_TARGETS + 2).map(|at| format!("t{at}=127.0.0.1:1\n"));
        let text: String = lines.collect();
        let mut source = TargetSource {
            file: None,
            specs: read_target_list("t", &text).unwrap(),
            addresses: BTreeMap::new(),
        };
        let found = source.find();
        assert_eq!((found.targets.len(), found.left_out), (MOST_TARGETS, 2));
    }
}
