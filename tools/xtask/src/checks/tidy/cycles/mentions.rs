//! Mentions of other modules in one source file: its paths, its imports, its items.

use std::iter::Peekable;
use std::slice::Iter;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path as written, and the line of its first segment.
#[derive(Debug, Clone)]
pub struct Mention {
    pub module: Vec<String>,
    pub path: Vec<String>,
    pub line: usize,
}

/// A name that an import makes known in its module; `*` for all names of the path.
#[derive(Debug)]
pub struct Import {
    pub module: Vec<String>,
    pub name: String,
    pub path: Vec<String>,
}

/// The mentions in one file.
#[derive(Debug, Default)]
pub struct FoundMentions {
    pub mentions: Vec<Mention>,
    pub imports: Vec<Import>,
    /// Items, with the module that defines them.
    pub items: Vec<(Vec<String>, String)>,
    /// Modules that have their own braces in this file.
    pub inline: Vec<Vec<String>>,
    /// Modules that only tests use.
    pub tests: Vec<Vec<String>>,
}

impl FoundMentions {
    /// Adds the mentions in `tokens`, the body of `module`, without code for tests.
    pub fn read(&mut self, module: &[String], tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = trees.iter().peekable();
        let mut last = None;
        while let Some(tree) = rest.next() {
            match tree {
                TokenTree::Group(group) if last == Some('#') && is_for_tests(group.stream()) => {
                    self.skip_item(module, &mut rest);
                }
                TokenTree::Group(group) => self.read(module, group.stream()),
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    self.read_word(module, &ident.to_string(), line, &mut rest);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            last = match tree {
                TokenTree::Punct(punct) => Some(punct.as_char()),
                _ => None,
            };
        }
    }

    fn read_word(&mut self, module: &[String], word: &str, line: usize, rest: &mut Trees<'_>) {
        match word {
            "use" if !is_punct(rest.peek().copied(), '<') => {
                self.read_use(module, Vec::new(), line, rest);
            }
            "mod" => {
                let Some(name) = rest.next().map(ToString::to_string) else {
                    return;
                };
                if let Some(TokenTree::Group(body)) = rest.peek() {
                    let inner = child(module, &name);
                    self.inline.push(inner.clone());
                    self.read(&inner, body.stream());
                    rest.next();
                }
            }
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" => {
                if let Some(TokenTree::Ident(name)) = rest.peek() {
                    self.items.push((module.to_vec(), name.to_string()));
                }
            }
            _ => {
                let mut path = vec![word.to_owned()];
                while let Some(next) = segment(rest) {
                    path.push(next);
                }
                if path.len() > 1 {
                    let module = module.to_vec();
                    self.mentions.push(Mention { module, path, line });
                }
            }
        }
    }

    /// One tree of an import, up to its `;`, its `,` or the end of its group.
    fn read_use(
        &mut self,
        module: &[String],
        mut path: Vec<String>,
        line: usize,
        rest: &mut Trees<'_>,
    ) {
        let mut name = None;
        while let Some(tree) = rest.next() {
            match tree {
                TokenTree::Ident(ident) if ident == "as" => {
                    name = rest.next().map(ToString::to_string);
                }
                TokenTree::Ident(ident) => path.push(ident.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == '*' => name = Some("*".to_owned()),
                TokenTree::Punct(punct) if ";,".contains(punct.as_char()) => break,
                TokenTree::Group(group) => {
                    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
                    let mut inner = trees.iter().peekable();
                    while let Some(first) = inner.peek() {
                        let line = first.span().start().line;
                        self.read_use(module, path.clone(), line, &mut inner);
                    }
                    return;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
        // `a::{self}` imports `a`.
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(last) = path.last().cloned() else {
            return;
        };
        let module = module.to_vec();
        self.imports.push(Import {
            module: module.clone(),
            name: name.unwrap_or(last),
            path: path.clone(),
        });
        self.mentions.push(Mention { module, path, line });
    }

    /// Passes over the item below an attribute for tests, and keeps the name of a module in it.
    fn skip_item(&mut self, module: &[String], rest: &mut Trees<'_>) {
        let mut ends_with_semicolon = false;
        while let Some(tree) = rest.next() {
            match tree {
                TokenTree::Ident(word) if word == "mod" => {
                    if let Some(name) = rest.next() {
                        self.tests.push(child(module, &name.to_string()));
                    }
                }
                TokenTree::Ident(word) if word == "use" => ends_with_semicolon = true,
                TokenTree::Punct(punct) if ";,".contains(punct.as_char()) => return,
                TokenTree::Group(group)
                    if group.delimiter() == Delimiter::Brace && !ends_with_semicolon =>
                {
                    return;
                }
                _ => {}
            }
        }
    }
}

type Trees<'t> = Peekable<Iter<'t, TokenTree>>;

fn child(module: &[String], name: &str) -> Vec<String> {
    let mut path = module.to_vec();
    path.push(name.to_owned());
    path
}

/// The next segment of a path, after its `::`.
fn segment(rest: &mut Trees<'_>) -> Option<String> {
    let mut ahead = rest.clone();
    let colons = is_punct(ahead.next(), ':') && is_punct(ahead.next(), ':');
    match ahead.next() {
        Some(TokenTree::Ident(ident)) if colons => {
            *rest = ahead;
            Some(ident.to_string())
        }
        _ => None,
    }
}

fn is_punct(tree: Option<&TokenTree>, char: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

/// `cfg(test)`, or `cfg(all(test, ..))`.
fn is_for_tests(attribute: TokenStream) -> bool {
    let text = attribute.to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}
