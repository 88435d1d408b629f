//! Reads the path of an SVG drawing and flattens it to points.
//!
//! Curves and arcs are divided into straight pieces. Only the first subpath of a path is read.

use surefoot_core::math::{PI, acos, cos, sin, sqrt};

use super::{FARTHEST, PathError, Points};

/// Straight pieces per curve or arc. `follow` smooths the path anyway; more pieces change nothing.
const PIECES: usize = 12;

/// A radius smaller than this fraction of the distance between the ends of its arc counts as 0, for
/// which SVG demands a straight line.
const SMALLEST_RADIUS: f64 = 1e-9;

/// Reads the points along the first path of a drawing, in the drawing's unit.
pub fn read_svg(text: &str) -> Result<Points, PathError> {
    let mut rest = text;
    while let Some(at) = rest.find("<path") {
        rest = &rest[at + 5..];
        let tag = &rest[..rest.find('>').unwrap_or(rest.len())];
        if let Some(d) = attribute(tag) {
            return read_svg_path_data(d);
        }
    }
    Err(PathError::NoSvgPath)
}

/// The value of the attribute `d` of a tag.
fn attribute(tag: &str) -> Option<&str> {
    let mut from = 0;
    while let Some(at) = tag[from..].find('d').map(|at| at + from) {
        from = at + 1;
        let before = tag[..at].chars().next_back();
        let value = tag[at + 1..].trim_start().strip_prefix('=').map(str::trim_start);
        if let (true, Some(value)) = (before.is_some_and(char::is_whitespace), value) {
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return value[1..].split(quote).next();
        }
    }
    None
}

/// Reads the points along SVG path data (the attribute `d`), in the drawing's unit.
pub fn read_svg_path_data(d: &str) -> Result<Points, PathError> {
    let mut pen = Pen { d, at: 0, points: Vec::new(), start: [0.0; 2], control: None };
    let mut command = None;
    while let Some(letter) = pen.peek() {
        if letter.is_ascii_alphabetic() {
            pen.at += 1;
            if letter.eq_ignore_ascii_case(&'m') && !pen.points.is_empty() {
                break;
            }
            command = Some(letter);
        } else if command.is_none_or(|c| c.eq_ignore_ascii_case(&'z')) {
            return Err(pen.unexpected("a letter such as M, L or C"));
        }
        command = command.map(|letter| pen.draw(letter)).transpose()?;
    }
    let points = pen.points;
    if points.len() < 2 { Err(PathError::TooFewPoints { found: points.len() }) } else { Ok(points) }
}

/// The state of reading path data.
struct Pen<'a> {
    d: &'a str,
    /// The next byte of `d`.
    at: usize,
    points: Points,
    /// The first point, to which `Z` returns.
    start: [f64; 2],
    /// The last control point of the previous curve, which `S` and `T` mirror.
    control: Option<[f64; 2]>,
}

impl Pen<'_> {
    /// The next character that is not a blank or comma.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.d[self.at..];
        let skipped = rest.find(|c: char| !c.is_whitespace() && c != ',').unwrap_or(rest.len());
        self.at += skipped;
        self.d[self.at..].chars().next()
    }

    fn unexpected(&self, expected: &'static str) -> PathError {
        let found = self.d[self.at..].chars().next().map_or_else(|| "its end".into(), |c| format!("{c:?}"));
        PathError::SvgPathData { at: self.d[..self.at].chars().count() + 1, found, expected }
    }

    fn number(&mut self) -> Result<f64, PathError> {
        self.peek();
        let rest = &self.d.as_bytes()[self.at..];
        let (mut end, mut point, mut power) = (0, false, false);
        for (n, &byte) in rest.iter().enumerate() {
            let after_power = n > 0 && matches!(rest[n - 1], b'e' | b'E');
            match byte {
                b'0'..=b'9' => {}
                b'+' | b'-' if n == 0 || after_power => {}
                b'.' if !point && !power => point = true,
                b'e' | b'E' if n > 0 && !power => power = true,
                _ => break,
            }
            end = n + 1;
        }
        let number = self.d[self.at..self.at + end].parse().ok().filter(|number: &f64| number.is_finite());
        let number: f64 = number.ok_or_else(|| self.unexpected("a number"))?;
        if number.abs() > FARTHEST {
            return Err(self.unexpected("a number of at most 1e9"));
        }
        self.at += end;
        Ok(number)
    }

    /// Reads a flag of an arc, which needs no space after it.
    fn flag(&mut self) -> Result<bool, PathError> {
        match self.peek() {
            Some(flag @ ('0' | '1')) => {
                self.at += 1;
                Ok(flag == '1')
            }
            _ => Err(self.unexpected("0 or 1")),
        }
    }

    fn here(&self) -> [f64; 2] {
        self.points.last().copied().unwrap_or([0.0; 2])
    }

    fn pair(&mut self, relative: bool) -> Result<[f64; 2], PathError> {
        let [x, y] = if relative { self.here() } else { [0.0; 2] };
        Ok([self.number()? + x, self.number()? + y])
    }

    /// Executes a command once. Returns the command that further numbers repeat.
    fn draw(&mut self, letter: char) -> Result<char, PathError> {
        let relative = letter.is_ascii_lowercase();
        let first = !letter.eq_ignore_ascii_case(&'m') && self.points.is_empty();
        if first {
            self.at = self.at.saturating_sub(1);
            return Err(self.unexpected("M, where the path begins"));
        }
        let (here, control) = (self.here(), self.control.take());
        let mirrored = control.map_or(here, |c| [2.0 * here[0] - c[0], 2.0 * here[1] - c[1]]);
        match letter.to_ascii_uppercase() {
            'M' => {
                let point = self.pair(relative)?;
                (self.start, self.points) = (point, vec![point]);
                return Ok(if relative { 'l' } else { 'L' });
            }
            'L' => {
                let point = self.pair(relative)?;
                self.points.push(point);
            }
            'H' => {
                let x = self.number()? + if relative { here[0] } else { 0.0 };
                self.points.push([x, here[1]]);
            }
            'V' => {
                let y = self.number()? + if relative { here[1] } else { 0.0 };
                self.points.push([here[0], y]);
            }
            'C' => {
                let (a, b, to) = (self.pair(relative)?, self.pair(relative)?, self.pair(relative)?);
                self.curve(here, a, b, to);
                self.control = Some(b);
            }
            'S' => {
                let (b, to) = (self.pair(relative)?, self.pair(relative)?);
                self.curve(here, mirrored, b, to);
                self.control = Some(b);
            }
            'Q' | 'T' => {
                let a = if letter.eq_ignore_ascii_case(&'q') { self.pair(relative)? } else { mirrored };
                let to = self.pair(relative)?;
                let third = |p: [f64; 2]| [0, 1].map(|n| p[n] + (a[n] - p[n]) * 2.0 / 3.0);
                self.curve(here, third(here), third(to), to);
                self.control = Some(a);
            }
            'A' => {
                let radii = [self.number()?, self.number()?];
                let tilt = self.number()? * PI / 180.0;
                let flags = [self.flag()?, self.flag()?];
                let to = self.pair(relative)?;
                self.arc(here, radii, tilt, flags, to);
            }
            'Z' => self.points.push(self.start),
            _ => {
                self.at = self.at.saturating_sub(1);
                return Err(self.unexpected("M, L, H, V, C, S, Q, T, A or Z"));
            }
        }
        Ok(letter)
    }

    fn curve(&mut self, p: [f64; 2], a: [f64; 2], b: [f64; 2], q: [f64; 2]) {
        for piece in 1..=PIECES {
            let t = piece as f64 / PIECES as f64;
            let s = 1.0 - t;
            let of = |n: usize| {
                s * s * s * p[n] + 3.0 * s * s * t * a[n] + 3.0 * s * t * t * b[n] + t * t * t * q[n]
            };
            self.points.push([of(0), of(1)]);
        }
    }

    /// Adds an elliptical arc given by its end points.
    ///
    /// Converts to a centre and angles as the SVG specification describes (appendix B.2.4).
    fn arc(&mut self, p: [f64; 2], radii: [f64; 2], tilt: f64, [large, sweep]: [bool; 2], q: [f64; 2]) {
        let [mut rx, mut ry] = radii.map(f64::abs);
        let span = (p[0] - q[0]).abs().max((p[1] - q[1]).abs());
        if p == q || rx.min(ry) <= SMALLEST_RADIUS * span {
            self.points.push(q);
            return;
        }
        let (c, s) = (cos(tilt), sin(tilt));
        let (dx, dy) = ((p[0] - q[0]) / 2.0, (p[1] - q[1]) / 2.0);
        let (x, y) = (c * dx + s * dy, c * dy - s * dx);
        // Radii too small to reach both ends are scaled up until they do.
        let scale = sqrt((x / rx) * (x / rx) + (y / ry) * (y / ry)).max(1.0);
        (rx, ry) = (rx * scale, ry * scale);
        let (a, b) = (rx * rx * y * y + ry * ry * x * x, rx * rx * ry * ry);
        let size = if a > 0.0 { sqrt(((b - a) / a).max(0.0)) } else { 0.0 };
        let size = if large == sweep { -size } else { size };
        let (mx, my) = (size * rx * y / ry, -size * ry * x / rx);
        let centre = [c * mx - s * my + (p[0] + q[0]) / 2.0, s * mx + c * my + (p[1] + q[1]) / 2.0];
        let angle = |u: f64, v: f64| {
            acos((u / sqrt(u * u + v * v)).clamp(-1.0, 1.0)) * if v < 0.0 { -1.0 } else { 1.0 }
        };
        let from = angle((x - mx) / rx, (y - my) / ry);
        let mut by = angle((-x - mx) / rx, (-y - my) / ry) - from;
        if sweep && by < 0.0 {
            by += 2.0 * PI;
        } else if !sweep && by > 0.0 {
            by -= 2.0 * PI;
        }
        for piece in 1..PIECES {
            let t = from + by * piece as f64 / PIECES as f64;
            let (x, y) = (rx * cos(t), ry * sin(t));
            self.points.push([centre[0] + c * x - s * y, centre[1] + s * x + c * y]);
        }
        self.points.push(q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_curves_and_arcs_are_flattened() {
        assert_eq!(
            read_svg_path_data("M1 2l3-1H0v4z").unwrap(),
            [[1.0, 2.0], [4.0, 1.0], [0.0, 1.0], [0.0, 5.0], [1.0, 2.0]]
        );
        let curve = read_svg_path_data("M0,0 C0,1 1,1 1,0 s 1-1 1 0").unwrap();
        assert_eq!(curve.len(), 1 + 2 * PIECES);
        assert_eq!(curve[PIECES / 2], [0.5, 0.75]);
        let half = read_svg_path_data("M-1 0A1 1 0 011 0").unwrap();
        assert!((half[PIECES / 2][1] + 1.0).abs() < 1e-12 && half[PIECES / 2][0].abs() < 1e-12, "{half:?}");
        assert_eq!(read_svg_path_data("M0 0A1e-300 1 0 111 0").unwrap(), [[0.0, 0.0], [1.0, 0.0]]);
        assert_eq!(read_svg_path_data("M0 0Q1 2 2 0T4 0").unwrap().last(), Some(&[4.0, 0.0]));
    }

    #[test]
    fn a_drawing_gives_its_first_path() {
        let svg = r#"<svg><path id="x"/><path class="a" d='M0 0L0 5'/></svg>"#;
        assert_eq!(read_svg(svg).unwrap(), [[0.0, 0.0], [0.0, 5.0]]);
        assert_eq!(read_svg("<svg/>"), Err(PathError::NoSvgPath));
    }

    #[test]
    fn errors_state_the_position_in_the_path_data() {
        let check = |d: &str, message: &str| {
            assert_eq!(read_svg_path_data(d).unwrap_err().to_string(), message, "{d}")
        };
        check("L0 1", "character 1 of the path data: found 'L', expected M, where the path begins");
        check("M0 0 L3 é", "character 9 of the path data: found 'é', expected a number");
        check("M0 0 K3", "character 6 of the path data: found 'K', expected M, L, H, V, C, S, Q, T, A or Z");
        check("M0 0 L", "character 7 of the path data: found its end, expected a number");
        check("M0 0 L2e9 0", "character 7 of the path data: found '2', expected a number of at most 1e9");
        check("M0 0", "found a path of 1 points, expected two or more");
        check("", "found a path of 0 points, expected two or more");
    }
}
