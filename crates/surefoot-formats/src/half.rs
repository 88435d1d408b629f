//! Half-precision numbers (IEEE 754 binary16), which some data sets use to save space.

/// The value of a half-precision number.
pub(crate) fn to_f64(bits: u16) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    sign * match exponent {
        0 => fraction * power(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * power(exponent - 25),
    }
}

/// The nearest half-precision number, of two equally near ones the even one.
pub(crate) fn from_f64(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    if value.is_nan() {
        return sign | 0x7e00;
    }
    let magnitude = value.abs();
    // Non-negative half-precision numbers are in the order of their bits.
    let (mut low, mut high) = (0_u16, 0x7c00);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if to_f64(middle) <= magnitude { low = middle } else { high = middle }
    }
    // From halfway to 65,536 on, numbers round to infinity.
    let above = if high == 0x7c00 { 65_536.0 } else { to_f64(high) };
    let (below, above) = (magnitude - to_f64(low), above - magnitude);
    let rounds_up = above < below || above == below && low & 1 == 1;
    sign | if rounds_up { high } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_through_a_double() {
        for bits in 0..=u16::MAX {
            let value = to_f64(bits);
            if value.is_nan() {
                assert!(to_f64(from_f64(value)).is_nan());
            } else {
                assert_eq!(from_f64(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn values_between_two_halves_round_to_the_nearer_and_ties_to_even() {
        assert_eq!(to_f64(from_f64(1.0 + 0.4 / 1024.0)), 1.0);
        assert_eq!(to_f64(from_f64(1.0 + 0.5 / 1024.0)), 1.0);
        assert_eq!(to_f64(from_f64(1.0 + 1.5 / 1024.0)), 1.0 + 2.0 / 1024.0);
        assert_eq!(from_f64(65_519.0), 0x7bff);
        assert_eq!(from_f64(65_520.0), 0x7c00);
    }
}
