//! Reading request lists.

use spillgate_config::Position;

use super::*;

#[test]
fn a_row_has_defaults() {
    let list = read_requests(
        "\n{\"i\":7,\"path\":\"/a?b\"}\n",
        "localhost",
        CountField::Rejected,
    )
    .unwrap();
    assert_eq!(
        list.rows,
        [RequestRow {
            i: 7.into(),
            request: PickRequest {
                headers: [
                    (":method", "GET"),
                    (":authority", "localhost"),
                    (":path", "/a?b")
                ]
                .map(|(name, value)| (name.into(), value.into()))
                .into(),
                source: SOURCE.into(),
                local: LOCAL.into(),
                attempt: 0,
                tried: Vec::new(),
                active: Vec::new(),
                since_healthy: Vec::new(),
                given: GivenConnection::default(),
            },
            count: 1,
            session: None,
        }]
    );
}

#[test]
fn header_values_are_trimmed_as_on_the_wire() {
    let row = r#"{"i":0,"path":"/","headers":[["X-Key"," \ta b\t "],["x-empty","  "]]}"#;
    let list = read_requests(row, "localhost", CountField::Rejected).unwrap();
    let headers = &list.rows[0].request.headers;
    assert!(
        headers.contains(&("x-key".into(), "a b".into())),
        "{headers:?}"
    );
    assert!(
        headers.contains(&("x-empty".into(), String::new())),
        "{headers:?}"
    );
}

#[test]
fn a_host_header_is_the_authority_as_on_the_wire() {
    let row = r#"{"i":0,"path":"/","host":"other","headers":[["Host","shop.example"]]}"#;
    let list = read_requests(row, "localhost", CountField::Rejected).unwrap();
    let headers = &list.rows[0].request.headers;
    assert_eq!(headers[1], (":authority".into(), "shop.example".into()));
    assert_eq!(headers.len(), 3);
}

#[test]
fn connection_and_host_fields_are_read() {
    let text = concat!(
        "{\"i\":0,\"path\":\"/\",\"source\":\"[2001:DB8::1]:7\",\"local\":\"1.2.3.4:5\",",
        "\"attempt\":2,\"tried\":[\"10.0.0.1:80\"],\"active\":{\"10.0.0.2:80\":3}}",
    );
    let list = read_requests(text, "localhost", CountField::Rejected).unwrap();
    let request = &list.rows[0].request;
    assert_eq!(request.source, "[2001:db8::1]:7");
    assert_eq!(request.local, "1.2.3.4:5");
    assert_eq!(request.attempt, 2);
    assert_eq!(request.tried, ["10.0.0.1:80"]);
    assert_eq!(request.active, [("10.0.0.2:80".into(), 3)]);
}

#[test]
fn every_error_of_every_row_has_its_position() {
    let text = concat!(
        "{\"i\":0,\"path\":7,\"metod\":\"GET\"}\n",
        "[]\n",
        "{\"path\":\"/\",\"headers\":[[\"a\"]],\"source\":\"x\"}\n",
        "{\"i\":3,\"path\":\"/\",\"session\":[\"u1\"],\"attempt\":-1}\n",
        "{\"i\":4,\"path\":\"/\",\"tried\":[],\"active\":{},\"count\":2}\n",
        "{\"i\":5\n",
        "{\"i\":6,\"path\":\"/\",\"tried\":[\"a\"],\"active\":{\"b\":1,\"1.2.3.4:5\":-1}}\n",
        "{\"i\":7,\"path\":\"/\",\"tried\":\"1.2.3.4:5\",\"active\":[]}\n",
        "{\"i\":8,\"path\":\"/\",\"attempt\":1001}\n",
    );
    let faults = read_requests(text, "localhost", CountField::Rejected).unwrap_err();
    let places: Vec<(u32, u32, &str)> = faults
        .iter()
        .map(|fault| {
            let at = fault.position.unwrap();
            (at.line, at.column, fault.code)
        })
        .collect();
    assert_eq!(
        places,
        [
            (1, 15, "request/type"),
            (1, 17, "request/unknown-field"),
            (2, 1, "request/type"),
            (3, 1, "request/missing"),
            (3, 24, "request/type"),
            (3, 40, "request/type"),
            (4, 29, "request/type"),
            (4, 46, "request/type"),
            (5, 42, "request/unknown-field"),
            (6, 7, "config/truncated"),
            (7, 28, "request/type"),
            (7, 43, "request/type"),
            (7, 61, "request/type"),
            (8, 27, "request/type"),
            (8, 48, "request/type"),
            (9, 29, "request/type"),
        ],
        "{faults:#?}"
    );
    assert!(faults[1].to_string().contains("did you mean method?"));
}

#[test]
fn a_warning_of_a_row_is_no_error() {
    let text = concat!(
        "{\"i\":0,\"path\":\"/\"}\n",
        "{\"i\":1,\"path\":\"/a\",\"path\":\"/b\"}\n"
    );
    let list = read_requests(text, "localhost", CountField::Rejected).unwrap();
    assert_eq!(list.rows.len(), 2);
    let [warning] = list.warnings.as_slice() else {
        panic!("{:?}", list.warnings);
    };
    assert_eq!(warning.code, "config/repeated-key");
    assert_eq!(
        warning.position,
        Some(Position {
            line: 2,
            column: 20
        })
    );
    // With an error, only that.
    let text = format!("{text}{{\"path\":\"/\"}}\n");
    let faults = read_requests(&text, "localhost", CountField::Rejected).unwrap_err();
    assert_eq!(faults.len(), 1);
    // A report ends, whatever the number of warnings.
    let many = "{\"i\":1,\"path\":\"/\",\"path\":\"/\"}\n".repeat(1001);
    let list = read_requests(&many, "localhost", CountField::Rejected).unwrap();
    assert_eq!(list.warnings.len(), 1001);
    assert_eq!(list.warnings.last().unwrap().code, "config/more");
}
