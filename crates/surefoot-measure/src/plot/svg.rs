//! Writes SVG elements, with one decimal per number and escaped text.

use core::fmt::Write;

/// Text made safe for HTML and SVG, inside an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Control characters are not allowed in XML, even escaped.
            letter if letter.is_control() && !matches!(letter, '\n' | '\t') => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

/// Horizontal anchor of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A symbol in a legend.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// A line of this colour.
    Line(&'static str),
    /// A bar of planted time.
    Plant,
    /// A dot at a plant.
    Spot,
    /// A dot in the colour of "after".
    Dot,
    /// A position on a distance map.
    Place,
}

impl Mark {
    /// CSS class and character of the symbol.
    fn look(self) -> (String, &'static str) {
        match self {
            Self::Line(colour) => (format!("mark-{colour}"), "━━"),
            Self::Plant => ("mark-third".into(), "■"),
            Self::Spot => ("mark-third".into(), "●"),
            Self::Dot => ("mark-after".into(), "•"),
            Self::Place => ("mark-after".into(), "○"),
        }
    }
}

/// An SVG element being written.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// An empty SVG of this size; `label` is its text for screen readers.
    pub fn new(width: f64, height: f64, label: &str) -> Self {
        let text = format!(
            "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
            escape(label)
        );
        Self { text }
    }

    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
        self.push(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// A rectangle; `hint` is its tooltip.
    pub fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), hint: &str) {
        let (x, y, w, h) = (short(corner.0), short(corner.1), short(size.0), short(size.1));
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"1.5\">{}</rect>",
            title(hint)
        ));
    }

    /// A circle.
    pub fn dot(&mut self, class: &str, at: (f64, f64), radius: f64, hint: &str) {
        let (x, y) = (short(at.0), short(at.1));
        self.push(format_args!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">{}</circle>",
            title(hint)
        ));
    }

    pub fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
            short(at.0),
            short(at.1),
            escape(words)
        ));
    }

    /// Vertical text, centred.
    pub fn text_upwards(&mut self, class: &str, at: (f64, f64), words: &str) {
        let (x, y) = (short(at.0), short(at.1));
        self.push(format_args!(
            "<text class=\"{class}\" transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(words)
        ));
    }

    /// Title and legend as one left-aligned text, because the width of the text is known only in the browser.
    pub fn heading(&mut self, start: (f64, f64), title: &str, legend: &[(Mark, &str)]) {
        let mut text = format!("<tspan class=\"title\">{}</tspan>", escape(title));
        for (mark, words) in legend {
            let (class, sign) = mark.look();
            // Non-breaking spaces, which are not collapsed.
            text += &format!(
                "{}<tspan class=\"{class}\">{sign}</tspan>\u{a0}{}",
                "\u{a0}".repeat(4),
                escape(words)
            );
        }
        let (x, y) = (short(start.0), short(start.1));
        self.push(format_args!("<text x=\"{x}\" y=\"{y}\">{text}</text>"));
    }

    /// A curve through these points, with a gap at every `None`.
    pub fn curve(&mut self, class: &str, points: impl IntoIterator<Item = Option<(f64, f64)>>) {
        let mut path = String::new();
        let mut down = false;
        for point in points {
            if let Some((x, y)) = point {
                let letter = if down { 'L' } else { 'M' };
                write!(path, "{letter}{} {}", short(x), short(y)).expect("writing to a string cannot fail");
            }
            down = point.is_some();
        }
        self.push(format_args!("<path class=\"line {class}\" d=\"{path}\"/>"));
    }

    /// Closed smooth curves in one path. Where they overlap, the area is filled once.
    pub fn outlines<P>(&mut self, class: &str, outlines: impl IntoIterator<Item = P>)
    where
        P: IntoIterator<Item = (f64, f64)>,
    {
        let mut path = String::new();
        for outline in outlines {
            let points: Vec<(f64, f64)> = outline.into_iter().collect();
            let middle = |a: (f64, f64), b: (f64, f64)| (short(0.5 * (a.0 + b.0)), short(0.5 * (a.1 + b.1)));
            let next = |index: usize| points[(index + 1) % points.len()];
            let Some(&last) = points.last() else { continue };
            let (x, y) = middle(last, points[0]);
            write!(path, "M{x} {y}").expect("writing to a string cannot fail");
            for (index, &at) in points.iter().enumerate() {
                let (x, y) = middle(at, next(index));
                write!(path, "Q{} {} {x} {y}", short(at.0), short(at.1))
                    .expect("writing to a string cannot fail");
            }
            path.push('Z');
        }
        self.push(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
    }

    /// A closed shape from path commands.
    pub fn path(&mut self, class: &str, commands: &str) {
        self.push(format_args!("<path class=\"{class}\" d=\"{commands}\"/>"));
    }

    /// Begins a group of elements with a common class.
    pub fn begin_group(&mut self, class: &str) {
        self.push(format_args!("<g class=\"{class}\">"));
    }

    /// Ends the group that `begin_group` began.
    pub fn end_group(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// The colours of bodies and footprints.
    pub fn body_style(&mut self) {
        self.push(format_args!("<style>{}</style>", super::BODY_STYLE));
    }

    /// The shades of the bodies before and after. Every drawing on a page defines the same ones.
    pub fn shades(&mut self) {
        for name in ["before", "after"] {
            self.push(format_args!(
                "<linearGradient id=\"shade-{name}\" x1=\"0.1\" y1=\"0\" x2=\"0.9\" y2=\"1\">\
                 <stop offset=\"0\" class=\"{name}-light\"/><stop offset=\"1\" class=\"{name}-dark\"/></linearGradient>"
            ));
        }
    }

    /// Begins a part that is visible in a circle. The name must be unique in the drawing.
    pub fn begin_lens(&mut self, name: &str, centre: (f64, f64), radius: f64) {
        let (x, y) = (short(centre.0), short(centre.1));
        self.push(format_args!(
            "<clipPath id=\"{name}\"><circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/></clipPath>\
             <circle class=\"lens\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/><g clip-path=\"url(#{name})\">"
        ));
    }

    /// Ends the part that `begin_lens` began, with a ring around it.
    pub fn end_lens(&mut self, centre: (f64, f64), radius: f64) {
        let (x, y) = (short(centre.0), short(centre.1));
        self.push(format_args!("</g><circle class=\"lens-ring\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"));
    }

    /// Begins a part whose elements are cut at its edges; their coordinates count from its corner.
    pub fn begin_clipped(&mut self, corner: (f64, f64), size: (f64, f64)) {
        let (x, y, w, h) = (short(corner.0), short(corner.1), short(size.0), short(size.1));
        self.push(format_args!("<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" overflow=\"hidden\">"));
    }

    /// Ends the part that `begin_clipped` began.
    pub fn end_clipped(&mut self) {
        self.push(format_args!("</svg>"));
    }

    /// Many dots in one path, to keep the file small.
    pub fn dots(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let mut path = String::new();
        for (x, y) in points {
            write!(path, "M{} {}h0", short(x), short(y)).expect("writing to a string cannot fail");
        }
        self.push(format_args!("<path class=\"dots {class}\" d=\"{path}\"/>"));
    }

    /// Cells of one colour and height, each with a corner and a width.
    pub fn cells(&mut self, colour: &str, height: f64, cells: impl IntoIterator<Item = (f64, f64, f64)>) {
        let mut path = String::new();
        for (x, y, width) in cells {
            write!(path, "M{} {}h{}", short(x), short(y), short(width))
                .expect("writing to a string cannot fail");
        }
        // Slightly higher than their spacing, to avoid visible gaps.
        let height = height + 0.4;
        self.push(format_args!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{height:.2}\" d=\"{path}\"/>"
        ));
    }

    fn push(&mut self, element: core::fmt::Arguments) {
        self.text.write_fmt(element).expect("writing to a string cannot fail");
        self.text.push('\n');
    }

    pub fn finish(self) -> String {
        self.text + "</svg>"
    }
}

fn title(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!("<title>{}</title>", escape(hint)) }
}

/// A length rounded to 0.1 pixels.
fn short(value: f64) -> f64 {
    let rounded = (value * 10.0).round() / 10.0;
    // Avoid a negative zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_is_escaped() {
        assert_eq!(escape("<b>\"O'Neill\" & co\u{1}"), "&lt;b&gt;&quot;O&#39;Neill&quot; &amp; co\u{fffd}");
    }

    #[test]
    fn a_curve_has_gaps() {
        let mut svg = Svg::new(10.0, 10.0, "");
        svg.curve("after", [Some((0.0, -0.01)), Some((1.0, 2.26)), None, Some((3.0, 4.0))]);
        assert!(svg.finish().contains("d=\"M0 0L1 2.3M3 4\""));
    }
}
