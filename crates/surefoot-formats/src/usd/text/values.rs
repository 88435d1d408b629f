//! The values of a text layer.

use core::ops::Range;

use super::lexer::{Kind, Lexer, Token};
use crate::usd::error::UsdError;
use crate::usd::layer::{Precision, Stored};

/// The numbers of a value with their places in the text.
pub(in crate::usd) struct NumberTokens<'t>(Lexer<'t>);

impl<'t> NumberTokens<'t> {
    pub fn new(text: &'t [u8], stored: Stored) -> Self {
        Self(Lexer::new(text, stored.range()))
    }
}

impl Iterator for NumberTokens<'_> {
    type Item = Result<(f64, Range<usize>), UsdError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let token = match self.0.next() {
                Ok(token) => token,
                Err(error) => return Some(Err(error)),
            };
            match token.kind {
                Kind::End => return None,
                Kind::Sign(b'(' | b')' | b'[' | b']' | b',') => {}
                Kind::Number | Kind::Word => return Some(self.number(token)),
                _ => return Some(Err(self.0.unexpected(&token, "a number"))),
            }
        }
    }
}

impl NumberTokens<'_> {
    fn number(&self, token: Token) -> Result<(f64, Range<usize>), UsdError> {
        match self.0.str(&token).parse() {
            Ok(number) => Ok((number, token.range)),
            Err(_) => Err(self.0.unexpected(&token, "a number")),
        }
    }
}

pub(in crate::usd) fn numbers(
    text: &[u8],
    stored: Stored,
    precision: Precision,
    most: usize,
) -> Result<Vec<f64>, UsdError> {
    let mut numbers = Vec::new();
    for number in NumberTokens::new(text, stored) {
        let (number, range) = number?;
        if numbers.len() == most {
            let lexer = Lexer::new(text, range.clone());
            return Err(lexer.error(range.start, "more numbers", &format!("{most} at most")));
        }
        numbers.push(precision.round(number));
    }
    Ok(numbers)
}

/// The strings, names, files and paths of a value.
pub(in crate::usd) fn words(text: &[u8], stored: Stored, most: usize) -> Result<Vec<String>, UsdError> {
    let mut lexer = Lexer::new(text, stored.range());
    let mut words = Vec::new();
    loop {
        let token = lexer.next()?;
        match token.kind {
            Kind::End => return Ok(words),
            Kind::Sign(b'[' | b']' | b',') => {}
            Kind::Text | Kind::Path | Kind::Asset | Kind::Word if words.len() < most => {
                words.push(unescaped(lexer.str(&token)));
            }
            _ => return Err(lexer.unexpected(&token, &format!("at most {most} strings or paths"))),
        }
    }
}

/// A string without the backslashes before quotes. Joint names have no other escapes.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_escaped = false;
    for letter in text.chars() {
        if letter == '\\' && !is_escaped {
            is_escaped = true;
            continue;
        }
        is_escaped = false;
        out.push(letter);
    }
    out
}
