//! Decodes the integers and floats of the three processor types of C3D files.

use super::error::C3dError;

/// The processor type, which determines the byte order and the float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processor {
    /// Little-endian; IEEE floats.
    Intel,
    /// Little-endian; VAX F floats.
    Dec,
    /// Big-endian; IEEE floats.
    Sgi,
}

impl Processor {
    /// The processor type that `byte` of the parameter section states.
    ///
    /// Some programs leave it out. Then the type is the one that decodes the header's frame rate
    /// to a plausible number.
    pub fn of(byte: u8, bytes: &[u8], at: usize) -> Result<Self, C3dError> {
        let is_plausible = |processor: &Self| {
            let rate = Numbers { bytes, processor: *processor }.float(super::RATE);
            rate.is_some_and(|rate| (1.0..=10_000.0).contains(&rate))
        };
        match byte {
            84 => Ok(Self::Intel),
            85 => Ok(Self::Dec),
            86 => Ok(Self::Sgi),
            found => [Self::Intel, Self::Sgi, Self::Dec]
                .into_iter()
                .find(is_plausible)
                .ok_or(C3dError::UnknownProcessor { at, found }),
        }
    }
}

/// Decodes numbers at byte positions; a position beyond the end gives `None`.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub bytes: &'a [u8],
    pub processor: Processor,
}

impl Numbers<'_> {
    pub fn word(&self, at: usize) -> Option<u16> {
        let bytes = self.array(at)?;
        Some(match self.processor {
            Processor::Sgi => u16::from_be_bytes(bytes),
            Processor::Intel | Processor::Dec => u16::from_le_bytes(bytes),
        })
    }

    pub fn float(&self, at: usize) -> Option<f64> {
        let bytes: [u8; 4] = self.array(at)?;
        Some(match self.processor {
            Processor::Intel => f64::from(f32::from_le_bytes(bytes)),
            Processor::Sgi => f64::from(f32::from_be_bytes(bytes)),
            Processor::Dec => vax(bytes),
        })
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.try_into().ok()
    }
}

/// A VAX F float: sign, 8 bits of exponent with a bias of 128, 23 of a fraction that begins 0.1.
/// An exponent of 0 is zero; there is no infinity.
fn vax([c, d, a, b]: [u8; 4]) -> f64 {
    let bits = u32::from_le_bytes([a, b, c, d]);
    let exponent = (bits >> 23 & 0xff) as i32;
    if exponent == 0 {
        return 0.0;
    }
    // Read as IEEE the same bits are four times as large. Computed in f64, where none overflows.
    let fraction = 1.0 + f64::from(bits & 0x7f_ffff) / f64::from(1 << 23);
    let sign = if bits >> 31 == 1 { -1.0 } else { 1.0 };
    sign * fraction * f64::from_bits(((1023 + exponent - 129) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vax_float_is_a_quarter_of_the_ieee_float_with_swapped_words() {
        for value in [100.0f32, -2.5, 0.015_625, 1e-30, 6.25e20] {
            let [a, b, c, d] = (value * 4.0).to_le_bytes();
            assert_eq!(vax([c, d, a, b]), f64::from(value));
        }
        assert_eq!(vax([0; 4]), 0.0);
        assert!(vax([255; 4]).is_finite());
    }
}
