//! Merges notes that differ only in their place and their numbers.
//!
//! A capture whose floor is 3 cm off gives one note for each plant. Eleven nearly equal sentences hide the other notes,
//! so they become one sentence with a list of the places.

/// Notes of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedNote {
    /// What happened: a note that is alone as a whole; of several, the part after the place of the one with the
    /// largest number.
    pub text: String,
    /// Where it happened, in the order of the notes: `left heel from frame 12`. Empty for a note that is alone.
    pub places: Vec<String>,
}

/// Number of places of a note above which the rest is counted.
const SHOWN_PLACES: usize = 6;

impl MergedNote {
    /// The note and its places in words.
    pub fn sentence(&self) -> String {
        let (shown, rest) = self.places.split_at(self.places.len().min(SHOWN_PLACES));
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        match self.places.len() {
            0 => self.text.clone(),
            times => format!("{times} times, the largest: {} – {}{more}", self.text, shown.join(", ")),
        }
    }
}

/// Merges notes, each at the position of its first. A place ends at the first colon.
pub fn merge_notes(notes: &[String]) -> Vec<MergedNote> {
    let mut groups: Vec<(String, Vec<(&str, &str)>)> = Vec::new();
    for note in notes {
        let (place, what) = note.split_once(": ").unwrap_or(("", note));
        let kind = without_numbers(what);
        // Sentences without a place are never merged: their numbers are the message.
        match groups.iter_mut().find(|(known, _)| *known == kind && !place.is_empty()) {
            Some((_, group)) => group.push((place, what)),
            None => groups.push((if place.is_empty() { note.clone() } else { kind }, vec![(place, what)])),
        }
    }
    groups.into_iter().map(|(_, group)| merged(&group)).collect()
}

fn merged(group: &[(&str, &str)]) -> MergedNote {
    match group {
        [("", alone)] => MergedNote { text: (*alone).into(), places: Vec::new() },
        [(place, what)] => MergedNote { text: format!("{place}: {what}"), places: Vec::new() },
        all => {
            let largest = all.iter().max_by(|a, b| first_number(a.1).total_cmp(&first_number(b.1)));
            let text = largest.map_or_else(String::new, |(_, what)| (*what).into());
            MergedNote { text, places: all.iter().map(|(place, _)| (*place).into()).collect() }
        }
    }
}

fn without_numbers(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit() && *letter != '.').collect()
}

/// The first number of a text; 0 without one.
fn first_number(text: &str) -> f64 {
    let start = text.find(|letter: char| letter.is_ascii_digit());
    let number = start.map_or("", |start| &text[start..]);
    let end = number.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(number.len());
    number[..end].parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_that_differ_in_place_and_size_become_one() {
        let notes = [
            "the floor was inferred".to_owned(),
            "left heel from frame 1: planted 12 mm above the floor".into(),
            "right ball from frame 90: planted 30.5 mm above the floor".into(),
            "left heel from frame 40: slides 3 mm".into(),
        ];
        let merged = merge_notes(&notes);
        assert_eq!(merged.len(), 3);
        assert_eq!(merged[1].text, "planted 30.5 mm above the floor");
        assert_eq!(merged[1].places, ["left heel from frame 1", "right ball from frame 90"]);
        assert_eq!(merged[2].text, notes[3]);
    }

    #[test]
    fn sentences_without_a_place_stay_apart() {
        let notes = ["lost 3 frames".to_owned(), "lost 4 frames".into()];
        assert_eq!(merge_notes(&notes).len(), 2);
    }
}
