//! Makes small binary FBX files, with every part that the transform of a node can have.

/// A property of a record.
pub enum Value<'v> {
    Int(i32),
    Long(i64),
    Double(f64),
    Text(&'v str),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Ints(Vec<i32>),
}
use Value::{Double, Floats, Int, Ints, Long, Longs, Text};

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
    /// The shin has keys at other times than frames.
    pub is_off_frames: bool,
    /// The shin's rotation is animated on a second layer.
    pub has_two_layers: bool,
}

/// Hips, thigh, shin and foot. Hips move and turn, thigh and shin turn, and the foot has no curves.
pub fn file(version: u32, odd: &Odd) -> Vec<u8> {
    let names = ["hips", "thigh", "shin", "foot"];
    let offsets = [[0.0, 90.0, 0.0], [0.0, -10.0, 0.0], [0.0, -40.0, 0.0], [0.0, -40.0, 2.0]];
    let mut objects = Vec::new();
    let mut connections = vec![connection(1, 0, None)];
    for (n, name) in names.iter().enumerate() {
        let id = 1 + n as i64;
        let mut list = vec![vector("Lcl Translation", offsets[n]), vector("Lcl Rotation", [3.0, 0.0, 0.0])];
        if n == 2 {
            list.extend(odd_properties(odd));
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
    objects.push(stack());
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
    let time = vec![Text("TimeMode"), Text("enum"), Text(""), Text(""), Int(6)];
    let unit = vec![Text("UnitScaleFactor"), Text("double"), Text("Number"), Text(""), Double(1.0)];
    let up = |name| Record("P", vec![Text(name), Text("int"), Text("Integer"), Text(""), Int(1)], vec![]);
    let table = vec![Record("P", time, vec![]), Record("P", unit, vec![]), up("UpAxis"), up("UpAxisSign")];
    let settings = Record("GlobalSettings", vec![], vec![Record("Properties70", vec![], table)]);
    let other = Record("Documents", vec![Text("other data, which must stay")], vec![]);
    bytes(
        version,
        &[other, settings, Record("Objects", vec![], objects), Record("Connections", vec![], connections)],
    )
}

fn odd_properties(odd: &Odd) -> Vec<Record<'static>> {
    let number =
        |name, value| Record("P", vec![Text(name), Text("enum"), Text(""), Text(""), Int(value)], vec![]);
    vec![
        number("RotationActive", 1),
        number("RotationOrder", odd.order),
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

fn stack() -> Record<'static> {
    let end = ((FRAMES - 1) as f64 / FPS * TICKS).round() as i64;
    let time = |name, ticks| {
        Record("P", vec![Text(name), Text("KTime"), Text("Time"), Text(""), Long(ticks)], vec![])
    };
    let table = Record("Properties70", vec![], vec![time("LocalStart", 0), time("LocalStop", end)]);
    Record("AnimationStack", vec![Long(10), Text("Take\0\u{1}AnimStack"), Text("")], vec![table])
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
        Text(text) => out.extend([&b"S"[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()),
        Longs(list) => array(b'l', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out),
        Floats(list) => array(b'f', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out),
        Ints(list) => array(b'i', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out),
    }
}
