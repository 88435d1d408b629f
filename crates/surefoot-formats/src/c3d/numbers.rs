//! Words and floats, as three kinds of computer wrote them.

use super::error::C3dError;

/// Who wrote the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processor {
    /// Lower byte first; IEEE floats.
    Intel,
    /// Lower byte first; VAX floats, their words swapped, four times as large.
    Dec,
    /// Higher byte first; IEEE floats.
    Sgi,
}

impl Processor {
    /// The one a byte of the parameter section names.
    ///
    /// Some programs leave it out. Then it is the one by which the header's rate is a rate.
    pub fn of(byte: u8, bytes: &[u8], at: usize) -> Result<Self, C3dError> {
        let makes_sense = |processor: &Self| {
            let rate = Numbers { bytes, processor: *processor }.float(super::RATE);
            rate.is_some_and(|rate| (1.0..=10_000.0).contains(&rate))
        };
        match byte {
            84 => Ok(Self::Intel),
            85 => Ok(Self::Dec),
            86 => Ok(Self::Sgi),
            found => [Self::Intel, Self::Sgi, Self::Dec]
                .into_iter()
                .find(makes_sense)
                .ok_or(C3dError::Processor { at, found }),
        }
    }
}

/// A file's bytes as numbers. A place beyond the end has none.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub bytes: &'a [u8],
    pub processor: Processor,
}

impl Numbers<'_> {
    pub fn word(&self, at: usize) -> Option<u16> {
        let bytes = self.take(at)?;
        Some(match self.processor {
            Processor::Sgi => u16::from_be_bytes(bytes),
            Processor::Intel | Processor::Dec => u16::from_le_bytes(bytes),
        })
    }

    pub fn float(&self, at: usize) -> Option<f64> {
        let bytes: [u8; 4] = self.take(at)?;
        Some(match self.processor {
            Processor::Intel => f64::from(f32::from_le_bytes(bytes)),
            Processor::Sgi => f64::from(f32::from_be_bytes(bytes)),
            Processor::Dec => vax(bytes),
        })
    }

    fn take<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
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
    // The same bits read as IEEE are four times as large; built in f64, so that none overflows.
    let fraction = 1.0 + f64::from(bits & 0x7f_ffff) / f64::from(1 << 23);
    let sign = if bits >> 31 == 1 { -1.0 } else { 1.0 };
    sign * fraction * f64::from_bits(((1023 + exponent - 129) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vax_float_is_a_quarter_of_what_its_swapped_bits_say() {
        for value in [100.0f32, -2.5, 0.015_625, 1e-30, 6.25e20] {
            let [a, b, c, d] = (value * 4.0).to_le_bytes();
            assert_eq!(vax([c, d, a, b]), f64::from(value));
        }
        assert_eq!(vax([0; 4]), 0.0);
        assert!(vax([255; 4]).is_finite());
    }
}
