//! Reads YAML into the tree; plain scalars are read as Envoy reads them.
//!
//! Envoy follows neither YAML 1.1 nor 1.2: see [`scalar`]. Tools that convert YAML to JSON for
//! Envoy do: there, numbers stay numbers. Anchors and aliases are expanded; merge keys (`<<`) are
//! ordinary keys, as in Envoy; of duplicate keys the last one is used.

mod scalar;
mod tabs;

use alloc::{borrow::Cow, format, string::ToString, vec::Vec};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput};

use self::tabs::TabbedInput;
use super::{
    Document, Entry, Key, MAXIMUM_ALIAS_VALUES, MAXIMUM_DEPTH, MAXIMUM_VALUES, Node, NodeValue,
    limits::{check_size, end_of, to_u32, too_deep, too_many_values, within_line},
    tree::{Repeated, repeated_keys},
};
use crate::{Diagnostic, Position};

/// The program that reads plain scalars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scalars {
    /// Envoy itself: no fractions and no large numbers.
    #[default]
    Envoy,
    /// A tool, such as a control plane, that reads the YAML and sends JSON to Envoy.
    Json,
}

/// Reads all documents of a YAML text. Empty documents are omitted.
///
/// # Errors
/// The first syntax error: code `config/yaml-syntax`, `config/truncated` if the text ends inside a
/// value, `config/yaml-key`, `config/yaml-alias`, `config/too-deep` or `config/too-large`.
pub fn read(text: &str, scalars: Scalars) -> Result<Document<'_>, Diagnostic> {
    check_size(text.len())?;
    match read_events(text, scalars) {
        Ok(read) => Ok(read.document),
        Err(fault) if matches!(fault.code, SYNTAX | TRUNCATED) => {
            tabs::resolve(text, scalars, fault)
        }
        Err(fault) => Err(fault),
    }
}

/// The codes of the scanner's faults.
const SYNTAX: &str = "config/yaml-syntax";
const TRUNCATED: &str = "config/truncated";

/// The documents of a text, and where indentation does not count.
struct ReadText<'a> {
    document: Document<'a>,
    /// The first and last lines of brackets and quotes with several lines.
    inside: Vec<(u32, u32)>,
}

fn read_events(text: &str, scalars: Scalars) -> Result<ReadText<'_>, Diagnostic> {
    let mut builder = Builder {
        scalars,
        ..Builder::default()
    };
    // The scanner ends an unterminated last line and goes past it.
    let end = end_of(text);
    let mut parser = Parser::new(TabbedInput(StrInput::new(text)));
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| builder.syntax(text, &error))?;
        builder.enclose(&event, span);
        builder.event(event, position(span.start).min(end))?;
    }
    Ok(ReadText {
        document: Document {
            roots: builder.roots,
            warnings: builder.warnings,
        },
        inside: builder.inside,
    })
}

fn position(marker: Marker) -> Position {
    Position {
        line: to_u32(marker.line()),
        column: to_u32(marker.col().saturating_add(1)),
    }
}

#[derive(Default)]
struct Builder<'a> {
    scalars: Scalars,
    stack: Vec<Frame<'a>>,
    roots: Vec<Node<'a>>,
    /// By the parser's number of the anchor, which only increases.
    anchors: Vec<(usize, Anchored<'a>)>,
    values: usize,
    /// Number of values copied for anchors and aliases so far.
    copied: usize,
    warnings: Vec<Diagnostic>,
    /// As [`ReadText::inside`].
    inside: Vec<(u32, u32)>,
}

/// An open list or map.
struct Frame<'a> {
    position: Position,
    anchor: usize,
    /// Number of values inside, including this one.
    values: usize,
    content: Content<'a>,
}

enum Content<'a> {
    List(Vec<Node<'a>>),
    Map(Vec<Entry<'a>>, Option<OpenKey<'a>>),
}

/// A key whose value follows.
struct OpenKey<'a> {
    key: Key<'a>,
    /// Whether the entry counts: Envoy drops those with the tag `!ignore`, whose anchors stay.
    kept: bool,
}

struct Anchored<'a> {
    node: Node<'a>,
    values: usize,
    depth: usize,
}

impl<'a> Builder<'a> {
    /// Notes the lines of a bracket that ends, or of a quoted scalar.
    fn enclose(&mut self, event: &Event<'_>, span: Span) {
        let start = match event {
            // The end of a block has no characters.
            Event::SequenceEnd | Event::MappingEnd if span.start != span.end => {
                self.stack.last().map(|frame| frame.position.line)
            }
            Event::Scalar(_, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted, ..) => {
                Some(to_u32(span.start.line()))
            }
            _ => None,
        };
        let last = to_u32(span.end.line());
        if let Some(start) = start.filter(|start| *start < last) {
            self.inside.push((start, last));
        }
    }

    fn event(&mut self, event: Event<'a>, position: Position) -> Result<(), Diagnostic> {
        match event {
            Event::SequenceStart(anchor, _) => {
                self.open(Content::List(Vec::new()), anchor, position)
            }
            Event::MappingStart(anchor, _) => {
                self.open(Content::Map(Vec::new(), None), anchor, position)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Scalar(text, style, anchor, tag) => {
                if self.expects_key() {
                    // Other tools ignore the tag.
                    let kept = self.scalars == Scalars::Json || !scalar::is_ignore(tag.as_deref());
                    let name = scalar::key(text, style, tag.as_deref());
                    self.key(name, position, kept);
                    return Ok(());
                }
                self.count(position)?;
                let value = scalar::resolve(text, style, tag.as_deref(), self.scalars);
                self.value(Node { value, position }, 1, anchor)
            }
            Event::Alias(anchor) => self.alias(anchor, position),
            Event::DocumentEnd => {
                self.anchors.clear();
                Ok(())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {
                Ok(())
            }
        }
    }

    fn expects_key(&self) -> bool {
        matches!(
            self.stack.last(),
            Some(Frame {
                content: Content::Map(_, None),
                ..
            })
        )
    }

    fn key(&mut self, name: Cow<'a, str>, position: Position, kept: bool) {
        if let Some(Frame {
            content: Content::Map(_, key),
            ..
        }) = self.stack.last_mut()
        {
            let open = Key { name, position };
            *key = Some(OpenKey { key: open, kept });
        }
    }

    fn count(&mut self, position: Position) -> Result<(), Diagnostic> {
        self.values += 1;
        if self.values > MAXIMUM_VALUES {
            return Err(too_many_values(position));
        }
        Ok(())
    }

    fn open(
        &mut self,
        content: Content<'a>,
        anchor: usize,
        position: Position,
    ) -> Result<(), Diagnostic> {
        if self.expects_key() {
            return Err(key_is_no_text(position));
        }
        if self.stack.len() >= MAXIMUM_DEPTH {
            return Err(too_deep(position));
        }
        self.count(position)?;
        self.stack.push(Frame {
            position,
            anchor,
            values: 1,
            content,
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), Diagnostic> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let value = match frame.content {
            Content::List(mut items) => {
                items.shrink_to_fit();
                NodeValue::List(items)
            }
            Content::Map(mut entries, _) => {
                entries.shrink_to_fit();
                repeated_keys(&entries, Repeated::Last, &mut self.warnings);
                NodeValue::Map(entries)
            }
        };
        let node = Node {
            value,
            position: frame.position,
        };
        self.value(node, frame.values, frame.anchor)
    }

    /// Adds a finished value to its parent, and to its anchor if it has one.
    fn value(&mut self, node: Node<'a>, values: usize, anchor: usize) -> Result<(), Diagnostic> {
        if anchor != 0 {
            self.copy(values, node.position)?;
            let depth = depth(&node);
            let anchored = Anchored {
                node: node.clone(),
                values,
                depth,
            };
            // Values end in another order than they begin.
            let at = self.anchors.partition_point(|(number, _)| *number < anchor);
            self.anchors.insert(at, (anchor, anchored));
        }
        let Some(frame) = self.stack.last_mut() else {
            if node.value != NodeValue::Null {
                self.roots.push(node);
            }
            return Ok(());
        };
        frame.values += values;
        match &mut frame.content {
            Content::List(items) => items.push(node),
            Content::Map(entries, key) => {
                if let Some(OpenKey { key, kept: true }) = key.take() {
                    entries.push(Entry { key, node });
                }
            }
        }
        Ok(())
    }

    fn anchored(&self, anchor: usize) -> Option<&Anchored<'a>> {
        let at = self.anchors.partition_point(|(number, _)| *number < anchor);
        let (number, anchored) = self.anchors.get(at)?;
        (*number == anchor).then_some(anchored)
    }

    fn alias(&mut self, anchor: usize, position: Position) -> Result<(), Diagnostic> {
        let Some(anchored) = self.anchored(anchor) else {
            return Err(Diagnostic::error(
                "config/yaml-alias",
                "alias inside the value of its own anchor",
            )
            .at("", position));
        };
        if self.expects_key() {
            let NodeValue::String(name) = &anchored.node.value else {
                return Err(key_is_no_text(position));
            };
            let name = name.clone();
            self.key(name, position, true);
            return Ok(());
        }
        if self.stack.len() + anchored.depth > MAXIMUM_DEPTH {
            return Err(too_deep(position));
        }
        let values = anchored.values;
        self.copy(values, position)?;
        match self.anchored(anchor).map(|anchored| anchored.node.clone()) {
            Some(node) => self.value(node, values, 0),
            None => Ok(()),
        }
    }

    fn copy(&mut self, values: usize, position: Position) -> Result<(), Diagnostic> {
        self.copied = self.copied.saturating_add(values);
        if self.copied > MAXIMUM_ALIAS_VALUES {
            return Err(Diagnostic::error(
                "config/too-large",
                format!("YAML aliases expand to more than {MAXIMUM_ALIAS_VALUES} values"),
            )
            .at("", position));
        }
        Ok(())
    }

    fn syntax(&self, text: &str, error: &ScanError) -> Diagnostic {
        // In a directive, the scanner counts bytes instead of characters.
        let at = within_line(text, position(*error.marker()));
        let end = end_of(text.trim_end());
        if at < end && !error.info().contains("end of stream") {
            return Diagnostic::error(SYNTAX, error.info().to_string()).at("", at);
        }
        let message = match self.stack.last() {
            Some(frame) => format!(
                "unexpected end of input; close the {} opened at line {}, column {} ({})",
                match frame.content {
                    Content::List(_) => "list",
                    Content::Map(..) => "object",
                },
                frame.position.line,
                frame.position.column,
                error.info()
            ),
            None => format!("unexpected end of input ({})", error.info()),
        };
        // The scanner may have gone past the end.
        Diagnostic::error(TRUNCATED, message).at("", at.min(end))
    }
}

fn key_is_no_text(position: Position) -> Diagnostic {
    Diagnostic::error("config/yaml-key", "key is not a plain string").at("", position)
}

/// The nesting depth of a value; limited because open frames are.
fn depth(node: &Node<'_>) -> usize {
    let deepest = match &node.value {
        NodeValue::List(items) => items.iter().map(depth).max(),
        NodeValue::Map(entries) => entries.iter().map(|entry| depth(&entry.node)).max(),
        _ => return 0,
    };
    deepest.unwrap_or(0) + 1
}
