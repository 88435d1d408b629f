//! Reads the gait events: which foot strikes or leaves the floor, and when.
//!
//! The `EVENT` group has lists of contexts (the side), labels and times. Lists of more than 255
//! events continue in `LABELS2`, `LABELS3` and so on. Older files have up to 18 events in the
//! header, with labels of four letters that contain the side: `LHS`, `RTO`.

use super::error::C3dError;
use super::numbers::Numbers;
use super::parameters::Parameters;

/// An event that a person or program has marked in a C3D file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The foot; `None` for an event of the whole body.
    pub side: Option<Side>,
    /// What happens.
    pub kind: EventKind,
    /// The time in seconds since the start of the recording, which the file may not contain.
    pub seconds: f64,
    /// The label in the file.
    pub label: String,
}

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The left foot.
    Left,
    /// The right foot.
    Right,
}

impl Side {
    /// The name of the leg: `left` or `right`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// What happens at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The foot touches the floor.
    FootStrike,
    /// The foot leaves the floor.
    FootOff,
    /// Any other event.
    Other,
}

/// All events, in order of time.
///
/// The header is read only if the group has no events: programs that fill both repeat the events.
pub(super) fn read(numbers: &Numbers, parameters: &Parameters) -> Result<Vec<Event>, C3dError> {
    let mut events = in_group(numbers, parameters);
    if events.is_empty() {
        events = in_header(numbers);
    }
    let is_bad = |(_, event): &(usize, &Event)| !event.seconds.is_finite();
    if let Some((number, event)) = events.iter().enumerate().find(is_bad) {
        let label = event.label.clone();
        return Err(C3dError::EventTime { event: number, label, found: event.seconds });
    }
    events.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(events)
}

/// Most numbered lists: the number of events has 16 bits, and a list has up to 255.
const PARTS: usize = 257;

fn in_group(numbers: &Numbers, parameters: &Parameters) -> Vec<Event> {
    let used = parameters.find("EVENT", "USED").and_then(|used| used.numbers(numbers).next());
    // An unsigned 16-bit number, which some programs leave out.
    let used = used.map_or(usize::MAX, |used| (used as i64).rem_euclid(1 << 16) as usize);
    let mut events = Vec::new();
    for part in 1..=PARTS {
        let named = |name: &str| match part {
            1 => parameters.find("EVENT", name),
            _ => parameters.find("EVENT", &format!("{name}{part}")),
        };
        let (Some(labels), Some(times)) = (named("LABELS"), named("TIMES")) else { break };
        let mut contexts = named("CONTEXTS").map(|contexts| contexts.texts(numbers));
        // Minutes and seconds alternate.
        let mut times = times.numbers(numbers);
        for label in labels.texts(numbers) {
            let (Some(minutes), Some(seconds)) = (times.next(), times.next()) else { break };
            let context = contexts.as_mut().and_then(Iterator::next).unwrap_or_default();
            events.push(event(&context, label, 60.0 * minutes + seconds));
        }
    }
    events.truncate(used);
    events
}

/// Header position of the key that announces labels of four letters, in bytes.
const KEY: usize = 298;
/// Header position of the number of events.
const COUNT: usize = 300;
/// Header position of the event times.
const TIMES: usize = 304;
/// Header position of the event labels.
const LABELS: usize = 396;
/// Most events of a header.
const MOST: usize = 18;

fn in_header(numbers: &Numbers) -> Vec<Event> {
    let (key, count) = (numbers.word(KEY), numbers.word(COUNT).map_or(0, usize::from));
    // Without the key these bytes have no defined meaning.
    if key != Some(12_345) || count > MOST {
        return Vec::new();
    }
    let one = |number: usize| {
        let label = numbers.bytes.get(LABELS + 4 * number..LABELS + 4 * number + 4)?;
        let label: String = label.iter().map(|&letter| char::from(letter)).collect();
        let label = label.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
        Some(event("", label.to_owned(), numbers.float(TIMES + 4 * number)?))
    };
    (0..count).map_while(one).collect()
}

fn event(context: &str, label: String, seconds: f64) -> Event {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let (context, words) = (letters(context), letters(&label));
    let context_side = match context.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    };
    let (label_side, words) = split_side(&words);
    let kind = kind(words);
    // A leading `R` is a side only if the rest is a known event: `Reach` has no side.
    let side = context_side.or(label_side.filter(|_| kind != EventKind::Other));
    Event { side, kind, seconds, label }
}

/// The side that a label starts with, and the rest of the label.
fn split_side(words: &str) -> (Option<Side>, &str) {
    let sides = [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)];
    for (word, side) in sides {
        if let Some(rest) = words.strip_prefix(word) {
            return (Some(side), rest);
        }
    }
    (None, words)
}

/// The meaning of a label without its side, in lower case without blanks and digits.
fn kind(words: &str) -> EventKind {
    match words {
        "hs" | "fs" | "ic" | "on" | "fc" | "hc" | "td" | "footon" | "footdown" | "touchdown" => {
            EventKind::FootStrike
        }
        "to" | "fo" | "ho" | "off" => EventKind::FootOff,
        _ if words.contains("strike") || words.contains("contact") => EventKind::FootStrike,
        _ if words.ends_with("off") => EventKind::FootOff,
        _ => EventKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(context: &str, label: &str, side: Option<Side>, kind: EventKind) {
        let found = event(context, label.into(), 0.0);
        assert_eq!((found.side, found.kind), (side, kind), "{context} {label}");
    }

    #[test]
    fn labels_of_many_programs_are_recognised() {
        use EventKind::{FootOff, FootStrike, Other};
        use Side::{Left, Right};
        check("Left", "Foot Strike", Some(Left), FootStrike);
        check("Right", "Foot Strike2", Some(Right), FootStrike);
        check("RIGHT", "foot off", Some(Right), FootOff);
        check("", "LHS", Some(Left), FootStrike);
        check("", "RTO ", Some(Right), FootOff);
        check("", "Left Foot Off", Some(Left), FootOff);
        check("L", "Initial Contact", Some(Left), FootStrike);
        check("General", "Event", None, Other);
        check("General", "Reach", None, Other);
        check("", "Left hand up", None, Other);
    }
}
