//! Parses the name of a joint into side and body part.
//!
//! A name is split into words (`mixamorig:LeftUpLeg` into *left*, *up*, *leg*; `lfemur` into *l*,
//! *femur*), and each word is looked up in a dictionary. The same word means different joints in
//! different dialects (`LeftLeg` is the knee beside `LeftUpLeg`, the hip beside `LeftKnee`), so a
//! name is only evidence, which `legs.rs` combines with the shape.

mod dictionary;

use dictionary::{Word, add_cjk_hints, arm_part, look_up};

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The pair of legs of an animal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LegRow {
    Front,
    Middle,
    Hind,
}

/// The body part that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// `Hip` with a side: the hip joint in most dialects, a helper above it in some.
    Hip,
    Thigh,
    /// `LeftLeg`: the hip or the knee, depending on the dialect.
    Leg,
    Shin,
    Ankle,
    /// The ankle in most dialects, the toe joint in those that also have `Ankle`.
    Foot,
    Heel,
    Toe,
    Arm,
    /// Spine, head, pelvis, tail: parts without a left and right side.
    Trunk,
}

impl Part {
    /// Whether the part belongs to a leg.
    pub(crate) fn is_leg(self) -> bool {
        !matches!(self, Self::Arm | Self::Trunk)
    }
}

/// The part of an arm that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArmPart {
    Clavicle,
    /// `LeftShoulder`: above `LeftArm` the clavicle, above `LeftElbow` the upper arm.
    Shoulder,
    Upper,
    Fore,
    Hand,
    Finger,
}

/// What the name of a joint suggests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameHints {
    pub side: Option<Side>,
    pub part: Option<Part>,
    /// The part of an arm. Words of other parts may contain those of an arm, so this counts only for joints that may be
    /// arms.
    pub arm: Option<ArmPart>,
    /// The pair of legs of an animal.
    pub row: Option<LegRow>,
    /// Whether it is a twist bone, an IK target or the like.
    pub is_helper: bool,
    /// Whether it is the end of a bone: `LeftToe_End`, `Bip01 L Toe0Nub`.
    pub is_tip: bool,
}

/// Longest part of a name that is parsed, in bytes. Longer names take time and add nothing.
const LONGEST: usize = 200;

/// Parses the name of a joint.
pub(crate) fn parse(name: &str) -> NameHints {
    let name = without_namespace(name);
    let mut words = Vec::new();
    for piece in pieces(name) {
        words.extend(words_in(&piece));
    }
    let mut hints = combine(&words);
    add_cjk_hints(name, &mut hints);
    hints.arm = arm_part(name);
    hints
}

/// `mixamorig:Hips` without `mixamorig:`, `Armature|Hips` without `Armature|`.
fn without_namespace(name: &str) -> &str {
    let end = (0..=LONGEST.min(name.len())).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    let name = &name[..end];
    match name.rfind([':', '|']) {
        Some(at) if at + 1 < name.len() => &name[at + 1..],
        _ => name,
    }
}

/// Splits a name at characters that are not letters and before capitals, in lower case.
fn pieces(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1).copied();
        let starts = letter.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                // The H of LHip: a capital after a capital, before a small letter.
                || before.is_some_and(char::is_uppercase)
                    && after.is_some_and(char::is_lowercase));
        if (starts || !letter.is_alphabetic()) && !piece.is_empty() {
            pieces.push(core::mem::take(&mut piece));
        }
        if letter.is_alphabetic() {
            piece.extend(letter.to_lowercase());
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// The known words that a piece consists of; none if part of it is unknown.
///
/// `leftupleg` is three words without separators, `lfemur` a side and a bone.
fn words_in(piece: &str) -> Vec<Word> {
    if let Some(word) = look_up(piece) {
        return vec![word];
    }
    if let Some(words) = split_words(piece) {
        return words;
    }
    for side in ["l", "r"] {
        if let Some(words) = piece.strip_prefix(side).and_then(split_words) {
            let mut all = vec![look_up(side).unwrap_or(Word::Filler)];
            all.extend(words);
            return all;
        }
        if let Some(words) = piece.strip_suffix(side).and_then(split_words) {
            let mut all = words;
            all.push(look_up(side).unwrap_or(Word::Filler));
            return all;
        }
    }
    Vec::new()
}

/// Splits a piece into known words of three or more letters, the longest first; `None` if that
/// does not cover the whole piece.
fn split_words(piece: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut rest = piece;
    while !rest.is_empty() {
        let end = (2..=rest.len())
            .rev()
            .filter(|&at| rest.is_char_boundary(at))
            .find(|&at| (at >= 3 || matches!(&rest[..at], "up" | "lo")) && look_up(&rest[..at]).is_some())?;
        words.extend(look_up(&rest[..end]));
        rest = &rest[end..];
    }
    (!words.is_empty()).then_some(words)
}

/// Combines the meanings of the words of a name.
fn combine(words: &[Word]) -> NameHints {
    let has = |word: Word| words.contains(&word);
    let has_part = |part: Part| has(Word::Part(part));
    let mut hints =
        NameHints { is_helper: has(Word::Helper), is_tip: has(Word::Tip), ..NameHints::default() };
    for word in words {
        match *word {
            Word::Side(side) => hints.side = hints.side.or(Some(side)),
            Word::Row(row) => hints.row = hints.row.or(Some(row)),
            Word::Corner(row, side) => {
                hints.row = hints.row.or(Some(row));
                hints.side = hints.side.or(Some(side));
            }
            _ => {}
        }
    }
    let legs = [Part::Toe, Part::Heel, Part::Ankle, Part::Foot, Part::Shin, Part::Thigh, Part::Leg];
    hints.part = legs.into_iter().find(|&part| has_part(part));
    hints.part = match hints.part {
        Some(Part::Leg) if has(Word::Up) => Some(Part::Thigh),
        Some(Part::Leg) if has(Word::Low) => Some(Part::Shin),
        Some(Part::Foot) if has(Word::Fore) && hints.row.is_none() => Some(Part::Toe),
        None if has_part(Part::Arm) => Some(Part::Arm),
        // `hip` without a side is the pelvis.
        None if has_part(Part::Hip) && hints.side.is_some() => Some(Part::Hip),
        None if has_part(Part::Hip) || has_part(Part::Trunk) || has(Word::Back) => Some(Part::Trunk),
        other => other,
    };
    if hints.part.is_some_and(Part::is_leg) && hints.row.is_none() {
        if has(Word::Back) {
            hints.row = Some(LegRow::Hind);
        } else if has(Word::Fore) && hints.part != Some(Part::Toe) {
            hints.row = Some(LegRow::Front);
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, side: Option<Side>, part: Part) {
        let hints = parse(name);
        assert_eq!((hints.side, hints.part), (side, Some(part)), "{name}");
    }

    #[test]
    fn names_of_many_dialects_are_parsed() {
        use Part::{Ankle, Arm, Foot, Heel, Hip, Leg, Shin, Thigh, Toe, Trunk};
        let left = Some(Side::Left);
        let right = Some(Side::Right);
        for (name, side, part) in [
            ("LeftUpLeg", left, Thigh),
            ("mixamorig:RightLeg", right, Leg),
            ("Character1_LeftToeBase", left, Toe),
            ("LHipJoint", left, Hip),
            ("hip", None, Trunk),
            ("Hips", None, Trunk),
            ("lThigh", left, Thigh),
            ("rButtock", right, Thigh),
            ("lfemur", left, Thigh),
            ("rtibia", right, Shin),
            ("rfoot", right, Foot),
            ("ltoes", left, Toe),
            ("rhumerus", right, Arm),
            ("Bip01 L Thigh", left, Thigh),
            ("Bip01_R_Calf", right, Shin),
            ("ValveBiped.Bip01_L_Foot", left, Foot),
            ("J_Bip_L_UpperLeg", left, Thigh),
            ("J_Bip_R_LowerLeg", right, Shin),
            ("UpLeg_L", left, Thigh),
            ("LoLeg_R", right, Shin),
            ("thigh.L", left, Thigh),
            ("upperleg01.L", left, Thigh),
            ("lowerleg02.R", right, Shin),
            ("hip_l", left, Hip),
            ("calcn_r", right, Heel),
            ("talus_r", right, Ankle),
            ("LeftForeFoot", left, Toe),
            ("LeftForeArm", left, Arm),
            ("HipLeft", left, Hip),
            ("ball_l", left, Toe),
            ("L_Ankle", left, Ankle),
            ("leftupleg", left, Thigh),
            ("rightlowerleg", right, Shin),
            ("LeftShin", left, Shin),
            ("左足首", left, Ankle),
            ("右ひざ", right, Shin),
            ("左足", left, Leg),
            ("右手首", right, Arm),
            ("LeftHandMiddle1", left, Arm),
            ("left_foot_index", left, Foot),
            ("Oberschenkel_links", left, Thigh),
            ("cuisse_droite", right, Thigh),
        ] {
            check(name, side, part);
        }
    }

    #[test]
    fn the_parts_of_arms_are_recognised_in_many_dialects() {
        use ArmPart::{Clavicle, Finger, Fore, Hand, Shoulder, Upper};
        for (name, part) in [
            ("LeftShoulder", Shoulder),
            ("LeftArm", Upper),
            ("mixamorig:LeftForeArm", Fore),
            ("mixamorig:RightHand", Hand),
            ("mixamorig:RightHandIndex1", Finger),
            ("LeftFingerBase", Finger),
            ("LThumb", Finger),
            ("upperarm01.L", Upper),
            ("lowerarm02.R", Fore),
            ("wrist.L", Hand),
            ("metacarpal1.L", Finger),
            ("UpperArm_L", Upper),
            ("L_Collar", Clavicle),
            ("L_Elbow", Fore),
            ("L_Wrist", Hand),
            ("clavicle_l", Clavicle),
            ("hand_r", Hand),
            ("Bip01 L UpperArm", Upper),
            ("Bip01 L Forearm", Fore),
            ("lShldr", Upper),
            ("rhumerus", Upper),
            ("rradius", Fore),
            ("右手首", Hand),
            ("左ひじ", Fore),
        ] {
            assert_eq!(parse(name).arm, Some(part), "{name}");
        }
    }

    #[test]
    fn unknown_names_give_no_hints() {
        for name in ["", "joint_17", "Bone.003", "::", "|", "A", "😀", "ﬁ"] {
            let hints = parse(name);
            assert_eq!((hints.side, hints.part), (None, None), "{name}");
        }
    }

    #[test]
    fn helpers_and_bone_ends_are_recognised() {
        assert!(parse("LeftUpLegTwist").is_helper);
        assert!(parse("左足ＩＫ").is_helper);
        assert!(parse("ik_foot_l").is_helper);
        assert!(parse("mixamorig:LeftToe_End").is_tip);
        assert!(parse("Bip01 L Toe0Nub").is_tip);
        assert!(!parse("LeftFoot").is_tip);
    }

    #[test]
    fn legs_of_animals_are_recognised() {
        assert_eq!(parse("FrontLeftThigh").row, Some(LegRow::Front));
        assert_eq!(parse("LF_Leg").row, Some(LegRow::Front));
        assert_eq!(parse("BackLeg_R").row, Some(LegRow::Hind));
        assert_eq!(parse("foreleg_l").row, Some(LegRow::Front));
    }
}
