//! What does a joint's name say of the trunk and the arms: which side, which part?
//!
//! Legs are found by `surefoot_core::understand`. Here a name is only cut into words; where a
//! dialect uses one word for two joints (`LeftShoulder` is the collar beside `LeftArm`, the upper
//! arm beside `LeftCollar`), the shape decides, in `roles.rs`.

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

impl Side {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// A finger, by its place from the thumb: 0 to 4.
pub(super) const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// What a name says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub side: Option<Side>,
    pub head: bool,
    pub neck: bool,
    pub hand: bool,
    /// Which finger, from the thumb, and which of its joints, where a number says so.
    pub finger: Option<(usize, Option<usize>)>,
    /// Twist bones, IK targets, dummies between two joints.
    pub helper: bool,
    /// Where a bone ends; eyes, jaws and the like.
    pub aside: bool,
}

/// Longest name that is read, in letters.
const LONGEST: usize = 200;

/// Reads a joint's name.
pub(super) fn read(name: &str) -> Said {
    let name: String = name.chars().take(LONGEST).collect();
    let bare = name.rsplit([':', '|']).find(|part| !part.is_empty()).unwrap_or(&name);
    let mut said = Said { helper: bare.starts_with("__"), ..Said::default() };
    let pieces = pieces(bare);
    for (at, piece) in pieces.iter().enumerate() {
        let number = pieces.get(at + 1).filter(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        take(piece, number.map(String::as_str), &mut said);
    }
    glyphs(bare, &mut said);
    said
}

/// A name cut at seams: where letters become capitals, digits or anything else.
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

/// Takes in one word, and the number after it.
fn take(piece: &str, number: Option<&str>, said: &mut Said) {
    match piece {
        "l" | "left" | "lt" | "lft" => said.side = said.side.or(Some(Side::Left)),
        "r" | "right" | "rt" | "rgt" => said.side = said.side.or(Some(Side::Right)),
        "head" | "skull" | "kopf" | "cabeza" | "testa" | "tete" => said.head = true,
        "neck" | "hals" | "cuello" | "cou" | "collo" => said.neck = true,
        "hand" | "wrist" | "palm" | "mano" | "handgelenk" | "poignet" | "main" => said.hand = true,
        "twist" | "roll" | "ik" | "pole" | "ctrl" | "target" | "helper" | "goal" | "dummy" | "aim" => {
            said.helper = true;
        }
        "end" | "nub" | "tip" | "site" | "top" | "eye" | "eyes" | "jaw" | "tongue" | "hair" | "ear"
        | "prop" | "weapon" | "attach" | "socket" => said.aside = true,
        "finger" | "fingers" => {
            // 3ds Max: Finger0 is the thumb, Finger01 its second joint. Bare, it is all fingers in one.
            let digits: Vec<usize> = number
                .into_iter()
                .flat_map(str::chars)
                .filter_map(|c| c.to_digit(10))
                .map(|d| d as usize)
                .collect();
            said.finger = match digits[..] {
                [finger] if finger < 5 => Some((finger, Some(1))),
                [finger, joint] if finger < 5 => Some((finger, Some(joint + 1))),
                _ => said.finger,
            };
        }
        _ => words_within(piece, number, said),
    }
}

/// Words without a seam: `lefthand`, `lthumb`, `rshldr`.
fn words_within(piece: &str, number: Option<&str>, said: &mut Said) {
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
        said.finger = Some((which, joint));
        return;
    }
    for (prefix, side) in
        [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)]
    {
        let Some(rest) = piece.strip_prefix(prefix).filter(|rest| rest.len() > 2) else { continue };
        let known = finger(rest).is_some() || matches!(rest, "hand" | "wrist" | "palm") || is_arm(rest);
        if known {
            said.side = said.side.or(Some(side));
            take(rest, number, said);
            return;
        }
    }
}

/// Words of the arm that say no more than whose side they are on.
fn is_arm(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "arm", "forearm", "upperarm", "lowerarm", "uparm", "loarm", "elbow", "shoulder", "shldr", "collar",
        "clavicle", "humerus", "radius", "ulna", "scapula", "fingers",
    ];
    WORDS.contains(&word)
}

/// Japanese, Chinese and Korean names.
fn glyphs(name: &str, said: &mut Said) {
    if name.is_ascii() {
        return;
    }
    let has = |glyphs: &[&str]| glyphs.iter().any(|glyph| name.contains(glyph));
    let side = [(["左", "왼"], Side::Left), (["右", "오른"], Side::Right)];
    said.side = said.side.or(side.into_iter().find(|(glyphs, _)| has(glyphs)).map(|(_, side)| side));
    said.head |= has(&["頭", "头", "머리"]);
    said.hand |= has(&["手首", "手腕", "손목"]);
    said.neck |= has(&["脖", "목"]) || name == "首";
    said.helper |= has(&["ＩＫ", "捩", "補助"]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingers_and_their_joints_are_read_in_every_dialect() {
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
            let said = read(name);
            assert!(said.hand && said.side == Some(Side::Left), "{name}");
        }
        assert!(read("__Clavicle_L").helper && read("LeftArmTwist").helper);
        assert!(read("HeadTop_End").aside && read("leftEye").aside);
        assert!(read("Neck1").neck && read("head").head);
    }
}
