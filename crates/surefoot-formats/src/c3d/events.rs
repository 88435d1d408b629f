//! Which foot did what, and when?
//!
//! The `EVENT` group has a list each of contexts (the side), labels and times, and goes on in
//! lists with a 2, 3 … behind their names where 255 were not enough. Older files have up to 18
//! events in the header, with labels of four letters that name the side as well: `LHS`, `RTO`.

use super::error::C3dError;
use super::numbers::Numbers;
use super::parameters::Parameters;

/// One note in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Whose it is; `None` where it is of the whole body.
    pub side: Option<Side>,
    /// What happens.
    pub kind: EventKind,
    /// When, in seconds from the first frame of the recording, which may have been cut off.
    pub seconds: f64,
    /// Its label, as the file has it.
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
    /// What its leg is called.
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
    /// The foot comes down.
    FootStrike,
    /// The foot leaves.
    FootOff,
    /// Something that says nothing of a foot on the ground.
    Other,
}

/// All events, in the order of time.
///
/// The header's count only where the group has none: programs that write both write them twice.
pub(super) fn read(numbers: &Numbers, parameters: &Parameters) -> Result<Vec<Event>, C3dError> {
    let mut events = in_group(numbers, parameters);
    if events.is_empty() {
        events = in_header(numbers);
    }
    let no_time = |(_, event): &(usize, &Event)| !event.seconds.is_finite();
    if let Some((number, event)) = events.iter().enumerate().find(no_time) {
        let label = event.label.clone();
        return Err(C3dError::Time { event: number, label, found: event.seconds });
    }
    events.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(events)
}

/// The most lists there can be of each: the count of all events has 16 bits, a list 255.
const PARTS: usize = 257;

fn in_group(numbers: &Numbers, parameters: &Parameters) -> Vec<Event> {
    let used = parameters.find("EVENT", "USED").and_then(|used| used.numbers(numbers).next());
    // The count is a hint: some programs forget it. It is 16 bits without a sign.
    let used = used.map_or(usize::MAX, |used| (used as i64).rem_euclid(1 << 16) as usize);
    let mut events = Vec::new();
    for part in 1..=PARTS {
        let named = |name: &str| match part {
            1 => parameters.find("EVENT", name),
            _ => parameters.find("EVENT", &format!("{name}{part}")),
        };
        let (Some(labels), Some(times)) = (named("LABELS"), named("TIMES")) else { break };
        let mut contexts = named("CONTEXTS").map(|contexts| contexts.texts(numbers));
        // Minutes and seconds, in turn.
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

/// The header's places, in bytes: the key that says labels have four letters, how many events,
/// their times, and their labels.
const KEY: usize = 298;
const COUNT: usize = 300;
const TIMES: usize = 304;
const LABELS: usize = 396;
const MOST: usize = 18;

fn in_header(numbers: &Numbers) -> Vec<Event> {
    let (key, count) = (numbers.word(KEY), numbers.word(COUNT).map_or(0, usize::from));
    // Without the key these bytes may be anything.
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
    let of_context = match context.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    };
    let (of_label, words) = without_side(&words);
    let kind = kind(words);
    // `R` before a label is a side only if the rest means something: `Reach` is nobody's.
    let side = of_context.or(of_label.filter(|_| kind != EventKind::Other));
    Event { side, kind, seconds, label }
}

/// The side a label begins with, and the rest of it.
fn without_side(words: &str) -> (Option<Side>, &str) {
    let sides = [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)];
    for (word, side) in sides {
        if let Some(rest) = words.strip_prefix(word) {
            return (Some(side), rest);
        }
    }
    (None, words)
}

/// What a label without its side means, in small letters without blanks and digits.
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
    fn labels_of_many_programs_are_understood() {
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
