//! All long checks.

use super::check::CheckNeed::{self, Browser, Envoy, Filter, Twin};
use super::check::{CheckProgram, CheckTest, LongCheck, TestBuild};
use super::sanitizer::Sanitizer::{self, Address, Thread};

/// The checks, in the order of the document.
pub const CHECKS: &[LongCheck] = &[
    // The engine.
    LongCheck {
        name: "priority-load",
        shows: "loads of priorities and panic mode are those of a naive second implementation, to the last integer",
        short: "85,644 states",
        full: "5,513,508 states: up to 4 priorities of up to 20 hosts",
        takes: "3 min",
        program: optimized(
            "core",
            "priority_load",
            "every_state_matches_the_second_implementation",
            &[],
        ),
    },
    LongCheck {
        name: "metamorphic",
        shows: "loads sum to 100, follow health, and never drop for P0 when its host recovers; order and names of hosts change no share; no pick is outside of its subset",
        short: "20,000 cases of each of 5 properties",
        full: "more than 100,000,000 cases",
        takes: "15 min",
        program: optimized("core", "metamorphic", "", &[]),
    },
    LongCheck {
        name: "replay",
        shows: "the figures of an explained decision lead to the same choice",
        short: "20,000 decisions",
        full: "6,000,000 decisions",
        takes: "10 min",
        program: optimized("explain", "replay", "", &[]),
    },
    LongCheck {
        name: "locality-policies",
        shows: "priority groups and shares of Kuma's and Istio's locality policies are those of a naive second implementation",
        short: "500 policies of each mesh",
        full: "10,000 policies of each mesh",
        takes: "1 min",
        program: optimized("mesh", "mesh", "", &[]),
    },
    LongCheck {
        name: "mesh-round-trip",
        shows: "the Envoy configuration of a mesh policy reads back as the same priority groups with the same shares",
        short: "300 policies",
        full: "10,000 policies",
        takes: "1 min",
        program: optimized(
            "config",
            "config",
            "mesh_round_trip::a_written_configuration_has_the_same_groups_and_shares",
            &[],
        ),
    },
    LongCheck {
        name: "differential",
        shows: "the engine and the real Envoy agree over random topologies, also with runtime values, changed requests and retries",
        short: "960 topologies",
        full: "5,000 topologies, 1,000,000 requests",
        takes: "20 min",
        program: CheckProgram::Command(&[
            "differential",
            "--scenarios",
            "5000",
            "--requests",
            "1000000",
            "--features=-refresh_cluster_on_retry,-client_address_extension",
            "--seed",
            "1",
        ]),
    },
    LongCheck {
        name: "diff",
        shows: "the verdicts of `diff` are those of the real Envoy before and after a change: what is proved equal does not differ; shares, moved keys and routes are as predicted (family-wise 99 %)",
        short: "12 pairs",
        full: "500 pairs",
        takes: "20 min",
        program: CheckProgram::Comparison("diff-truth", &["--pairs", "500", "--seed", "1"]),
    },
    LongCheck {
        name: "ignored-fields",
        shows: "fields of Envoy's messages that are classed as ignored change no choice of the real Envoy; random policies by a family-wise test, which detects a host whose share differs by 2 percentage points (in full; power 0.9)",
        short: "every field in 1 configuration",
        full: "every field in 20 configurations",
        takes: "15 min",
        program: in_envoy("ignored_fields::no_ignored_field_changes_a_choice"),
    },
    LongCheck {
        name: "fleet",
        shows: "over all callers of random fleets with zone-aware routing, the requests of each host and each zone are inside the 99 % band (family-wise) of the predicted loads",
        short: "4 fleets of up to 6 Envoys",
        full: "200 fleets of up to 30 Envoys, 500 requests from each",
        takes: "45 min",
        program: CheckProgram::Test(CheckTest {
            package: "e2e",
            binary: "envoy",
            test: "fleet::zones_and_hosts_get_the_predicted_loads",
            build: TestBuild::Debug,
            needs: &[Envoy],
        }),
    },
    LongCheck {
        name: "twins",
        shows: "`split`, `pick` and the decisions of the filter are the same bytes natively and as WebAssembly, every time",
        short: "60 configurations, one of them 20 times",
        full: "10,000 configurations, one of them 1,000 times",
        takes: "30 min",
        program: optimized("testkit", "wasm", "", &[Twin]),
    },
    LongCheck {
        name: "filter-decisions",
        shows: "the shipped filter decides as the engine does natively, byte for byte, every time",
        short: "100 configurations, one of them 5 times",
        full: "10,000 configurations, one of them 1,000 times",
        takes: "30 min",
        program: optimized(
            "filter",
            "filter",
            "same_engine::random_configurations",
            &[Filter],
        ),
    },
    LongCheck {
        name: "browser-decisions",
        shows: "the same bytes in a browser",
        short: "60 configurations, one of them 20 times",
        full: "10,000 configurations, one of them 1,000 times",
        takes: "10 min",
        program: optimized(
            "e2e",
            "browser",
            "twins::answers_are_the_same_in_a_browser",
            &[Twin, Browser],
        ),
    },
    LongCheck {
        name: "overlaps",
        shows: "with names of real control planes and many priorities, no label of the playground overlaps another one or is cut without a title, and it does not scroll sideways",
        short: "40 configurations at 6 widths",
        full: "200 configurations at 6 widths",
        takes: "5 min",
        program: CheckProgram::Test(CheckTest {
            package: "e2e",
            binary: "browser",
            test: "overlaps::labels_have_room_and_the_page_does_not_scroll_sideways",
            build: TestBuild::Debug,
            needs: &[Browser],
        }),
    },
    LongCheck {
        name: "page-filter",
        shows: "playground, CLI and `spillgate.wasm`, which the playground runs, give identical answers",
        short: "60 scenarios",
        full: "1,000 scenarios",
        takes: "10 min",
        program: optimized(
            "e2e",
            "browser",
            "filter::page_command_and_filter_give_the_same_answers",
            &[Browser],
        ),
    },
    LongCheck {
        name: "mutated-inputs",
        shows: "no changed link and no changed paste runs a script, blocks the playground for a second, or leaves it blank",
        short: "100 links, 100 pastes",
        full: "5,000 links, 5,000 pastes",
        takes: "15 min",
        program: CheckProgram::Test(CheckTest {
            package: "e2e",
            binary: "browser",
            test: "mutated::changed_links_and_pastes_are_harmless",
            build: TestBuild::Debug,
            needs: &[Browser],
        }),
    },
    // Configurations.
    LongCheck {
        name: "written-configurations",
        shows: "a written configuration, scenario or filter configuration reads back as the same model, and files without addresses and names have none",
        short: "2,500 models per property",
        full: "10,000 models per property",
        takes: "5 min",
        program: optimized("export", "round_trip", "", &[]),
    },
    LongCheck {
        name: "lint",
        shows: "lint reports added faults, and nothing in configurations without faults",
        short: "210 faults, 400 valid configurations",
        full: "the same",
        takes: "1 min",
        program: optimized("lint", "lint", "", &[]),
    },
    // Hostile input.
    LongCheck {
        name: "tokens",
        shows: "no forged token opens",
        short: "100,000 tokens; all 720,000 single flipped bits of 1,000 tokens",
        full: "1,000,000,000 tokens",
        takes: "20 min",
        program: CheckProgram::Command(&["tokens", "--count", "1000000000"]),
    },
    LongCheck {
        name: "fuzz",
        shows: "no input of a fuzz target panics, takes too long, or gives a wrong answer",
        short: "3,000 generated inputs per target",
        full: "10 minutes per target, guided by coverage",
        takes: "55 min",
        program: CheckProgram::Command(&["fuzz", "--seconds", "600"]),
    },
    LongCheck {
        name: "forged-tokens",
        shows: "the filter in Envoy accepts no forged token",
        short: "20,000 tokens",
        full: "1,000,000 tokens",
        takes: "15 min",
        program: in_envoy("sessions_forged::no_forged_token_is_taken"),
    },
    LongCheck {
        name: "forged-token-latency",
        shows: "the latency of a forged token does not depend on the kind of forgery: medians differ by at most 10 %",
        short: "200 requests per kind, not compared",
        full: "10,000 requests per kind",
        takes: "2 min",
        program: in_envoy("sessions_forged::the_latency_does_not_depend_on_the_kind_of_forgery"),
    },
    LongCheck {
        name: "hostile-headers",
        shows: "hostile headers over HTTP/1 and HTTP/2 lead to no other host than the decided one",
        short: "3,000 requests",
        full: "1,000,000 requests",
        takes: "15 min",
        program: in_envoy("filter_hostile::hostile_requests_reach_only_the_host_that_is_decided"),
    },
    LongCheck {
        name: "hostile-sessions",
        shows: "the same with sessions, retries and changing live health",
        short: "3,000 requests",
        full: "100,000 requests",
        takes: "5 min",
        program: in_envoy(
            "filter_hostile_live::hostile_requests_with_sessions_retries_and_live_health",
        ),
    },
    LongCheck {
        name: "named-targets",
        shows: "no address that a client names in a cookie, token, foreign session or header is followed",
        short: "580 texts in 7 places",
        full: "11,600 texts in 7 places",
        takes: "5 min",
        program: in_envoy("filter_targets::no_named_target_is_followed"),
    },
    LongCheck {
        name: "native-asan",
        shows: "hostile headers, tokens, hosts and configurations, in every order of hooks that Envoy can produce, lead to no memory error and no leak in the dynamic module; decisions have published hosts only, and no forged token opens",
        short: "60 seeds of 100 steps, without the address sanitizer",
        full: "1,000 seeds of 400 steps, with the address sanitizer",
        takes: "15 min",
        program: sanitized(
            Address,
            "hostile",
            "no_order_of_hooks_and_no_input_breaks_the_module",
        ),
    },
    LongCheck {
        name: "native-tsan",
        shows: "the dynamic module's threads order their accesses while hosts, clusters and configurations are replaced",
        short: "9,000 requests on 3 workers, without the thread sanitizer",
        full: "1,200,000 requests on 3 workers, with the thread sanitizer",
        takes: "15 min",
        program: sanitized(
            Thread,
            "threads",
            "workers_decide_while_everything_is_replaced",
        ),
    },
    // Sessions and faults.
    LongCheck {
        name: "worlds",
        shows: "simulated gateways keep every rule of sessions while hosts, keys, clocks and views change",
        short: "100,000 worlds of 200 steps",
        full: "1,000,000 worlds of 1,000 steps",
        takes: "90 min",
        program: optimized("sim", "world", "many::every_rule_holds_in_every_world", &[]),
    },
    LongCheck {
        name: "workers",
        shows: "1, 2, 4 and 8 workers decide the same about every token",
        short: "4,800 requests",
        full: "1,000,000 requests",
        takes: "15 min",
        program: in_envoy("sessions_workers::all_workers_agree_about_every_token"),
    },
    LongCheck {
        name: "failover-steps",
        shows: "failover and failback in small steps move only sessions of failed hosts",
        short: "200 sessions, steps of 25 %",
        full: "1,000 sessions, steps of 5 %",
        takes: "3 min",
        program: in_envoy("sessions_steps::failover_and_failback_in_small_steps"),
    },
    LongCheck {
        name: "two-gateways",
        shows: "two gateways agree on the host of each session",
        short: "300 sessions, 4 rounds",
        full: "1,000 sessions, 20 rounds",
        takes: "3 min",
        program: in_envoy("sessions_gateways::a_session_is_at_one_host_whichever_gateway_is_asked"),
    },
    LongCheck {
        name: "mixed-gateways",
        shows: "the same with a gateway with the Wasm filter and one with the dynamic module",
        short: "300 sessions, 4 rounds",
        full: "1,000 sessions, 20 rounds",
        takes: "3 min",
        program: in_envoy(
            "sessions_gateways::gateways_with_different_forms_of_the_filter_share_sessions",
        ),
    },
    LongCheck {
        name: "key-rotation",
        shows: "rotations of token keys under load lose no session",
        short: "3 rotations, 200 sessions",
        full: "30 rotations, 2,000 sessions",
        takes: "5 min",
        program: in_envoy("sessions_rotation::new_keys_lose_no_session"),
    },
    LongCheck {
        name: "both-forms",
        shows: "the Wasm filter and the dynamic module lead each request with sessions and criteria to the same host",
        short: "2,000 requests",
        full: "10,000 requests",
        takes: "1 min",
        program: in_envoy("sessions_forms::both_forms_lead_each_request_to_the_same_host"),
    },
    LongCheck {
        name: "drains",
        shows: "hosts drain under load: no session moves early, no request fails",
        short: "200 sessions, 4 hosts",
        full: "2,000 sessions, 8 hosts",
        takes: "5 min",
        program: in_envoy("sessions_drain::hosts_are_drained_one_by_one_without_a_loss"),
    },
    LongCheck {
        name: "failing-hosts",
        shows: "hosts fail and return under load: shares as predicted, at most one failed request per cut connection",
        short: "3 hosts, 16 connections",
        full: "4 hosts, 50 connections",
        takes: "3 min",
        program: in_envoy("filter_failover::hosts_fail_and_come_back_under_load"),
    },
    LongCheck {
        name: "configuration-changes",
        shows: "new configurations and modules under load fail no request",
        short: "8 configurations, 3 modules",
        full: "50 configurations, 20 modules",
        takes: "3 min",
        program: in_envoy("filter_ecds::changes_under_load_lose_nothing"),
    },
    LongCheck {
        name: "traps",
        shows: "a filter that traps serves again within 1.5 s, every time",
        short: "4 traps, time not compared",
        full: "60 traps",
        takes: "3 min",
        program: in_envoy("filter_failure::a_fresh_filter_serves_after_each_trap"),
    },
    LongCheck {
        name: "cluster-storm",
        shows: "changes of a cluster (CDS) under load: the dynamic module loses no request, and memory grows by at most 8 MiB",
        short: "200 changes, memory not compared",
        full: "50,000 changes",
        takes: "2 min",
        program: in_envoy(
            "module_storms::updates_under_load_lose_nothing::of_1_Discovered__Clusters",
        ),
    },
    LongCheck {
        name: "host-storm",
        shows: "the same with changes of its hosts (EDS)",
        short: "200 changes, memory not compared",
        full: "50,000 changes",
        takes: "2 min",
        program: in_envoy("module_storms::updates_under_load_lose_nothing::of_2_Discovered__Hosts"),
    },
    LongCheck {
        name: "filter-storm",
        shows: "the same with configurations of the filter (ECDS)",
        short: "200 configurations, memory not compared",
        full: "50,000 configurations",
        takes: "2 min",
        program: in_envoy(
            "module_storms::updates_under_load_lose_nothing::of_3_Discovered__Filter",
        ),
    },
    LongCheck {
        name: "envoy-versions",
        shows: "what Envoy 1.36.4, 1.37.0, 1.38.3, 1.39.3 and 1.40.0 do with the filter, the recorded scenarios and random topologies; writes docs/compatibility.md",
        short: "Envoy 1.39.3 and 1.40.0: the filter and some scenarios",
        full: "1,000 requests to the Wasm filter and to the dynamic module, all scenarios and 480 topologies on each version",
        takes: "10 min",
        program: CheckProgram::Versions("envoy-versions"),
    },
    LongCheck {
        name: "reproducible",
        shows: "two builds of a release in different folders are identical, byte for byte",
        short: "the packing of small files",
        full: "all files of a release",
        takes: "60 min",
        program: CheckProgram::Command(&["release", "--twice"]),
    },
    LongCheck {
        name: "native-versions",
        shows: "the same file of the dynamic module runs in Envoy 1.38.3, 1.39.3 and 1.40.0; Envoy 1.36.4 and 1.37.0 refuse it",
        short: "none",
        full: "1,000 requests on each version",
        takes: "3 min",
        program: CheckProgram::Versions("native-versions"),
    },
    LongCheck {
        name: "chaos",
        shows: "failing hosts, changing host lists and configurations, and hot restarts lose only sessions of failed hosts, and fail no request",
        short: "20 s, 1 hot restart",
        full: "1 h, 10 hot restarts",
        takes: "65 min",
        program: in_envoy("sessions_chaos::chaos_loses_only_sessions_whose_host_failed"),
    },
    // Size, load and time.
    LongCheck {
        name: "scale",
        shows: "10,000 hosts in 8 priorities and 1,000 subsets fit 64 MiB of a worker",
        short: "memory",
        full: "memory, and time in an interpreter",
        takes: "2 min",
        program: optimized(
            "filter",
            "filter",
            "many_hosts::eight_priorities_and_a_thousand_subsets_fit_a_worker",
            &[Filter],
        ),
    },
    LongCheck {
        name: "large-responses",
        shows: "a poller reads the largest responses of `/clusters` that Envoy passes on in 150 MiB",
        short: "8 MiB",
        full: "31 MiB",
        takes: "2 min",
        program: optimized(
            "filter",
            "filter",
            "large_responses::a_response_near_the_limit_of_envoy_fits_150_mib",
            &[Filter],
        ),
    },
    LongCheck {
        name: "soak",
        shows: "under load and new configurations, memory grows by at most 1 MiB an hour and the number of VMs stays the same",
        short: "20 s, 10 configurations, memory not compared",
        full: "2 h at 2,000 requests a second, 2,500 configurations",
        takes: "125 min",
        program: in_envoy("soak::memory_stays_as_it_is"),
    },
    LongCheck {
        name: "latency",
        shows: "latencies and the highest rate: no filter, native chain, Lua, our filter",
        short: "none",
        full: "5 rounds of 12 s for each",
        takes: "6 min",
        program: CheckProgram::Measurement("request-latency"),
    },
];

/// A test with the shipped filter in the real Envoy.
const fn in_envoy(test: &'static str) -> CheckProgram {
    CheckProgram::Test(CheckTest {
        package: "e2e",
        binary: "envoy",
        test,
        build: TestBuild::Debug,
        needs: &[Envoy, Filter],
    })
}

/// A test that computes a lot.
const fn optimized(
    package: &'static str,
    binary: &'static str,
    test: &'static str,
    needs: &'static [CheckNeed],
) -> CheckProgram {
    CheckProgram::Test(CheckTest {
        package,
        binary,
        test,
        build: TestBuild::Optimized,
        needs,
    })
}

/// A test of the dynamic module in the native host.
const fn sanitized(sanitizer: Sanitizer, binary: &'static str, test: &'static str) -> CheckProgram {
    CheckProgram::Test(CheckTest {
        package: "modulehost",
        binary,
        test,
        build: TestBuild::Sanitized(sanitizer),
        needs: &[],
    })
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs,
        path::{Path, PathBuf},
        process::Command,
    };

    use anyhow::Result;
    use serde_json::Value;

    use super::*;
    use crate::process;

    #[test]
    fn every_name_is_there_once() {
        for (at, check) in CHECKS.iter().enumerate() {
            let again = CHECKS
                .iter()
                .skip(at + 1)
                .any(|other| other.name == check.name);
            assert!(!again, "{}", check.name);
        }
    }

    /// The folder with the sources of each test program, by package and program.
    fn test_programs() -> Result<BTreeMap<(String, String), PathBuf>> {
        let mut command = Command::new(env!("CARGO"));
        command.args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ]);
        let metadata: Value = serde_json::from_str(&process::output(&mut command)?)?;
        let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let mut programs = BTreeMap::new();
        for package in list(&metadata, "packages") {
            for target in list(&package, "targets") {
                if list(&target, "kind").contains(&"test".into()) {
                    let source = PathBuf::from(text(&target, "src_path"));
                    programs.insert((text(&package, "name"), text(&target, "name")), source);
                }
            }
        }
        Ok(programs)
    }

    /// The file with a test: that of the program, or of the module that the test's path names.
    fn file_of(program: &Path, test: &str) -> PathBuf {
        match test.rsplit_once("::") {
            Some((module, _)) => program
                .with_file_name(module.replace("::", "/"))
                .with_extension("rs"),
            None => program.to_owned(),
        }
    }

    #[test]
    fn every_test_exists() -> Result<()> {
        let programs = test_programs()?;
        let mut missing = Vec::new();
        for check in CHECKS {
            let CheckProgram::Test(test) = &check.program else {
                continue;
            };
            let name = (
                format!("spillgate-{}", test.package),
                test.binary.to_owned(),
            );
            let Some(program) = programs.get(&name) else {
                missing.push(format!("{}: no test program {name:?}", check.name));
                continue;
            };
            // A test with parameters has a name for each case, such as `of_1_Cluster`.
            let path = match test.test.rsplit_once("::") {
                Some((function, case)) if case.starts_with("of_") => function,
                _ => test.test,
            };
            let file = file_of(program, path);
            let function = path.rsplit("::").next().unwrap_or_default();
            let text = fs::read_to_string(&file).unwrap_or_default();
            if !function.is_empty() && !text.contains(&format!("fn {function}(")) {
                missing.push(format!(
                    "{}: no {} in {}",
                    check.name,
                    test.test,
                    file.display()
                ));
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
        Ok(())
    }
}
