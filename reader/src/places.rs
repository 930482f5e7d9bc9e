//! Where in the user's text the values stand that the page points at.

use spillgate_config::{
    Position,
    envoy::{EndpointMarks, Marks},
    node::Writer,
};
use spillgate_core::model::Model;

/// One object for each cluster, in the order of the model.
pub(crate) fn write(model: &Model, marks: &Marks, out: &mut Writer) {
    for cluster in model.clusters() {
        let marks = marks.cluster(&cluster.name);
        out.begin_object();
        let fields = [
            ("cluster", marks.map(|marks| marks.cluster)),
            (
                "panic_threshold",
                marks.and_then(|marks| marks.healthy_panic_threshold),
            ),
            (
                "overprovisioning_factor",
                marks.and_then(|marks| marks.overprovisioning_factor),
            ),
            ("members", marks.and_then(|marks| marks.members)),
        ];
        for (name, position) in fields {
            out.key(name);
            match position {
                Some(position) => list(out, [position]),
                None => out.null(),
            }
        }
        out.key("levels");
        out.begin_list();
        for level in marks.map_or(&[][..], |marks| &marks.levels) {
            out.begin_list();
            for host in level {
                endpoint(host, out);
            }
            out.end_list();
        }
        out.end_list();
        out.end_object();
    }
}

/// Line and column of a host and of its `health_status`; zeros where it has none.
fn endpoint(marks: &EndpointMarks, out: &mut Writer) {
    const NOWHERE: Position = Position { line: 0, column: 0 };
    list(
        out,
        [marks.endpoint, marks.health_status.unwrap_or(NOWHERE)],
    );
}

fn list<const COUNT: usize>(out: &mut Writer, positions: [Position; COUNT]) {
    out.begin_list();
    for position in positions {
        out.uint(u64::from(position.line));
        out.uint(u64::from(position.column));
    }
    out.end_list();
}
