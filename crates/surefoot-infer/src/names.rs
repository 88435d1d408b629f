//! What does a joint's name say: which side, which part of the body?
//!
//! A name is cut into words (`mixamorig:LeftUpLeg` is *left*, *up*, *leg*; `lfemur` is *l*,
//! *femur*), each word is looked up, and the words together name a part. Words mean different
//! joints in different dialects (`LeftLeg` is the knee beside `LeftUpLeg`, the hip beside
//! `LeftKnee`), so a name is evidence and no more: `legs.rs` weighs it against the shape.

/// Left or right, as a name has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Which pair of legs, as a name has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Front,
    Middle,
    Hind,
}

/// The part of the body that a name speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// `Hip` with a side: the thigh's joint in most dialects, a helper above it in some.
    Hip,
    Thigh,
    /// Some part of a leg: `LeftLeg`.
    Leg,
    Shin,
    Ankle,
    /// The ankle's joint in most dialects, the toe's beside an `Ankle`.
    Foot,
    Heel,
    Toe,
    Arm,
    /// Spine, head, pelvis, tail: nothing that comes in pairs.
    Trunk,
}

impl Part {
    /// Whether the part belongs to a leg.
    pub(crate) fn is_leg(self) -> bool {
        !matches!(self, Self::Arm | Self::Trunk)
    }
}

/// All that a name says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub side: Option<Side>,
    pub part: Option<Part>,
    pub place: Option<Place>,
    /// Twist bones, IK targets and the like.
    pub helper: bool,
    /// The end of a bone: `LeftToe_End`, `Bip01 L Toe0Nub`.
    pub tip: bool,
}

/// One word's meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Side(Side),
    Corner(Place, Side),
    Place(Place),
    Part(Part),
    /// `hips`: the pelvis. `hip` alone, without a side, is the same.
    Up,
    Low,
    Fore,
    Back,
    Helper,
    Tip,
    Filler,
}

/// Longest name that is read, in bytes; what comes after it adds nothing but time.
const LONGEST: usize = 200;

/// Reads a joint's name.
pub(crate) fn read(name: &str) -> Said {
    let name = without_namespace(name);
    let mut words = Vec::new();
    for piece in pieces(name) {
        words.extend(words_in(&piece));
    }
    let mut said = put_together(&words);
    read_glyphs(name, &mut said);
    said
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

/// A name cut where letters stop and where a capital starts a new word, in small letters.
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

/// The known words that a piece is made of; nothing if some of it is unknown.
///
/// `leftupleg` is three words without a seam, `lfemur` a side and a bone.
fn words_in(piece: &str) -> Vec<Word> {
    if let Some(word) = look_up(piece) {
        return vec![word];
    }
    if let Some(words) = seamless(piece) {
        return words;
    }
    for side in ["l", "r"] {
        if let Some(words) = piece.strip_prefix(side).and_then(seamless) {
            let mut all = vec![look_up(side).unwrap_or(Word::Filler)];
            all.extend(words);
            return all;
        }
        if let Some(words) = piece.strip_suffix(side).and_then(seamless) {
            let mut all = words;
            all.push(look_up(side).unwrap_or(Word::Filler));
            return all;
        }
    }
    Vec::new()
}

/// Words of three letters and more that make up the whole piece, the longest first.
fn seamless(piece: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut rest = piece;
    while !rest.is_empty() {
        let cut = (2..=rest.len())
            .rev()
            .filter(|&at| rest.is_char_boundary(at))
            .find(|&at| (at >= 3 || matches!(&rest[..at], "up" | "lo")) && look_up(&rest[..at]).is_some())?;
        words.extend(look_up(&rest[..cut]));
        rest = &rest[cut..];
    }
    (!words.is_empty()).then_some(words)
}

/// What the words say together.
fn put_together(words: &[Word]) -> Said {
    let has = |word: Word| words.contains(&word);
    let has_part = |part: Part| has(Word::Part(part));
    let mut said = Said { helper: has(Word::Helper), tip: has(Word::Tip), ..Said::default() };
    for word in words {
        match *word {
            Word::Side(side) => said.side = said.side.or(Some(side)),
            Word::Place(place) => said.place = said.place.or(Some(place)),
            Word::Corner(place, side) => {
                said.place = said.place.or(Some(place));
                said.side = said.side.or(Some(side));
            }
            _ => {}
        }
    }
    let legs = [Part::Toe, Part::Heel, Part::Ankle, Part::Foot, Part::Shin, Part::Thigh, Part::Leg];
    said.part = legs.into_iter().find(|&part| has_part(part));
    said.part = match said.part {
        Some(Part::Leg) if has(Word::Up) => Some(Part::Thigh),
        Some(Part::Leg) if has(Word::Low) => Some(Part::Shin),
        Some(Part::Foot) if has(Word::Fore) && said.place.is_none() => Some(Part::Toe),
        None if has_part(Part::Arm) => Some(Part::Arm),
        // `hip` without a side is the pelvis.
        None if has_part(Part::Hip) && said.side.is_some() => Some(Part::Hip),
        None if has_part(Part::Hip) || has_part(Part::Trunk) || has(Word::Back) => Some(Part::Trunk),
        other => other,
    };
    if said.part.is_some_and(Part::is_leg) && said.place.is_none() {
        if has(Word::Back) {
            said.place = Some(Place::Hind);
        } else if has(Word::Fore) && said.part != Some(Part::Toe) {
            said.place = Some(Place::Front);
        }
    }
    said
}

/// Japanese, Chinese and Korean names, which have no seams between words.
///
/// The first that is found counts, so longer ones come first: 足首 (ankle) before 足 (leg).
fn read_glyphs(name: &str, said: &mut Said) {
    if name.is_ascii() {
        return;
    }
    const SIDES: [(&str, Side); 4] =
        [("左", Side::Left), ("右", Side::Right), ("왼", Side::Left), ("오른", Side::Right)];
    const PARTS: [(&str, Part); 44] = [
        ("つま先", Part::Toe),
        ("爪先", Part::Toe),
        ("足指", Part::Toe),
        ("足先", Part::Toe),
        ("脚趾", Part::Toe),
        ("脚尖", Part::Toe),
        ("趾", Part::Toe),
        ("발가락", Part::Toe),
        ("かかと", Part::Heel),
        ("踵", Part::Heel),
        ("脚跟", Part::Heel),
        ("발뒤꿈치", Part::Heel),
        ("足首", Part::Ankle),
        ("踝", Part::Ankle),
        ("발목", Part::Ankle),
        ("ひざ", Part::Shin),
        ("膝", Part::Shin),
        ("すね", Part::Shin),
        ("小腿", Part::Shin),
        ("무릎", Part::Shin),
        ("종아리", Part::Shin),
        ("太もも", Part::Thigh),
        ("太腿", Part::Thigh),
        ("大腿", Part::Thigh),
        ("허벅지", Part::Thigh),
        ("手", Part::Arm),
        ("腕", Part::Arm),
        ("臂", Part::Arm),
        ("ひじ", Part::Arm),
        ("肘", Part::Arm),
        ("肩", Part::Arm),
        ("指", Part::Arm),
        ("팔", Part::Arm),
        ("손", Part::Arm),
        ("어깨", Part::Arm),
        ("足", Part::Leg),
        ("脚", Part::Leg),
        ("腿", Part::Leg),
        ("다리", Part::Leg),
        ("발", Part::Foot),
        ("腰", Part::Trunk),
        ("上半身", Part::Trunk),
        ("頭", Part::Trunk),
        ("首", Part::Trunk),
    ];
    const HELPERS: [&str; 5] = ["ＩＫ", "IK", "捩", "補助", "親"];
    let found = |glyphs: &str| name.contains(glyphs);
    let side = SIDES.into_iter().find(|(glyphs, _)| found(glyphs));
    let part = PARTS.into_iter().find(|(glyphs, _)| found(glyphs));
    said.side = said.side.or(side.map(|(_, side)| side));
    said.part = said.part.or(part.map(|(_, part)| part));
    said.helper |= HELPERS.into_iter().any(found);
}

/// The meaning of one word in small letters.
fn look_up(word: &str) -> Option<Word> {
    use Place::{Front, Hind, Middle};
    Some(match word {
        "l" | "left" | "lt" | "lft" | "lhs" | "links" | "linker" | "linke" | "linkes" | "gauche"
        | "izquierda" | "izquierdo" | "izq" | "sinistra" | "sinistro" | "sx" | "esquerda" | "esquerdo"
        | "esq" | "vanster" | "venstre" => Word::Side(Side::Left),
        "r" | "right" | "rt" | "rgt" | "rght" | "rhs" | "rechts" | "rechter" | "rechte" | "rechtes"
        | "droit" | "droite" | "derecha" | "derecho" | "der" | "destra" | "destro" | "dx" | "direita"
        | "direito" | "hoger" | "hoyre" => Word::Side(Side::Right),
        "lf" | "fl" => Word::Corner(Front, Side::Left),
        "rf" | "fr" => Word::Corner(Front, Side::Right),
        "lb" | "bl" | "hl" | "rl" => Word::Corner(Hind, Side::Left),
        "rb" | "br" | "hr" | "rr" => Word::Corner(Hind, Side::Right),
        "front" | "frnt" | "anterior" => Word::Place(Front),
        "mid" => Word::Place(Middle),
        "hind" | "rear" | "posterior" => Word::Place(Hind),
        "back" => Word::Back,
        "fore" => Word::Fore,
        "up" | "upper" | "upr" | "uppr" => Word::Up,
        "lo" | "low" | "lower" | "lwr" => Word::Low,
        "leg" | "legs" | "bein" | "jambe" | "pierna" | "pata" | "gamba" | "perna" => Word::Part(Part::Leg),
        "hip" | "hueft" | "huefte" | "hufte" | "hüfte" | "hanche" | "cadera" | "anca" => {
            Word::Part(Part::Hip)
        }
        "thigh" | "thighs" | "femur" | "femoral" | "upleg" | "upperleg" | "buttock" | "oberschenkel"
        | "cuisse" | "muslo" | "coscia" | "coxa" | "stifle" => Word::Part(Part::Thigh),
        "knee" | "shin" | "calf" | "tibia" | "fibula" | "crus" | "shank" | "loleg" | "lowleg"
        | "lowerleg" | "unterschenkel" | "knie" | "genou" | "mollet" | "rodilla" | "pantorrilla"
        | "ginocchio" | "joelho" => Word::Part(Part::Shin),
        "ankle" | "talus" | "hock" | "tarsus" | "tarsal" | "knochel" | "knoechel" | "knöchel"
        | "cheville" | "tobillo" | "caviglia" | "tornozelo" => Word::Part(Part::Ankle),
        "foot" | "feet" | "fuss" | "fuß" | "pied" | "pie" | "piede" | "paw" | "hoof" => {
            Word::Part(Part::Foot)
        }
        "heel" | "calcn" | "calcaneus" | "calc" | "ferse" | "talon" | "tallone" => Word::Part(Part::Heel),
        "toe" | "toes" | "toebase" | "bigtoe" | "littletoe" | "ball" | "forefoot" | "metatarsal"
        | "metatarsus" | "midfoot" | "mtp" | "zehe" | "zehen" | "orteil" | "orteils" | "hallux"
        | "dedopie" | "punta" => Word::Part(Part::Toe),
        "arm" | "arms" | "forearm" | "upperarm" | "lowerarm" | "elbow" | "wrist" | "hand" | "hands"
        | "shoulder" | "shldr" | "shoulders" | "clavicle" | "clav" | "collar" | "collarbone" | "humerus"
        | "radius" | "ulna" | "finger" | "fingers" | "thumb" | "index" | "ring" | "pinky" | "pinkie"
        | "little" | "middle" | "carpal" | "metacarpal" | "carpus" | "palm" | "scapula" | "bicep"
        | "biceps" | "schulter" | "ellbogen" | "oberarm" | "unterarm" | "handgelenk" | "finge" | "daumen"
        | "bras" | "coude" | "poignet" | "epaule" | "avantbras" | "doigt" | "pouce" | "brazo" | "codo"
        | "muneca" | "mano" | "hombro" | "antebrazo" | "dedo" | "braccio" | "gomito" | "polso" | "spalla"
        | "wing" => Word::Part(Part::Arm),
        "hips" | "pelvis" | "root" | "spine" | "chest" | "neck" | "head" | "abdomen" | "torso" | "waist"
        | "belly" | "thorax" | "lumbar" | "tail" | "jaw" | "eye" | "eyes" | "skull" | "rib" | "ribs"
        | "ribcage" | "sacrum" | "trunk" | "body" | "cog" | "mouth" | "tongue" | "ear" | "nose" | "face"
        | "hair" | "breast" | "pectoral" | "wirbel" | "kopf" | "hals" | "tete" | "cou" | "cabeza"
        | "cuello" | "columna" | "testa" | "becken" | "bassin" | "world" | "reference" | "armature"
        | "lowerback" | "upperback" | "hueften" => Word::Part(Part::Trunk),
        "twist" | "roll" | "ik" | "fk" | "pole" | "ctrl" | "control" | "controller" | "target" | "helper"
        | "goal" | "effector" | "dummy" | "aim" | "driver" | "adjust" | "corrective" | "muscle"
        | "attach" | "socket" | "weapon" | "vector" => Word::Helper,
        "end" | "nub" | "tip" | "site" | "endsite" | "top" | "null" => Word::Tip,
        "joint" | "jnt" | "jt" | "bone" | "bip" | "biped" | "def" | "org" | "base" | "bind" | "skin"
        | "mixamorig" | "character" | "valve" | "mch" | "drv" | "cc" => Word::Filler,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, side: Option<Side>, part: Part) {
        let said = read(name);
        assert_eq!((said.side, said.part), (side, Some(part)), "{name}");
    }

    #[test]
    fn dialects_are_read() {
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
    fn names_that_mean_nothing_say_nothing() {
        for name in ["", "joint_17", "Bone.003", "::", "|", "A", "😀", "ﬁ"] {
            let said = read(name);
            assert_eq!((said.side, said.part), (None, None), "{name}");
        }
    }

    #[test]
    fn helpers_and_tips_are_told_apart() {
        assert!(read("LeftUpLegTwist").helper);
        assert!(read("左足ＩＫ").helper);
        assert!(read("ik_foot_l").helper);
        assert!(read("mixamorig:LeftToe_End").tip);
        assert!(read("Bip01 L Toe0Nub").tip);
        assert!(!read("LeftFoot").tip);
    }

    #[test]
    fn corners_of_an_animal_are_read() {
        assert_eq!(read("FrontLeftThigh").place, Some(Place::Front));
        assert_eq!(read("LF_Leg").place, Some(Place::Front));
        assert_eq!(read("BackLeg_R").place, Some(Place::Hind));
        assert_eq!(read("foreleg_l").place, Some(Place::Front));
    }
}
