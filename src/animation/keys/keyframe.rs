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
/// times is used. `hint` keeps the key for the next call: playing forward costs two comparisons. A jump costs a binary search, which is
/// shorter the nearer the time is.
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
#[inline(always)]
pub fn find(times: &[f32], time: f64, hint: &mut u32) -> Segment {
    // During playback, the time is usually after the same key as before, or after the next one.
    let key = *hint as usize;
    if let Some(segment) = segment_around(times, key, time) {
        return segment;
    }
    if let Some(segment) = segment_around(times, key + 1, time) {
        *hint = key as u32 + 1;
        return segment;
    }
    let key = last_key(times, time, key);
    *hint = key as u32;
    let start = f64::from(times[key]);
    if time <= start || key + 1 == times.len() {
        return Segment { key, next: key, u: 0.0, dt: 0.0 };
    }
    let dt = f64::from(times[key + 1]) - start;
    Segment { key, next: key + 1, u: (time - start) / dt, dt }
}

/// Returns the segment that starts at `key` if `time` is inside of it, that is, after its start and before its end.
#[inline(always)]
fn segment_around(times: &[f32], key: usize, time: f64) -> Option<Segment> {
    let &[start, end] = times.get(key..key + 2)?.as_array()?;
    let (start, end) = (f64::from(start), f64::from(end));
    if time > start && time < end {
        let dt = end - start;
        return Some(Segment { key, next: key + 1, u: (time - start) / dt, dt });
    }
    None
}

/// Returns the last key that is not after `time`, or the first key. Searches a range around the key `near`, which grows until it contains
/// the result, and then does a binary search.
#[inline(never)]
fn last_key(times: &[f32], time: f64, near: usize) -> usize {
    let is_not_after = |&t: &f32| f64::from(t) <= time;
    let near = near.min(times.len() - 1);
    let (mut start, mut end, mut step) = (near, near, 1);
    while start > 0 && !is_not_after(&times[start]) {
        (start, end, step) = (start.saturating_sub(step), start, step * 2);
    }
    while end < times.len() && is_not_after(&times[end]) {
        (start, end, step) = (end, end.saturating_add(step).min(times.len()), step * 2);
    }
    (start + times[start..end].partition_point(is_not_after)).saturating_sub(1)
}
