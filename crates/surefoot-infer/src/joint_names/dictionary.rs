//! The words that joint names are made of, in the languages of rigs.

use super::{ArmPart, LegRow, NameHints, Part, Side};

/// The meaning of one word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Side(Side),
    Corner(LegRow, Side),
    Row(LegRow),
    Part(Part),
    Up,
    Low,
    Fore,
    Back,
    Helper,
    Tip,
    Filler,
}

/// The meaning of a word in lower case.
pub(super) fn look_up(word: &str) -> Option<Word> {
    use LegRow::{Front, Hind, Middle};
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
        "front" | "frnt" | "anterior" => Word::Row(Front),
        "mid" => Word::Row(Middle),
        "hind" | "rear" | "posterior" => Word::Row(Hind),
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

/// Parts of names of arms, in the order in which they are looked for: `RightHandIndex1` is a finger.
const ARM_PARTS: [(ArmPart, &[&str]); 6] = [
    (
        ArmPart::Finger,
        &[
            "finger", "thumb", "index", "middle", "pinky", "pinkie", "little", "carpal", "knuckle", "daumen",
            "doigt", "pouce", "dedo", "指",
        ],
    ),
    (
        ArmPart::Fore,
        &[
            "forearm",
            "lowerarm",
            "lowarm",
            "loarm",
            "elbow",
            "radius",
            "ulna",
            "unterarm",
            "ellbogen",
            "avantbras",
            "coude",
            "antebrazo",
            "codo",
            "gomito",
            "ひじ",
            "肘",
        ],
    ),
    (ArmPart::Clavicle, &["clav", "collar", "scapula"]),
    (ArmPart::Shoulder, &["shoulder", "schulter", "epaule", "hombro", "spalla", "肩"]),
    (ArmPart::Upper, &["arm", "humerus", "shldr", "bicep", "bras", "brazo", "braccio", "腕"]),
    (ArmPart::Hand, &["hand", "wrist", "palm", "poignet", "mano", "muneca", "polso", "手首", "手"]),
];

/// The part of an arm that a name stands for.
pub(super) fn arm_part(name: &str) -> Option<ArmPart> {
    let letters: String =
        name.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect();
    let is_named = |(_, words): &&(ArmPart, &[&str])| words.iter().any(|word| letters.contains(word));
    ARM_PARTS.iter().find(is_named).map(|(part, _)| *part)
}

/// Adds hints of Japanese, Chinese and Korean names, which have no spaces between words.
///
/// The first match counts, so longer words come first: 足首 (ankle) before 足 (leg).
pub(super) fn add_cjk_hints(name: &str, hints: &mut NameHints) {
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
    hints.side = hints.side.or(side.map(|(_, side)| side));
    hints.part = hints.part.or(part.map(|(_, part)| part));
    hints.is_helper |= HELPERS.into_iter().any(found);
}
