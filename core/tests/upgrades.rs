//! Which requests ask for an upgrade or a tunnel: only these keep the headers that name it.

use spillgate_core::route::{Connection, ConnectionManager, HeaderList};

fn asks(sent: &[(&str, &str)]) -> bool {
    let sent = HeaderList(sent);
    let manager = ConnectionManager::default();
    manager.receive(&sent, Connection::default(), &[]).upgrades
}

#[test]
fn an_upgrade_needs_both_of_its_headers() {
    let (connection, upgrade) = (("connection", "te, Upgrade"), ("upgrade", "websocket"));
    assert!(asks(&[connection, upgrade]));
    assert!(!asks(&[connection]));
    assert!(!asks(&[upgrade]));
    assert!(!asks(&[connection, ("upgrade", "")]));
    assert!(!asks(&[("connection", "te"), upgrade]));
}

#[test]
fn connect_asks_for_a_tunnel() {
    assert!(asks(&[(":method", "CONNECT")]));
    assert!(!asks(&[(":method", "GET")]));
}
