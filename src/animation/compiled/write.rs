//! Writes the values of eight channels, which a kernel has computed, to the transforms of their nodes.

use glam::{Quat, Vec3A, Vec4};

use crate::animation::simd::Simd;
use crate::animation::simd::lane_access::LaneIndices;
use crate::model::hierarchy::Trs;

/// Writes eight rotations, or only the first four if at most four `lanes` are in use.
#[inline(always)]
pub fn write_rotations<S: Simd>(s: S, rotations: [S::V; 4], targets: LaneIndices<Trs>, lanes: usize, locals: &mut [Trs]) {
    let [a, b, c, d] = s.transpose(rotations);
    let mut locals = targets.get_mut(locals);
    locals.lane(0).rotation = Quat::from_vec4(s.low(a));
    locals.lane(1).rotation = Quat::from_vec4(s.low(b));
    locals.lane(2).rotation = Quat::from_vec4(s.low(c));
    locals.lane(3).rotation = Quat::from_vec4(s.low(d));
    if lanes > 4 {
        locals.lane(4).rotation = Quat::from_vec4(s.high(a));
        locals.lane(5).rotation = Quat::from_vec4(s.high(b));
        locals.lane(6).rotation = Quat::from_vec4(s.high(c));
        locals.lane(7).rotation = Quat::from_vec4(s.high(d));
    }
}

/// Writes eight scales or translations, or only the first four if at most four `lanes` are in use.
#[inline(always)]
pub fn write_vectors<S: Simd, const SCALE: bool>(s: S, [x, y, z]: [S::V; 3], targets: LaneIndices<Trs>, lanes: usize, locals: &mut [Trs]) {
    let [a, b, c, d] = s.transpose([x, y, z, z]);
    let mut locals = targets.get_mut(locals);
    write_vector::<SCALE>(s.low(a), locals.lane(0));
    write_vector::<SCALE>(s.low(b), locals.lane(1));
    write_vector::<SCALE>(s.low(c), locals.lane(2));
    write_vector::<SCALE>(s.low(d), locals.lane(3));
    if lanes > 4 {
        write_vector::<SCALE>(s.high(a), locals.lane(4));
        write_vector::<SCALE>(s.high(b), locals.lane(5));
        write_vector::<SCALE>(s.high(c), locals.lane(6));
        write_vector::<SCALE>(s.high(d), locals.lane(7));
    }
}

/// Writes a scale or a translation; the fourth number is ignored.
#[inline(always)]
fn write_vector<const SCALE: bool>(value: Vec4, local: &mut Trs) {
    if SCALE {
        local.scale = Vec3A::from_vec4(value);
    } else {
        local.translation = Vec3A::from_vec4(value);
    }
}
