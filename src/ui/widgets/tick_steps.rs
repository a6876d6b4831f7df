//! Round steps between the lines of a numbered axis.

/// The smallest step of the series 1, 2, 5, 10 and so on that is at least `min`, and the step of its subdivision.
pub fn decimal_steps(min: f64) -> (f64, f64) {
    let decade = 10f64.powf(min.max(f64::MIN_POSITIVE).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * decade >= min).unwrap_or(10.0);
    let step = factor * decade;
    (step, step / if factor == 2.0 { 2.0 } else { 5.0 })
}

#[cfg(test)]
mod tests {
    use super::decimal_steps;

    #[test]
    fn steps_are_1_2_or_5_times_a_power_of_ten() {
        for (min, step, small) in [(0.012, 0.02, 0.01), (0.3, 0.5, 0.1), (3.0, 5.0, 1.0), (7.0, 10.0, 2.0), (100.0, 100.0, 20.0)] {
            let (a, b) = decimal_steps(min);
            assert!((a - step).abs() < 1e-9 && (b - small).abs() < 1e-9, "{min}: {a}, {b}");
        }
        assert!(decimal_steps(0.0).0 > 0.0);
    }
}
