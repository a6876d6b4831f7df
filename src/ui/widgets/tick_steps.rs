//! Round steps between the lines of a numbered axis.

/// A step of at least `least` from the series 1, 2, 5, 10 and so on, and the step of its subdivision.
pub fn decimal_steps(least: f64) -> (f64, f64) {
    let decade = 10f64.powf(least.max(f64::MIN_POSITIVE).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * decade >= least).unwrap_or(10.0);
    let step = factor * decade;
    (step, step / if factor == 2.0 { 2.0 } else { 5.0 })
}

#[cfg(test)]
mod tests {
    use super::decimal_steps;

    #[test]
    fn steps_are_such_as_people_count_in() {
        for (least, step, small) in [(0.012, 0.02, 0.01), (0.3, 0.5, 0.1), (3.0, 5.0, 1.0), (7.0, 10.0, 2.0), (100.0, 100.0, 20.0)] {
            let (a, b) = decimal_steps(least);
            assert!((a - step).abs() < 1e-9 && (b - small).abs() < 1e-9, "{least}: {a}, {b}");
        }
        assert!(decimal_steps(0.0).0 > 0.0);
    }
}
