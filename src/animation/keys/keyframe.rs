//! Finds the segment between two keys that holds a time: t_k <= t < t_k+1, clamped at both ends (glTF 2.0, 3.11 and appendix C).

/// Two neighboring keys, and a position between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Index of the key at or before the time; the first key if the time is before all keys.
    pub key: usize,
    /// Index of the next key; `key` itself if the time is exactly at a key, before the first key or after the last.
    pub next: usize,
    /// Position in the segment: 0 at `key`, 1 at `next`. Exactly 0 if both are the same.
    pub u: f64,
    /// Seconds from `key` to `next`.
    pub dt: f64,
}

/// Finds the segment that holds `time`, in seconds.
///
/// `times` are key times in seconds: at least one, all finite, and in ascending order, with equal times allowed. The last of several equal
/// times is used. `hint` keeps the key for the next call: playing forward costs two comparisons, a jump costs a binary search.
///
/// # Panics
///
/// Panics if `times` is empty.
///
/// # Example
///
/// ```
/// use sinew::animation::keys::keyframe;
///
/// let segment = keyframe::find(&[0.0, 1.0, 3.0], 2.0, &mut 0);
/// assert_eq!((segment.key, segment.next, segment.u), (1, 2, 0.5));
/// ```
#[inline]
pub fn find(times: &[f32], time: f64, hint: &mut u32) -> Segment {
    let holds = |key: usize| {
        let is_after = |&next: &f32| time >= f64::from(next);
        times.get(key).is_some_and(is_after) && !times.get(key + 1).is_some_and(is_after)
    };
    // Try the last key and the one after it before searching.
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
    Segment { key, next: key + 1, u: (time - start) / dt, dt }
}
