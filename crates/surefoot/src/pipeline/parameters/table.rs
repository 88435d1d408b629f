//! The parameters. A field of the settings that is missing here fails a test.

use surefoot_contact::{Edges, Hold, Method as Detector};
use surefoot_solve::{FootRoll, Method};

use super::{Field, Parameter, Quantity, Value};

/// A number of the cleaner.
macro_rules! cleaning {
    ($field:ident) => {
        Field::Cleaning {
            get: |settings| Value::Number(settings.$field),
            set: |settings, value| {
                if let Value::Number(number) = value {
                    settings.$field = number;
                }
            },
        }
    };
}

/// A number of the detector.
macro_rules! detection {
    ($field:ident) => {
        Field::Detection {
            get: |settings| Value::Number(settings.$field),
            set: |settings, value| {
                if let Value::Number(number) = value {
                    settings.$field = number;
                }
            },
        }
    };
}

/// A parameter without words that streams and the studio have too.
const fn number(name: &'static str, quantity: Quantity, field: Field, effect: &'static str) -> Parameter {
    Parameter { name, quantity, words: &[], effect, field }
}

const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    field: Field,
    effect: &'static str,
) -> Parameter {
    Parameter { name, quantity: Quantity::Choice, words, effect, field }
}

const WHOLE: &str = "whole";
const AUTO: &str = "auto";
const UNLIMITED: &str = "unlimited";

/// All parameters: first those of the cleaner, then those of the detector.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        words: &[WHOLE],
        ..number(
            "spot_window",
            Quantity::Seconds,
            Field::Cleaning {
                get: |settings| match settings.spot_window {
                    f64::INFINITY => Value::Word(WHOLE),
                    seconds => Value::Number(seconds),
                },
                set: |settings, value| {
                    settings.spot_window = match value {
                        Value::Number(seconds) => seconds,
                        Value::Word(_) => f64::INFINITY,
                    };
                },
            },
            "A plant is held at the mean position over this much of its start, or over the whole plant. Longer moves \
             the foot less, and in a stream adds latency.",
        )
    },
    number(
        "ankle_window",
        Quantity::Seconds,
        cleaning!(ankle_window),
        "Time over which the added rotation of a foot held at heel and ball fades where only one of them is held. \
         Longer turns the foot more slowly.",
    ),
    number(
        "root_window",
        Quantity::Seconds,
        cleaning!(root_window),
        "Half the width of the filter that smooths the root correction. Longer moves the root more evenly.",
    ),
    number(
        "knee_window",
        Quantity::Seconds,
        cleaning!(knee_window),
        "Half the width of the window in which root, feet and knees share a correction. Longer gives smoother knees \
         and takes more time.",
    ),
    number(
        "blend_window",
        Quantity::Seconds,
        cleaning!(blend_window),
        "Longest time in which a free foot returns to its captured path before and after a plant. Longer changes more \
         frames, each by less.",
    ),
    number(
        "root_cell",
        Quantity::Seconds,
        cleaning!(root_cell),
        "Duration of the cells in which root corrections are averaged before they are smoothed. Longer is faster and \
         coarser.",
    ),
    Parameter {
        words: &[AUTO, UNLIMITED],
        ..number(
            "stretch",
            Quantity::Share,
            Field::Cleaning {
                get: |settings| match settings.stretch {
                    None => Value::Word(AUTO),
                    Some(f64::INFINITY) => Value::Word(UNLIMITED),
                    Some(share) => Value::Number(share),
                },
                set: |settings, value| {
                    settings.stretch = match value {
                        Value::Number(share) => Some(share),
                        Value::Word(UNLIMITED) => Some(f64::INFINITY),
                        Value::Word(_) => None,
                    };
                },
            },
            "Largest stretch of thigh and shin. 0 keeps all bone lengths; auto is 3 % for files whose joints have \
             translations and 0 for all others.",
        )
    },
    choice(
        "roll",
        &["kept", "flat"],
        Field::Cleaning {
            get: |settings| {
                Value::Word(match settings.roll {
                    FootRoll::Keep => "kept",
                    FootRoll::Flat => "flat",
                })
            },
            set: |settings, value| {
                settings.roll = if value == Value::Word("flat") { FootRoll::Flat } else { FootRoll::Keep };
            },
        },
        "A foot held at heel and ball keeps its roll as far as possible, or is laid flat on the floor.",
    ),
    Parameter {
        words: &[AUTO],
        ..number(
            "snap_distance",
            Quantity::Metres,
            Field::Cleaning {
                get: |settings| settings.snap_distance.map_or(Value::Word(AUTO), Value::Number),
                set: |settings, value| {
                    settings.snap_distance = match value {
                        Value::Number(metres) => Some(metres),
                        Value::Word(_) => None,
                    };
                },
            },
            "Height above the floor up to which a plant is put on it. Plants further above, as on a step, keep their \
             height. auto is 1 cm for a plane and 2 cm for a height field or mesh. The published method puts every \
             plant on the floor.",
        )
    },
    number(
        "knee_damping_angle",
        Quantity::Angle,
        cleaning!(knee_damping_angle),
        "In the published methods: knee angle above which bones stretch instead of the knee. \
         Smaller stretches them more often.",
    ),
    number(
        "root_weight",
        Quantity::Ratio,
        cleaning!(root_weight),
        "Weight of the root's acceleration relative to that of a knee, where both share a correction. Larger leaves \
         more jitter to the knees, smaller more to the body. The published method does not use it.",
    ),
    choice(
        "method",
        &["phases", "support"],
        Field::Cleaning {
            get: |settings| {
                Value::Word(match settings.method {
                    Method::Phases => "phases",
                    Method::Support => "support",
                })
            },
            set: |settings, value| {
                settings.method =
                    if value == Value::Word("support") { Method::Support } else { Method::Phases };
            },
        },
        "Where plants are held: phases at their mean position; support where their foot begins to stand, or where its \
         skate ends.",
    ),
    number(
        "skate_speed",
        Quantity::MetresPerSecond,
        cleaning!(skate_speed),
        "For the method support: speed above which a planted foot skates, where plants are not labelled.",
    ),
    choice(
        "repair_glitches",
        &["no", "yes"],
        Field::Cleaning {
            get: |settings| Value::Word(if settings.repair_glitches { "yes" } else { "no" }),
            set: |settings, value| settings.repair_glitches = value == Value::Word("yes"),
        },
        "Replaces glitches, one or two frames in which the capture jumps away and back, by interpolation. Otherwise \
         glitches are only reported. Streams do not look for them.",
    ),
    choice(
        "detector",
        &["learned", "speed-height", "zero-crossing", "knn", "svm"],
        Field::Detection {
            get: |settings| Value::Word(settings.detector.as_str()),
            set: |settings, value| {
                if let Value::Word(word) = value {
                    settings.detector = Detector::from_name(word).unwrap_or_default();
                }
            },
        },
        "How plants are detected where none are given: by a trained model, by thresholds on speed and height, or by a \
         published method.",
    ),
    choice(
        "hold",
        &["feet", "hands", "feet,hands"],
        Field::Detection {
            get: |settings| Value::Word(settings.hold.as_str()),
            set: |settings, value| {
                if let Value::Word(word) = value {
                    settings.hold = Hold::from_name(word).unwrap_or_default();
                }
            },
        },
        "Which limbs are planted where no plants are given. Hands rest on the floor, on a wall or on anything else \
             that stands still.",
    ),
    choice(
        "edges",
        &["rest", "touch"],
        Field::Detection {
            get: |settings| {
                Value::Word(match settings.edges {
                    Edges::Rest => "rest",
                    Edges::Touch => "touch",
                })
            },
            set: |settings, value| {
                settings.edges = if value == Value::Word("touch") { Edges::Touch } else { Edges::Rest };
            },
        },
        "A plant lasts while its point rests, or from heel strike to toe off, while any part of the foot touches the \
         floor. For the detector learned.",
    ),
    number(
        "enter_speed",
        Quantity::LegLengthsPerSecond,
        detection!(enter_speed),
        "Speed below which a point comes to rest. Higher finds plants in worse captures, but also false plants of \
         hovering feet.",
    ),
    number(
        "exit_speed",
        Quantity::LegLengthsPerSecond,
        detection!(exit_speed),
        "Speed below which a point stays at rest. Higher keeps a plant in one piece through jitter, and extends it into \
         the swing.",
    ),
    number(
        "swing_speed_fraction",
        Quantity::Share,
        detection!(swing_speed_fraction),
        "Both speeds are at least this share of the fastest speed of the point within 0.5 s. Higher finds the plants of \
         faster runners, but also false plants of hovering feet.",
    ),
    number(
        "max_edge_drift",
        Quantity::LegLengths,
        detection!(max_edge_drift),
        "Largest distance of a point from its resting position at the ends of its plant. Higher makes plants longer.",
    ),
    number(
        "min_gap",
        Quantity::Seconds,
        detection!(min_gap),
        "Shorter gaps are closed if the point stays near. Longer joins plants.",
    ),
    number("min_plant", Quantity::Seconds, detection!(min_plant), "Shorter plants are dropped."),
];
