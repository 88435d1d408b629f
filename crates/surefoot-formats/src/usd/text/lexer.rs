//! The tokens of a text layer.

use core::ops::Range;

use crate::json::shorten;
use crate::usd::error::UsdError;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::usd) enum Kind {
    /// A name, which may have `:` and `.` inside, or a keyword.
    Word,
    Number,
    /// A string; the range is that of its content.
    Text,
    /// A file name between `@`; the range is that of its content.
    Asset,
    /// A path between `<` and `>`; the range is that of its content.
    Path,
    /// A bracket or another sign.
    Sign(u8),
    End,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::usd) struct Token {
    pub kind: Kind,
    pub range: Range<usize>,
}

/// Reads tokens one by one.
#[derive(Clone, Debug)]
pub(in crate::usd) struct Lexer<'t> {
    pub text: &'t [u8],
    /// Where the next token is looked for.
    pub at: usize,
    /// Where the text ends.
    pub end: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t [u8], range: Range<usize>) -> Self {
        Self { text, at: range.start, end: range.end.min(text.len()) }
    }

    /// The next token, which is not taken.
    pub fn peek(&self) -> Result<Token, UsdError> {
        self.clone().next()
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token, UsdError> {
        self.skip_blanks();
        let start = self.at;
        let Some(&byte) = self.text[..self.end].get(start) else {
            return Ok(Token { kind: Kind::End, range: start..start });
        };
        match byte {
            b'"' | b'\'' => self.string(byte),
            b'@' => self.asset(),
            b'<' => self.until(start + 1, b">", Kind::Path),
            b'0'..=b'9' | b'-' | b'+' | b'.' => Ok(self.word(Kind::Number, is_number_byte)),
            _ if byte != b':' && is_word_byte(byte) => Ok(self.word(Kind::Word, is_word_byte)),
            _ => {
                self.at += 1;
                Ok(Token { kind: Kind::Sign(byte), range: start..start + 1 })
            }
        }
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at.min(self.end)..self.end];
            let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = &rest[blanks..];
            self.at += blanks;
            let length = |end: &[u8]| rest.windows(end.len()).position(|part| part == end);
            match rest {
                [b'#', ..] | [b'/', b'/', ..] => self.at += length(b"\n").unwrap_or(rest.len()),
                [b'/', b'*', ..] => self.at += length(b"*/").map_or(rest.len(), |at| at + 2),
                _ => return,
            }
        }
    }

    fn word(&mut self, kind: Kind, is_part: fn(u8) -> bool) -> Token {
        let start = self.at;
        let length = self.text[start..self.end].iter().take_while(|&&byte| is_part(byte)).count();
        self.at += length;
        Token { kind, range: start..self.at }
    }

    fn string(&mut self, quote: u8) -> Result<Token, UsdError> {
        let start = self.at;
        if self.text[start..self.end].starts_with(&[quote; 3]) {
            return self.quoted(start + 3, &[quote; 3]);
        }
        self.quoted(start + 1, &[quote])
    }

    /// A string up to its closing quotes, in which a backslash keeps the next character.
    fn quoted(&mut self, start: usize, close: &[u8]) -> Result<Token, UsdError> {
        let mut at = start;
        while at < self.end {
            match self.text[at] {
                b'\\' => at += 2,
                _ if self.text[at..self.end].starts_with(close) => {
                    self.at = at + close.len();
                    return Ok(Token { kind: Kind::Text, range: start..at });
                }
                _ => at += 1,
            }
        }
        Err(self.error(start, "a string without an end", "its closing quotes"))
    }

    fn asset(&mut self) -> Result<Token, UsdError> {
        let start = self.at;
        match self.text[start..self.end].starts_with(b"@@@") {
            true => self.until(start + 3, b"@@@", Kind::Asset),
            false => self.until(start + 1, b"@", Kind::Asset),
        }
    }

    fn until(&mut self, start: usize, close: &[u8], kind: Kind) -> Result<Token, UsdError> {
        let length = self.text[start..self.end].windows(close.len()).position(|part| part == close);
        let Some(length) = length else {
            return Err(self.error(start, "a name without an end", "its closing sign"));
        };
        self.at = start + length + close.len();
        Ok(Token { kind, range: start..start + length })
    }

    /// The text of a token.
    pub fn str(&self, token: &Token) -> &'t str {
        core::str::from_utf8(&self.text[token.range.clone()]).unwrap_or_default()
    }

    /// An error at a place of the text, with its line.
    pub fn error(&self, at: usize, found: impl core::fmt::Display, expected: &str) -> UsdError {
        let before = &self.text[..at.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        UsdError::new(format_args!("line {line}"), found, expected)
    }

    /// An error at a token.
    pub fn unexpected(&self, token: &Token, expected: &str) -> UsdError {
        let found = match token.kind {
            Kind::End => "the end of the file".into(),
            _ => format!("{:?}", shorten(&String::from_utf8_lossy(&self.text[token.range.clone()]))),
        };
        self.error(token.range.start, found, expected)
    }

    /// Takes a sign.
    pub fn take(&mut self, sign: u8) -> Result<(), UsdError> {
        let token = self.next()?;
        match token.kind == Kind::Sign(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&token, &format!("\"{}\"", sign as char))),
        }
    }

    /// Takes a sign if it comes next.
    pub fn take_if(&mut self, sign: u8) -> Result<bool, UsdError> {
        let is_next = self.peek()?.kind == Kind::Sign(sign);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    /// Skips a value, and returns its place: a single token, or everything up to the closing bracket.
    pub fn skip_value(&mut self) -> Result<Range<usize>, UsdError> {
        let first = self.next()?;
        match first.kind {
            Kind::Sign(b'(' | b'[' | b'{') => {
                self.skip_brackets(&first)?;
                Ok(first.range.start..self.at)
            }
            Kind::End | Kind::Sign(_) => Err(self.unexpected(&first, "a value")),
            // Strings, assets and paths are read again with their quotes.
            Kind::Text | Kind::Asset | Kind::Path => Ok(self.opening(&first)..self.at),
            Kind::Word | Kind::Number => Ok(first.range),
        }
    }

    /// Where a token starts, with its quotes.
    fn opening(&self, token: &Token) -> usize {
        let width = (self.at - token.range.end).min(token.range.start);
        token.range.start - width
    }

    /// Skips everything up to the bracket that closes `open`.
    fn skip_brackets(&mut self, open: &Token) -> Result<(), UsdError> {
        let mut depth = 1_usize;
        while depth > 0 {
            let rest = &self.text[self.at..self.end];
            let is_plain = |&&byte: &&u8| {
                !matches!(
                    byte,
                    b'(' | b')' | b'['..=b']' | b'{' | b'}' | b'"' | b'\'' | b'@' | b'<' | b'#' | b'/'
                )
            };
            self.at += rest.iter().take_while(is_plain).count();
            match self.next()?.kind {
                Kind::Sign(b'(' | b'[' | b'{') => depth += 1,
                Kind::Sign(b')' | b']' | b'}') => depth -= 1,
                Kind::End => {
                    return Err(self.error(
                        open.range.start,
                        "a bracket that is not closed",
                        "its closing bracket",
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_number_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-')
}

/// Names may have letters of all languages.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.') || byte >= 0x80
}
