//! Tests the filters against the formulas of the specification (appendix B) in f64, with a tolerance of one unit in the last place. Results
//! of the exponential filter are exact.

use sinew::codec::meshopt::{Filter, Mode, StreamLayout, decode};

use super::encode::{self, Dice};

fn filtered(filter: Filter, stride: usize, data: &[u8]) -> Vec<u8> {
    let stream = encode::attributes(data, stride, &[], &mut Dice(7));
    let layout = StreamLayout { mode: Mode::Attributes, filter, count: (data.len() / stride) as u64, stride: stride as u64 };
    decode(layout, &stream).unwrap()
}

fn bytes(words: &[i32]) -> Vec<u8> {
    words.iter().flat_map(|&word| (word as u16).to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes).into()).collect()
}

fn assert_near(got: &[i32], want: &[f64], what: &str) {
    assert_eq!(got.len(), want.len());
    for (&got, &want) in got.iter().zip(want) {
        assert!((f64::from(got) - want.round()).abs() <= 1.0, "{what}: {got}, not {want}");
    }
}

#[test]
fn octahedral_coordinates_become_unit_vectors() {
    let mut dice = Dice(11);
    let (mut data, mut expected) = (Vec::new(), Vec::new());
    for _ in 0..500 {
        let one = (1 << (3 + dice.roll(13))) - 1;
        let [x, y] = [(); 2].map(|()| dice.roll(2 * one as usize + 1) as i32 - one);
        data.extend([x, y, one, -77]);
        let (x, y) = (f64::from(x) / f64::from(one), f64::from(y) / f64::from(one));
        let z = 1.0 - x.abs() - y.abs();
        let fold = z.min(0.0);
        let vector = [x - fold.copysign(x), y - fold.copysign(y), z];
        let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
        expected.extend(vector.map(|value| value / length * 32767.0));
        expected.push(-77.0);
    }
    assert_near(&words(&filtered(Filter::Octahedral, 8, &bytes(&data))), &expected, "octahedral");
    // Elements with one byte per component: a vector along each axis, the lower pole, and a vector between two axes.
    let small = filtered(Filter::Octahedral, 4, &[127, 0, 127, 1, 0, 129, 127, 2, 0, 0, 127, 3, 127, 127, 127, 4, 7, 8, 15, 5]);
    let small: Vec<i32> = small.iter().map(|&byte| i32::from(byte as i8)).collect();
    let between = [7.0 / 15.0, 8.0 / 15.0].map(|value: f64| value / (7.0f64.hypot(8.0) / 15.0) * 127.0);
    let expected =
        [127.0, 0.0, 0.0, 1.0, 0.0, -127.0, 0.0, 2.0, 0.0, 0.0, 127.0, 3.0, 0.0, 0.0, -127.0, 4.0, between[0], between[1], 0.0, 5.0];
    assert_near(&small, &expected, "octahedral bytes");
}

#[test]
fn quaternions_recover_their_largest_component() {
    let mut dice = Dice(12);
    let (mut data, mut expected) = (Vec::new(), Vec::new());
    for i in 0..400 {
        let one = (1 << (3 + dice.roll(13))) - 1;
        let left_out = i % 4;
        let three = [(); 3].map(|()| dice.roll(2 * one as usize + 1) as i32 - one);
        data.extend(three);
        data.push(one & !3 | left_out);
        let [x, y, z] = three.map(|value| f64::from(value) / f64::from(one) / 2.0f64.sqrt());
        let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let mut quaternion = [w, x, y, z].map(|value| value * 32767.0);
        quaternion.rotate_right(left_out as usize);
        expected.extend(quaternion);
    }
    assert_near(&words(&filtered(Filter::Quaternion, 8, &bytes(&data))), &expected, "quaternion");
}

#[test]
fn exponents_and_factors_become_exact_floats() {
    let mut dice = Dice(13);
    let mut data = Vec::new();
    let mut expected = Vec::new();
    for exponent in -100..=100 {
        for factor in [0, 1, -1, 0x7f_ffff, -0x80_0000, dice.roll(1 << 23) as i32] {
            data.extend((exponent << 24 | factor & 0xff_ffff).to_le_bytes());
            expected.push((2.0f64.powi(exponent) * f64::from(factor)) as f32);
        }
    }
    let floats = filtered(Filter::Exponential, 12, &data);
    let floats: Vec<f32> = floats.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    assert_eq!(floats, expected);
}

#[test]
fn colors_are_restored_from_luma_and_differences() {
    let mut dice = Dice(14);
    for (bits, stride, most) in [(2, 4, 255.0), (5, 4, 255.0), (8, 4, 255.0), (2, 8, 65535.0), (10, 8, 65535.0), (16, 8, 65535.0)] {
        let one = (1 << bits) - 1;
        let (mut data, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            // Choose luma and differences, and compute red, green and blue from them, so that the encoding has no rounding error.
            let [co, cg] = [(); 2].map(|()| dice.roll(one as usize / 4 + 1) as i32 - one / 8);
            let y = one / 2 + dice.roll(one as usize / 8 + 1) as i32;
            let rgb = [y + co - cg, y + cg, y - co - cg];
            if rgb.iter().any(|value| !(0..=one).contains(value)) {
                continue;
            }
            let alpha = dice.roll((one as usize / 2) + 1) as i32;
            data.extend([y, co, cg, alpha | ((one + 1) / 2)]);
            let scaled = |value: i32| f64::from(value) / f64::from(one) * most;
            expected.extend(rgb.map(scaled));
            expected.push(scaled(alpha * 2 + alpha % 2));
        }
        assert!(expected.len() > 400);
        let data = if stride == 4 { data.iter().map(|&value| value as u8).collect() } else { bytes(&data) };
        let colors = filtered(Filter::Color, stride, &data);
        let colors: Vec<i32> = if stride == 4 {
            colors.iter().map(|&byte| byte.into()).collect()
        } else {
            words(&colors).iter().map(|&word| word & 0xffff).collect()
        };
        assert_near(&colors, &expected, &format!("{bits} bits in {stride} bytes"));
    }
}

#[test]
fn filters_do_not_panic_on_meaningless_numbers() {
    let mut dice = Dice(15);
    let data = [vec![0; 64], vec![255; 64], dice.bytes(4096)].concat();
    for (filter, strides) in
        [(Filter::Octahedral, &[4, 8][..]), (Filter::Quaternion, &[8]), (Filter::Exponential, &[4, 16]), (Filter::Color, &[4, 8])]
    {
        for &stride in strides {
            assert_eq!(filtered(filter, stride, &data).len(), data.len());
        }
    }
}
