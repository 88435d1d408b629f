//! Makes small FBX files, binary and ASCII, with every part that the transform of a node can have.

/// A property of a record.
pub enum Value<'v> {
    Int(i32),
    Long(i64),
    Double(f64),
    Text(&'v str),
    Letter(u8),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Ints(Vec<i32>),
}
use Value::{Double, Floats, Int, Ints, Letter, Long, Longs, Text};

/// A record with its properties and children.
pub struct Record<'v>(pub &'static str, pub Vec<Value<'v>>, pub Vec<Record<'v>>);

/// Units of time per second.
const TICKS: f64 = 46_186_158_000.0;
pub const FPS: f64 = 30.0;
pub const FRAMES: usize = 12;

/// What the shin has beside its translation and rotation.
#[derive(Clone, Default)]
pub struct Odd {
    /// Rotation order: 0 is XYZ, 5 is ZYX.
    pub order: i32,
    pub pre: [f64; 3],
    pub post: [f64; 3],
    pub pivot: [f64; 3],
    pub scaling_pivot: [f64; 3],
    pub offset: [f64; 3],
    pub scale: Option<[f64; 3]>,
    /// How the scale of the thigh passes to the shin: 0 is `RrSs`, 1 `RSrs` and 2 `Rrs`.
    pub inherit: i32,
    pub thigh_scale: Option<[f64; 3]>,
    /// Translation of what hangs on the shin, which does not pass to its children.
    pub geometric: [f64; 3],
    /// Centimetres per unit; 0 for one.
    pub unit: f64,
    /// Whether Z points up in place of Y.
    pub is_z_up: bool,
    /// Whether a second stack animates the same nodes.
    pub has_two_stacks: bool,
    /// The shin has keys at other times than frames.
    pub is_off_frames: bool,
    /// The shin's rotation is animated on a second layer.
    pub has_two_layers: bool,
}

/// How a file is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Binary,
    Ascii,
}

const NAMES: [&str; 4] = ["hips", "thigh", "shin", "foot"];
const OFFSETS: [[f64; 3]; 4] = [[0.0, 90.0, 0.0], [0.0, -10.0, 0.0], [0.0, -40.0, 0.0], [0.0, -40.0, 2.0]];

/// Hips, thigh, shin and foot. Hips move and turn, thigh and shin turn, and the foot has no curves.
pub fn file(version: u32, odd: &Odd) -> Vec<u8> {
    encoded(Encoding::Binary, version, odd)
}

/// The same file in an encoding; before version 7000 with takes.
pub fn encoded(encoding: Encoding, version: u32, odd: &Odd) -> Vec<u8> {
    let records = if version < 7000 { with_takes(version, odd) } else { with_connections(version, odd) };
    match encoding {
        Encoding::Binary => bytes(version, &records),
        Encoding::Ascii => text(version, &records),
    }
}

fn with_connections(version: u32, odd: &Odd) -> Vec<Record<'static>> {
    let (names, offsets) = (NAMES, OFFSETS);
    let mut objects = Vec::new();
    let mut connections = vec![connection(1, 0, None)];
    for (n, name) in names.iter().enumerate() {
        let id = 1 + n as i64;
        let mut list = vec![vector("Lcl Translation", offsets[n]), vector("Lcl Rotation", [3.0, 0.0, 0.0])];
        if n == 2 {
            list.extend(odd_properties(odd));
        }
        if let (1, Some(scale)) = (n, odd.thigh_scale) {
            list.push(vector("Lcl Scaling", scale));
        }
        let own =
            vec![Long(id), Text(Box::leak(format!("{name}\0\u{1}Model").into_boxed_str())), Text("LimbNode")];
        objects.push(Record("Model", own, vec![Record("Properties70", vec![], list)]));
        let bone = vec![Long(50 + id), Text("\0\u{1}NodeAttribute"), Text("LimbNode")];
        objects.push(Record("NodeAttribute", bone, vec![]));
        connections.push(connection(50 + id, id, None));
        if n > 0 {
            connections.push(connection(id, id - 1, None));
        }
    }
    objects.push(stack(10, "Take\0\u{1}AnimStack"));
    for layer in [20, 21] {
        objects.push(Record(
            "AnimationLayer",
            vec![Long(layer), Text("Base\0\u{1}AnimLayer"), Text("")],
            vec![],
        ));
    }
    connections.push(connection(20, 10, None));
    if odd.has_two_layers {
        connections.push(connection(21, 10, None));
        animate(
            &mut objects,
            &mut connections,
            (200, 3, "Lcl Rotation", 21),
            |t, axis| t * axis as f64,
            false,
        );
    }
    let path = |t: f64, axis: usize| [10.0 * t, 90.0 + t, -30.0 * t][axis];
    animate(&mut objects, &mut connections, (100, 1, "Lcl Translation", 20), path, false);
    for (n, &node) in [1, 2, 3].iter().enumerate() {
        let turn = |t: f64, axis: usize| 20.0 * t * (1.0 + axis as f64) - 4.0 * n as f64;
        let off = odd.is_off_frames && node == 3;
        animate(&mut objects, &mut connections, (110 + 10 * n as i64, node, "Lcl Rotation", 20), turn, off);
    }
    if odd.has_two_stacks {
        objects.push(stack(30, "Other\0\u{1}AnimStack"));
        objects.push(Record(
            "AnimationLayer",
            vec![Long(31), Text("Base\0\u{1}AnimLayer"), Text("")],
            vec![],
        ));
        connections.push(connection(31, 30, None));
        let back = |t: f64, axis: usize| -15.0 * t * (1.0 + axis as f64);
        animate(&mut objects, &mut connections, (300, 1, "Lcl Translation", 31), back, false);
        animate(&mut objects, &mut connections, (310, 2, "Lcl Rotation", 31), back, false);
        animate(&mut objects, &mut connections, (320, 3, "Lcl Rotation", 31), back, false);
    }
    let number = |name, value| {
        Record("P", vec![Text(name), Text("int"), Text("Integer"), Text(""), Int(value)], vec![])
    };
    let unit = vec![Text("UnitScaleFactor"), Text("double"), Text("Number"), Text(""), Double(unit(odd))];
    let mut table = vec![number("TimeMode", 6), Record("P", unit, vec![])];
    table.extend(axes(odd).map(|(name, value)| number(name, value)));
    let settings = Record("GlobalSettings", vec![], vec![Record("Properties70", vec![], table)]);
    let other = Record("Creator", vec![Text("other data, which must stay")], vec![]);
    let objects = Record("Objects", vec![], objects);
    vec![header(version), other, settings, objects, Record("Connections", vec![], connections)]
}

fn unit(odd: &Odd) -> f64 {
    if odd.unit == 0.0 { 1.0 } else { odd.unit }
}

fn axes(odd: &Odd) -> [(&'static str, i32); 6] {
    let [up, front, sign] = if odd.is_z_up { [2, 1, -1] } else { [1, 2, 1] };
    [
        ("UpAxis", up),
        ("UpAxisSign", 1),
        ("FrontAxis", front),
        ("FrontAxisSign", sign),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
    ]
}

fn header(version: u32) -> Record<'static> {
    let stated = Record("FBXVersion", vec![Int(version as i32)], vec![]);
    Record("FBXHeaderExtension", vec![], vec![stated])
}

/// The same motion in the layout of version 6.
fn with_takes(version: u32, odd: &Odd) -> Vec<Record<'static>> {
    let model = |name: &str| -> &'static str { Box::leak(format!("{name}\0\u{1}Model").into_boxed_str()) };
    let property = |Record(_, values, children): Record<'static>| {
        // Without the label, which version 7 has after the type.
        let values =
            values.into_iter().enumerate().filter(|(n, _)| *n != 2).map(|(_, value)| value).collect();
        Record("Property", values, children)
    };
    let (mut objects, mut connections, mut models) = (Vec::new(), Vec::new(), Vec::new());
    for (n, name) in NAMES.iter().enumerate() {
        let mut list = vec![vector("Lcl Translation", OFFSETS[n]), vector("Lcl Rotation", [3.0, 0.0, 0.0])];
        if n == 2 {
            list.extend(odd_properties(odd));
        }
        if let (1, Some(scale)) = (n, odd.thigh_scale) {
            list.push(vector("Lcl Scaling", scale));
        }
        let table = Record("Properties60", vec![], list.into_iter().map(property).collect());
        objects.push(Record("Model", vec![Text(model(name)), Text("LimbNode")], vec![table]));
        let parent = if n == 0 { "Scene" } else { NAMES[n - 1] };
        let ends = vec![Text("OO"), Text(model(name)), Text(model(parent))];
        connections.push(Record("Connect", ends, vec![]));
        if n < 3 {
            models.push(take_model(model(name), n, odd.is_off_frames && n == 2));
        }
    }
    let end = ((FRAMES - 1) as f64 / FPS * TICKS).round() as i64;
    let time = Record("LocalTime", vec![Long(0), Long(end)], vec![]);
    let take = Record("Take", vec![Text("Take")], std::iter::once(time).chain(models).collect());
    let takes = vec![Record("Current", vec![Text("Take")], vec![]), take];
    let int = |name, value| {
        property(Record("P", vec![Text(name), Text("int"), Text(""), Text(""), Int(value)], vec![]))
    };
    let unit = vec![Text("UnitScaleFactor"), Text("double"), Text(""), Text(""), Double(unit(odd))];
    let mut table = vec![int("TimeMode", 6), property(Record("P", unit, vec![]))];
    table.extend(axes(odd).map(|(name, value)| int(name, value)));
    let own = vec![Text("GlobalSettings\0\u{1}")];
    objects.push(Record("GlobalSettings", own, vec![Record("Properties60", vec![], table)]));
    let other = Record("Creator", vec![Text("other data, which must stay")], vec![]);
    vec![
        header(version),
        other,
        Record("Objects", vec![], objects),
        Record("Connections", vec![], connections),
        Record("Takes", vec![], takes),
    ]
}

/// The channels of a model: the hips move, and all turn. One axis is linear, one cubic and one stepped.
fn take_model(name: &'static str, n: usize, is_off_frames: bool) -> Record<'static> {
    let axis = |axis: usize, value: &dyn Fn(f64) -> f64| {
        let count = if is_off_frames { 5 + axis } else { FRAMES };
        let time = |key: usize| key as f64 / (count - 1) as f64 * (FRAMES - 1) as f64 / FPS;
        let mut keys = Vec::new();
        for key in 0..count {
            keys.extend([Long((time(key) * TICKS).round() as i64), Double(value(time(key)))]);
            match axis {
                0 => keys.push(Letter(b'L')),
                1 => {
                    keys.extend([Letter(b'U'), Letter(b's'), Double(0.5), Double(-0.5)]);
                    keys.extend([Letter(b'a'), Double(0.3), Double(0.4)]);
                }
                _ => keys.extend([Letter(b'C'), Letter(b'n')]),
            }
        }
        let children = vec![
            Record("Default", vec![Double(value(0.0))], vec![]),
            Record("KeyVer", vec![Int(4005)], vec![]),
            Record("KeyCount", vec![Int(count as i32)], vec![]),
            Record("Key", keys, vec![]),
            Record("Color", vec![Double(1.0), Double(0.0), Double(0.0)], vec![]),
        ];
        Record("Channel", vec![Text(["X", "Y", "Z"][axis])], children)
    };
    let path = |t: f64, axis: usize| [10.0 * t, 90.0 + t, -30.0 * t][axis];
    let turn = |t: f64, axis: usize| 20.0 * t * (1.0 + axis as f64) - 4.0 * n as f64;
    let rotation = (0..3).map(|k| axis(k, &|t| turn(t, k))).collect();
    let mut transform = vec![Record("Channel", vec![Text("R")], rotation)];
    if n == 0 {
        let translation = (0..3).map(|k| axis(k, &|t| path(t, k))).collect();
        transform.insert(0, Record("Channel", vec![Text("T")], translation));
    }
    Record("Model", vec![Text(name)], vec![Record("Channel", vec![Text("Transform")], transform)])
}

fn odd_properties(odd: &Odd) -> Vec<Record<'static>> {
    let number =
        |name, value| Record("P", vec![Text(name), Text("enum"), Text(""), Text(""), Int(value)], vec![]);
    vec![
        number("RotationActive", 1),
        number("RotationOrder", odd.order),
        number("InheritType", odd.inherit),
        vector("GeometricTranslation", odd.geometric),
        vector("PreRotation", odd.pre),
        vector("PostRotation", odd.post),
        vector("RotationPivot", odd.pivot),
        vector("ScalingPivot", odd.scaling_pivot),
        vector("RotationOffset", odd.offset),
        vector("Lcl Scaling", odd.scale.unwrap_or([1.0; 3])),
    ]
}

fn vector(name: &'static str, [x, y, z]: [f64; 3]) -> Record<'static> {
    let values = vec![Text(name), Text(name), Text(""), Text("A"), Double(x), Double(y), Double(z)];
    Record("P", values, vec![])
}

fn stack(id: i64, name: &'static str) -> Record<'static> {
    let end = ((FRAMES - 1) as f64 / FPS * TICKS).round() as i64;
    let time = |name, ticks| {
        Record("P", vec![Text(name), Text("KTime"), Text("Time"), Text(""), Long(ticks)], vec![])
    };
    let table = Record("Properties70", vec![], vec![time("LocalStart", 0), time("LocalStop", end)]);
    Record("AnimationStack", vec![Long(id), Text(name), Text("")], vec![table])
}

/// Adds the curves of a property: number of the curve node, node, property and layer.
fn animate(
    objects: &mut Vec<Record<'static>>,
    connections: &mut Vec<Record<'static>>,
    (id, node, property, layer): (i64, i64, &'static str, i64),
    value: impl Fn(f64, usize) -> f64,
    is_off_frames: bool,
) {
    objects.push(Record(
        "AnimationCurveNode",
        vec![Long(id), Text("R\0\u{1}AnimCurveNode"), Text("")],
        vec![],
    ));
    connections.push(connection(id, layer, None));
    connections.push(connection(id, node, Some(property)));
    for (axis, name) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
        let count = if is_off_frames { 5 + axis } else { FRAMES };
        let time = |key: usize| key as f64 / (count - 1) as f64 * (FRAMES - 1) as f64 / FPS;
        let times = (0..count).map(|key| (time(key) * TICKS).round() as i64).collect();
        let values = (0..count).map(|key| value(time(key), axis) as f32).collect();
        let own = vec![Long(id + 1 + axis as i64), Text("\0\u{1}AnimCurve"), Text("")];
        let children = vec![
            Record("Default", vec![Double(0.0)], vec![]),
            Record("KeyVer", vec![Int(4009)], vec![]),
            Record("KeyTime", vec![Longs(times)], vec![]),
            Record("KeyValueFloat", vec![Floats(values)], vec![]),
            Record("KeyAttrFlags", vec![Ints(vec![0x4])], vec![]),
            Record("KeyAttrDataFloat", vec![Floats(vec![0.0; 4])], vec![]),
            Record("KeyAttrRefCount", vec![Ints(vec![count as i32])], vec![]),
        ];
        objects.push(Record("AnimationCurve", own, children));
        connections.push(connection(id + 1 + axis as i64, id, Some(name)));
    }
}

fn connection(child: i64, parent: i64, property: Option<&'static str>) -> Record<'static> {
    let kind = if property.is_some() { "OP" } else { "OO" };
    let mut values = vec![Text(kind), Long(child), Long(parent)];
    values.extend(property.map(Text));
    Record("C", values, vec![])
}

fn bytes(version: u32, records: &[Record]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(version.to_le_bytes());
    records.iter().for_each(|record| emit(version, record, &mut out));
    let header = if version >= 7500 { 25 } else { 13 };
    out.resize(out.len() + header, 0);
    out.extend(*b"a mark of footer");
    out.resize(out.len().next_multiple_of(16), 0);
    out.resize(out.len() + 4, 0);
    out.extend(version.to_le_bytes());
    out.resize(out.len() + 120, 0);
    out.extend(*b"\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b");
    out
}

fn emit(version: u32, Record(name, values, children): &Record, out: &mut Vec<u8>) {
    let (start, is_wide) = (out.len(), version >= 7500);
    let header = if is_wide { 25 } else { 13 };
    out.resize(start + header, 0);
    out[start + header - 1] = name.len() as u8;
    out.extend(name.as_bytes());
    let before = out.len();
    values.iter().for_each(|value| property(value, out));
    let length = out.len() - before;
    children.iter().for_each(|child| emit(version, child, out));
    if !children.is_empty() {
        out.resize(out.len() + header, 0);
    }
    for (n, number) in [out.len(), values.len(), length].into_iter().enumerate() {
        let size = if is_wide { 8 } else { 4 };
        out[start + n * size..start + (n + 1) * size].copy_from_slice(&(number as u64).to_le_bytes()[..size]);
    }
}

fn property(value: &Value, out: &mut Vec<u8>) {
    let array = |kind: u8, count: usize, bytes: Vec<u8>, out: &mut Vec<u8>| {
        out.push(kind);
        [count, 0, bytes.len()].iter().for_each(|number| out.extend((*number as u32).to_le_bytes()));
        out.extend(bytes);
    };
    match value {
        Int(number) => out.extend([&b"I"[..], &number.to_le_bytes()].concat()),
        Long(number) => out.extend([&b"L"[..], &number.to_le_bytes()].concat()),
        Double(number) => out.extend([&b"D"[..], &number.to_le_bytes()].concat()),
        Letter(letter) => out.extend([b'C', *letter]),
        Text(text) => out.extend([&b"S"[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()),
        Longs(list) => array(b'l', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out),
        Floats(list) => array(b'f', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out),
        Ints(list) => array(b'i', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out),
    }
}

/// A text as exporters write it, with comments and long lines broken.
fn text(version: u32, records: &[Record]) -> Vec<u8> {
    let [a, b, c] = [version / 1000, version / 100 % 10, version / 10 % 10];
    let mut out = format!("; FBX {a}.{b}.{c} project file\n; A comment: with a colon {{\n\n");
    records.iter().for_each(|record| text_record(version, record, 0, &mut out));
    out.into_bytes()
}

fn text_record(version: u32, Record(name, values, children): &Record, depth: usize, out: &mut String) {
    let indent = "\t".repeat(depth);
    let values: Vec<String> = values.iter().map(|value| text_value(version, name, value, &indent)).collect();
    let line_break = format!(",\n{indent}\t");
    let values: Vec<String> = values.chunks(40).map(|line| line.join(",")).collect();
    out.push_str(&format!("{indent}{name}: {}", values.join(&line_break)));
    if !children.is_empty() {
        out.push_str(" {\n");
        children.iter().for_each(|child| text_record(version, child, depth + 1, out));
        out.push_str(&format!("{indent}}}"));
    }
    out.push('\n');
}

fn text_value(version: u32, name: &str, value: &Value, indent: &str) -> String {
    let array =
        |list: Vec<String>| format!("*{} {{\n{indent}\ta: {}\n{indent}}} ", list.len(), list.join(","));
    match value {
        Int(number) => number.to_string(),
        Long(number) => number.to_string(),
        Double(number) => format!("{number:.15}"),
        Letter(letter) => char::from(*letter).to_string(),
        Text(text) => match text.split_once("\0\u{1}") {
            Some((name, class)) => format!("\"{class}::{name}\""),
            None => format!("\"{text}\""),
        },
        Longs(list) => array(list.iter().map(i64::to_string).collect()),
        Ints(list) => array(list.iter().map(i32::to_string).collect()),
        Floats(list) if name == "KeyAttrDataFloat" && version >= 7200 => {
            array(list.iter().map(|number| number.to_bits().to_string()).collect())
        }
        Floats(list) => array(list.iter().map(|number| format!("{number:.9}")).collect()),
    }
}
