//! The tables of `fleet`.

use comfy_table::{Cell, Color};
use spillgate_explain::format::fixed;
use spillgate_sim::fleet::{EqualHosts, HostClassLoad, ZoneDemand};

use super::{
    answer::FleetAnswer,
    args::FleetArgs,
    figures::{counted, in_style, known, money, percent, place},
};
use crate::split::{Style, bar, lines, number, table, text};

/// The rows of a table unless `--all`.
const SCREEN: usize = 10;

/// A cell with names of the configuration.
fn names(content: &str, style: Style) -> Cell {
    text(in_style(content, style))
}

/// A ratio in percent, red above 100 %.
fn utilization(ratio: Option<f64>, style: Style) -> Cell {
    let cell = number(percent(ratio));
    if style == Style::Colored && ratio.is_some_and(|ratio| ratio > 1.0 + 1e-9) {
        cell.fg(Color::Red)
    } else {
        cell
    }
}

/// Callers, hosts and loads of each zone, worst first.
pub(super) fn zones(answer: &FleetAnswer, style: Style) -> String {
    let has_capacity = answer.report.has_capacity();
    let mut head = vec!["zone", "callers", "sends/s", "hosts", "gets/s"];
    if has_capacity {
        head.extend(["of capacity %", ""]);
    }
    head.extend(["at most/s", ""]);
    if has_capacity {
        head.insert(head.len() - 1, "of capacity %");
    }
    let mut table = table(style, &head);
    let mut order: Vec<usize> = (0..answer.report.zones.len()).collect();
    order.sort_by(|a, b| {
        answer
            .worst_of_zone(*b)
            .0
            .total_cmp(&answer.worst_of_zone(*a).0)
    });
    for at in order {
        let zone = answer.report.zones.get(at);
        let (Some(zone), Some(present)) = (zone, answer.present()) else {
            continue;
        };
        let own = answer.callers().iter().filter(|class| {
            class.locality.region == zone.region && class.locality.zone == zone.zone
        });
        let callers: u64 = own.clone().map(|class| class.callers).sum();
        let sent = own.fold(0.0, |sum, class| sum + answer.sent(class));
        let Some(now) = present.zones.get(at) else {
            continue;
        };
        let mut row = vec![
            names(&answer.report.zone_name(at), style),
            number(callers),
            number(fixed(sent)),
            number(now.usable),
            number(fixed(now.rps)),
        ];
        if has_capacity {
            row.push(utilization(now.utilization(), style));
            row.push(bar(now.utilization().unwrap_or(0.0) * 100.0, style));
        }
        let case = answer.worst_of_zone(at).1;
        let worst = answer
            .report
            .cases
            .get(case)
            .and_then(|case| case.zones.get(at));
        row.push(number(known(worst.map(|of| of.rps))));
        if has_capacity {
            row.push(utilization(worst.and_then(|of| of.utilization()), style));
        }
        row.push(names(&answer.report.condition(case), style));
        table.add_row(row);
    }
    lines(&table)
}

/// The loss of zones, worst first; `None` without any.
pub(super) fn cases(answer: &FleetAnswer, args: &FleetArgs, style: Style) -> Option<String> {
    let has_capacity = answer.report.has_capacity();
    let mut head = vec!["lost zones", "most loaded", "gets/s"];
    if has_capacity {
        head.extend(["of capacity %", "worst host %"]);
    }
    head.extend(["no host/s", "panic", "between zones/s"]);
    let (has_bytes, has_cost) = priced(answer);
    if has_bytes {
        head.push("GB/h");
    }
    if has_cost {
        head.push("cost/h");
    }
    head.push("survives");
    let mut table = table(style, &head);
    let mut rows: Vec<(f64, f64, usize)> = Vec::new();
    for (at, case) in answer.report.cases.iter().enumerate().skip(1) {
        let zones = case.zones.iter().map(|of| answer.report.measure(of));
        rows.push((case.no_host, zones.fold(0.0, f64::max), at));
    }
    if rows.is_empty() {
        return None;
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let left = left_out(&mut rows, args);
    for (.., at) in rows {
        let Some(case) = answer.report.cases.get(at) else {
            continue;
        };
        let zones = case.zones.iter().enumerate();
        let measure = |of: &ZoneDemand| answer.report.measure(of);
        let most = zones.max_by(|a, b| measure(a.1).total_cmp(&measure(b.1)));
        let (zone, of) = most.map_or((0, None), |(zone, of)| (zone, Some(of)));
        let mut row = vec![
            names(&answer.report.case_name(at), style),
            names(&answer.report.zone_name(zone), style),
            number(known(of.map(|of| of.rps))),
        ];
        if has_capacity {
            row.push(utilization(of.and_then(|of| of.utilization()), style));
            row.push(utilization(case.highest(), style));
        }
        row.push(number(fixed(case.no_host)));
        let panic = case.priorities.iter().filter(|of| of.panic);
        let panic: Vec<String> = panic.map(|of| place(Some(&of.place))).collect();
        row.push(names(&panic.join(", "), style));
        row.push(number(fixed(case.crossing_rps())));
        if has_bytes {
            row.push(number(known(case.crossing_gb())));
        }
        if has_cost {
            row.push(number(money(case.cost())));
        }
        row.push(text(if case.survives() { "yes" } else { "NO" }));
        table.add_row(row);
    }
    Some(lines(&table) + &more(left))
}

/// What each priority must be able to take.
pub(super) fn needs(answer: &FleetAnswer, style: Style) -> String {
    let has_capacity = answer.report.has_capacity();
    let mut head = vec!["priority", "now/s", "must take/s", "hosts"];
    if has_capacity {
        head.push("of capacity %");
    }
    head.push("");
    let mut table = table(style, &head);
    for need in &answer.report.needs {
        let now = answer
            .present()
            .and_then(|case| case.priorities.iter().find(|of| of.place == need.place));
        let mut row = vec![
            names(&place(Some(&need.place)), style),
            number(fixed(now.map_or(0.0, |of| of.rps))),
            number(fixed(need.demand.rps)),
            number(
                need.demand
                    .usable
                    .map_or_else(|| String::from("-"), |of| of.to_string()),
            ),
        ];
        if has_capacity {
            row.push(utilization(need.demand.utilization(), style));
        }
        row.push(names(&answer.report.condition(need.case), style));
        table.add_row(row);
    }
    lines(&table)
}

/// The traffic between zones with all zones, largest first; `None` for a single zone.
pub(super) fn traffic(answer: &FleetAnswer, args: &FleetArgs, style: Style) -> Option<String> {
    if answer.report.zones.len() < 2 {
        return None;
    }
    let (has_bytes, has_cost) = priced(answer);
    let mut head = vec!["from", "to", "requests/s"];
    if has_bytes {
        head.push("GB/h");
    }
    if has_cost {
        head.push("cost/h");
    }
    let mut table = table(style, &head);
    let present = answer.present()?;
    let mut flows = present.flows.clone();
    flows.sort_by(|a, b| b.rps.total_cmp(&a.rps));
    let left = left_out(&mut flows, args);
    for flow in &flows {
        let mut row = vec![
            names(&answer.report.zone_name(flow.from), style),
            names(&answer.report.zone_name(flow.to), style),
            number(fixed(flow.rps)),
        ];
        if has_bytes {
            row.push(number(known(flow.gb_per_hour)));
        }
        if has_cost {
            row.push(number(money(flow.cost_per_hour)));
        }
        table.add_row(row);
    }
    let mut row = vec![
        text("between zones"),
        text(""),
        number(fixed(present.crossing_rps())),
    ];
    if has_bytes {
        row.push(number(known(present.crossing_gb())));
    }
    if has_cost {
        row.push(number(money(present.cost())));
    }
    table.add_row(row);
    Some(lines(&table) + &more(left))
}

/// The host classes with all zones, the most loaded first.
pub(super) fn classes(answer: &FleetAnswer, args: &FleetArgs, style: Style) -> String {
    let has_capacity = answer.report.has_capacity();
    let mut head = vec![
        "hosts",
        "priority",
        "zone",
        "health",
        "weight",
        "each/s",
        "at most/s",
    ];
    if has_capacity {
        head.push("of capacity %");
    }
    head.push("");
    let mut table = table(style, &head);
    let Some(present) = answer.present() else {
        return String::new();
    };
    let all = answer.report.classes.iter().zip(&present.classes);
    let mut rows: Vec<_> = all
        .enumerate()
        .map(|(at, (class, load))| (class, load, worst_of_class(answer, at)))
        .collect();
    rows.sort_by(|a, b| {
        let measure = |(class, _, (highest, _)): &(&EqualHosts, &HostClassLoad, (f64, usize))| {
            class.capacity.map_or(*highest, |of| highest / of)
        };
        // Ingresses pass their requests on, and have no capacity of their own.
        let relays = a.0.relays.cmp(&b.0.relays);
        relays.then_with(|| measure(b).total_cmp(&measure(a)))
    });
    let left = left_out(&mut rows, args);
    for (class, load, (highest, case)) in rows {
        let name = match class.hosts {
            1 => class.example.clone(),
            several => counted(several),
        };
        let health = class.health.name();
        let mut row = vec![
            names(&name, style),
            names(&place(class.place.as_ref()), style),
            names(&answer.report.zone_name(class.zone), style),
            text(if class.relays { "ingress" } else { health }),
            number(class.weight),
            number(fixed(load.rps / class.hosts.max(1) as f64)),
            number(fixed(highest)),
        ];
        if has_capacity {
            row.push(utilization(class.capacity.map(|of| highest / of), style));
        }
        row.push(names(&answer.report.condition(case), style));
        table.add_row(row);
    }
    let imbalance = match present.imbalance {
        Some(ratio) => {
            format!("imbalance (most loaded host over the mean of its priority): {ratio:.2}\n")
        }
        None => String::new(),
    };
    lines(&table) + &more(left) + &imbalance
}

/// The highest load of a host of a class over all cases, and the first case that has it.
fn worst_of_class(answer: &FleetAnswer, class: usize) -> (f64, usize) {
    let cases = answer.report.cases.iter().enumerate();
    let loads = cases.filter_map(|(case, of)| Some((of.classes.get(class)?.highest, case)));
    loads.fold(
        (0.0, 0),
        |worst, load| {
            if load.0 > worst.0 { load } else { worst }
        },
    )
}

/// Cuts rows to a screen, and gives the number of the others.
fn left_out<T>(rows: &mut Vec<T>, args: &FleetArgs) -> usize {
    let most = if args.all { usize::MAX } else { SCREEN };
    let left = rows.len().saturating_sub(most);
    rows.truncate(most);
    left
}

fn more(left: usize) -> String {
    match left {
        0 => String::new(),
        left => format!("and {left} more; --all prints them\n"),
    }
}

/// Whether sizes and prices are given.
fn priced(answer: &FleetAnswer) -> (bool, bool) {
    let sized = answer.callers().iter().any(|class| class.bytes.is_some());
    (sized, sized && !answer.fleet.prices.is_empty())
}
