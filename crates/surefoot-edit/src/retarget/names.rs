//! Reads side and body part from joint names of trunk, arms and fingers.
//!
//! Legs are found by `surefoot-infer`. Here names are only split into words. Some words mean different
//! joints in different conventions: `LeftShoulder` is the collar next to `LeftArm`, but the upper arm
//! next to `LeftCollar`. The shape of the skeleton decides in these cases, in `roles.rs`.

/// Side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

impl Side {
    /// Lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// Names of the fingers, from the thumb.
pub(super) const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// The parts of a joint name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NameParts {
    pub side: Option<Side>,
    pub head: bool,
    pub neck: bool,
    pub hand: bool,
    /// Index of the finger, from the thumb, and the number of its joint if the name has one.
    pub finger: Option<(usize, Option<usize>)>,
    /// Twist bones, IK targets, dummies between two joints.
    pub helper: bool,
    /// End sites, eyes, jaws, props: not part of the body chains.
    pub accessory: bool,
}

/// Longest name that is read, in characters; the rest is ignored. It bounds the time for bad files.
const MAX_NAME_LENGTH: usize = 200;

/// Parses the name of a joint.
pub(super) fn read(name: &str) -> NameParts {
    let name: String = name.chars().take(MAX_NAME_LENGTH).collect();
    let bare = name.rsplit([':', '|']).find(|part| !part.is_empty()).unwrap_or(&name);
    let mut parts = NameParts { helper: bare.starts_with("__"), ..NameParts::default() };
    let pieces = pieces(bare);
    for (at, piece) in pieces.iter().enumerate() {
        let number = pieces.get(at + 1).filter(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        read_word(piece, number.map(String::as_str), &mut parts);
    }
    glyphs(bare, &mut parts);
    parts
}

/// Splits a name at capitals, digits and punctuation.
fn pieces(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1).copied();
        let capital = letter.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || before.is_some_and(char::is_uppercase) && after.is_some_and(char::is_lowercase));
        let digits = before.is_some_and(|before| before.is_ascii_digit() != letter.is_ascii_digit());
        if (capital || digits || !letter.is_alphanumeric()) && !piece.is_empty() {
            pieces.push(core::mem::take(&mut piece));
        }
        if letter.is_alphanumeric() {
            piece.extend(letter.to_lowercase());
        }
    }
    pieces.extend(Some(piece).filter(|piece| !piece.is_empty()));
    pieces
}

/// Interprets one word and the number after it.
fn read_word(piece: &str, number: Option<&str>, parts: &mut NameParts) {
    match piece {
        "l" | "left" | "lt" | "lft" => parts.side = parts.side.or(Some(Side::Left)),
        "r" | "right" | "rt" | "rgt" => parts.side = parts.side.or(Some(Side::Right)),
        "head" | "skull" | "kopf" | "cabeza" | "testa" | "tete" => parts.head = true,
        "neck" | "hals" | "cuello" | "cou" | "collo" => parts.neck = true,
        "hand" | "wrist" | "palm" | "mano" | "handgelenk" | "poignet" | "main" => parts.hand = true,
        "twist" | "roll" | "ik" | "pole" | "ctrl" | "target" | "helper" | "goal" | "dummy" | "aim" => {
            parts.helper = true;
        }
        "end" | "nub" | "tip" | "site" | "top" | "eye" | "eyes" | "jaw" | "tongue" | "hair" | "ear"
        | "prop" | "weapon" | "attach" | "socket" => parts.accessory = true,
        "finger" | "fingers" => {
            // 3ds Max: Finger0 is the thumb, Finger01 its second joint. Bare, it is all fingers in one.
            let digits: Vec<usize> = number
                .into_iter()
                .flat_map(str::chars)
                .filter_map(|c| c.to_digit(10))
                .map(|d| d as usize)
                .collect();
            parts.finger = match digits[..] {
                [finger] if finger < 5 => Some((finger, Some(1))),
                [finger, joint] if finger < 5 => Some((finger, Some(joint + 1))),
                _ => parts.finger,
            };
        }
        _ => read_joined_words(piece, number, parts),
    }
}

/// Interprets words without separators: `lefthand`, `lthumb`, `rshldr`.
fn read_joined_words(piece: &str, number: Option<&str>, parts: &mut NameParts) {
    let finger = |word: &str| match word {
        "thumb" | "pollex" | "daumen" => Some(0),
        "index" | "indexfinger" => Some(1),
        "middle" | "mid" | "middlefinger" => Some(2),
        "ring" | "ringfinger" => Some(3),
        "pinky" | "pinkie" | "little" | "pink" | "littlefinger" => Some(4),
        _ => None,
    };
    let joint = number.and_then(|number| number.parse().ok());
    if let Some(which) = finger(piece) {
        parts.finger = Some((which, joint));
        return;
    }
    for (prefix, side) in
        [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)]
    {
        let Some(rest) = piece.strip_prefix(prefix).filter(|rest| rest.len() > 2) else { continue };
        let known = finger(rest).is_some() || matches!(rest, "hand" | "wrist" | "palm") || is_arm(rest);
        if known {
            parts.side = parts.side.or(Some(side));
            read_word(rest, number, parts);
            return;
        }
    }
}

/// Words for parts of the arm, from which only the side is read.
fn is_arm(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "arm", "forearm", "upperarm", "lowerarm", "uparm", "loarm", "elbow", "shoulder", "shldr", "collar",
        "clavicle", "humerus", "radius", "ulna", "scapula", "fingers",
    ];
    WORDS.contains(&word)
}

/// Interprets Japanese, Chinese and Korean names.
fn glyphs(name: &str, parts: &mut NameParts) {
    if name.is_ascii() {
        return;
    }
    let has = |glyphs: &[&str]| glyphs.iter().any(|glyph| name.contains(glyph));
    let side = [(["左", "왼"], Side::Left), (["右", "오른"], Side::Right)];
    parts.side = parts.side.or(side.into_iter().find(|(glyphs, _)| has(glyphs)).map(|(_, side)| side));
    parts.head |= has(&["頭", "头", "머리"]);
    parts.hand |= has(&["手首", "手腕", "손목"]);
    parts.neck |= has(&["脖", "목"]) || name == "首";
    parts.helper |= has(&["ＩＫ", "捩", "補助"]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingers_are_read_in_all_naming_conventions() {
        let finger = |name: &str| read(name).finger;
        assert_eq!(finger("LeftHandIndex1"), Some((1, Some(1))));
        assert_eq!(finger("RightInHandPinky"), Some((4, None)));
        assert_eq!(finger("rMid2"), Some((2, Some(2))));
        assert_eq!(finger("LThumb"), Some((0, None)));
        assert_eq!(finger("Ring3_L"), Some((3, Some(3))));
        assert_eq!(finger("Bip01 L Finger02"), Some((0, Some(3))));
        assert_eq!(finger("LeftFingerBase"), None);
        assert_eq!(finger("RightHand"), None);
    }

    #[test]
    fn sides_and_helpers_are_read() {
        for name in ["LeftHand", "lHand", "Hand_L", "Bip01 L Hand", "mixamorig:LeftHand", "左手首"] {
            let parts = read(name);
            assert!(parts.hand && parts.side == Some(Side::Left), "{name}");
        }
        assert!(read("__Clavicle_L").helper && read("LeftArmTwist").helper);
        assert!(read("HeadTop_End").accessory && read("leftEye").accessory);
        assert!(read("Neck1").neck && read("head").head);
    }
}
