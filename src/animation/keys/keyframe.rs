//! Where a time falls among key times (glTF 2.0, 3.11 and appendix C): t_k <= t < t_k+1, clamped at both ends.

/// Two neighbouring keys and the place between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// The key at or before the time (the first key, before it).
    pub key: usize,
    /// The key after it; `key` itself at or past the last key, before the first, and where there is only one.
    pub next: usize,
    /// 0 at `key`, towards 1 at `next`; exactly 0 where both are the same.
    pub u: f64,
    /// Seconds from `key` to `next`.
    pub dt: f32,
}

/// Finds the segment that holds `time`. `times` is not empty, finite and does not descend; of equal times the last wins.
/// `hint` remembers the key for the next call: playing forward costs two comparisons, everything else a binary search.
#[inline]
pub fn find(times: &[f32], time: f64, hint: &mut u32) -> Segment {
    let holds = |key: usize| {
        let is_after = |&next: &f32| time >= f64::from(next);
        times.get(key).is_some_and(is_after) && !times.get(key + 1).is_some_and(is_after)
    };
    let mut key = *hint as usize;
    if !holds(key) {
        key = if holds(key + 1) { key + 1 } else { times.partition_point(|&t| f64::from(t) <= time).saturating_sub(1) };
        *hint = key as u32;
    }

    let start = f64::from(times[key]);
    if time <= start || key + 1 == times.len() {
        return Segment { key, next: key, u: 0.0, dt: 0.0 };
    }
    let dt = f64::from(times[key + 1]) - start;
    Segment { key, next: key + 1, u: (time - start) / dt, dt: dt as f32 }
}
