//! Reads the places of all values.

use saphyr_parser::{Event, Parser, Span};
use spillgate_config::Diagnostic;

use super::span::{SpanEntry, SpanKind, SpanNode, content};

/// The places of all values of a text with one document.
pub(super) fn read(text: &str) -> Result<SpanNode, Diagnostic> {
    let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    bytes.push(text.len());
    let mut builder = Builder {
        text,
        bytes,
        stack: Vec::new(),
        roots: Vec::new(),
    };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| unreadable(error.info()))?;
        builder.event(event, span)?;
    }
    let mut roots = builder.roots;
    match (roots.pop(), roots.is_empty()) {
        (Some(root), true) => Ok(root),
        _ => Err(unreadable("not exactly one document")),
    }
}

fn unreadable(why: &str) -> Diagnostic {
    Diagnostic::error("adopt/edit", format!("cannot edit this text: {why}"))
}

struct Builder<'t> {
    text: &'t str,
    /// The byte of each character.
    bytes: Vec<usize>,
    stack: Vec<Open>,
    roots: Vec<SpanNode>,
}

/// A list or map whose end is not read yet.
struct Open {
    node: SpanNode,
    /// In a map: the key whose value follows, its start and its end.
    key: Option<(String, usize, usize)>,
}

impl Builder<'_> {
    fn byte(&self, index: usize) -> usize {
        self.bytes.get(index).copied().unwrap_or(self.text.len())
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        let (start, end) = (self.byte(span.start.index()), self.byte(span.end.index()));
        let own = self.text.get(content(self.text, start)..);
        let flow = |mark: &str| own.is_some_and(|own| own.starts_with(mark));
        match event {
            Event::SequenceStart(anchor, _) => {
                let kind = SpanKind::List {
                    flow: flow("["),
                    items: Vec::new(),
                };
                self.open(start, kind, anchor)
            }
            Event::MappingStart(anchor, _) => {
                let kind = SpanKind::Map {
                    flow: flow("{"),
                    entries: Vec::new(),
                };
                self.open(start, kind, anchor)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(mut open) = self.stack.pop() {
                    let node = &mut open.node;
                    let (flow, last) = match &node.kind {
                        SpanKind::List { flow, items } => {
                            (*flow, items.last().map(|item| item.end))
                        }
                        SpanKind::Map { flow, entries } => {
                            (*flow, entries.last().map(|entry| entry.value.end))
                        }
                        _ => (false, None),
                    };
                    node.end = if flow {
                        end
                    } else {
                        last.unwrap_or(node.start)
                    };
                    self.add(open.node);
                }
                Ok(())
            }
            Event::Scalar(name, _, anchor, _) => {
                let end = start
                    + self
                        .text
                        .get(start..end)
                        .map_or(0, |own| own.trim_end().len());
                if let Some(Open {
                    node:
                        SpanNode {
                            kind: SpanKind::Map { .. },
                            ..
                        },
                    key: key @ None,
                }) = self.stack.last_mut()
                {
                    *key = Some((name.into_owned(), start, end));
                    return Ok(());
                }
                self.add(SpanNode {
                    start,
                    end,
                    kind: SpanKind::Scalar,
                    anchor,
                });
                Ok(())
            }
            Event::Alias(anchor) => {
                if let Some(Open {
                    node:
                        SpanNode {
                            kind: SpanKind::Map { .. },
                            ..
                        },
                    key: None,
                }) = self.stack.last()
                {
                    return Err(unreadable("a key is an alias"));
                }
                self.add(SpanNode {
                    start,
                    end,
                    kind: SpanKind::Alias,
                    anchor,
                });
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, start: usize, kind: SpanKind, anchor: usize) -> Result<(), Diagnostic> {
        let node = SpanNode {
            start,
            end: start,
            kind,
            anchor,
        };
        self.stack.push(Open { node, key: None });
        Ok(())
    }

    fn add(&mut self, mut node: SpanNode) {
        let Some(open) = self.stack.last_mut() else {
            self.roots.push(node);
            return;
        };
        match &mut open.node.kind {
            SpanKind::List { items, .. } => items.push(node),
            SpanKind::Map { entries, .. } => {
                if let Some((key, key_start, key_end)) = open.key.take() {
                    // Nothing is written: the scanner gives the place of the next token.
                    if matches!(node.kind, SpanKind::Scalar) && node.start == node.end {
                        node.start = key_end;
                        node.end = key_end;
                    }
                    entries.push(SpanEntry {
                        key,
                        key_start,
                        value: node,
                    });
                }
            }
            SpanKind::Scalar | SpanKind::Alias => {}
        }
    }
}
