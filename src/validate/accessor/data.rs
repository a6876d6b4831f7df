//! The values of accessors: whether they are finite, between `min` and `max`, and valid for their use. Each accessor is read once for its
//! bounds, and once per kind of use.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use crate::asset::file::bytes::Bytes;
use crate::numbers::{agreeing, counted, grouped};
use crate::validate::accessor::elements::{Budget, Elements, MAX_COMPONENTS, sparse_indices};
use crate::validate::context::{ValidationContext, ValueRule};
use crate::validate::read;

/// Tolerances of the length of unit quaternions and unit vectors. The Khronos validator uses the same ones: a little more than the error of
/// normalized signed 8-bit numbers.
pub const QUATERNION_LENGTH_TOLERANCE: f64 = 0.00769;
const VECTOR_LENGTH_TOLERANCE: f64 = 0.00674;

/// Checks the values of all accessors, then the rules that earlier checks noted.
pub fn check(context: &mut ValidationContext, views: &[Option<Bytes>], budget: &mut Budget) {
    for index in 0..context.accessors.len() {
        check_sparse(context, index, views, budget);
        if let Some(elements) = Elements::new(context, views, index, budget) {
            check_bounds(context, index, &elements);
        }
    }
    // An accessor with several uses is read once per rule; the result is reported at each use.
    let mut faults_by_use: HashMap<(usize, ValueRule), Vec<(&'static str, String)>> = HashMap::new();
    for (index, rule, pointer) in std::mem::take(&mut context.value_rules) {
        let faults = match faults_by_use.entry((index, rule)) {
            Entry::Occupied(occupied) => occupied.into_mut(),
            Entry::Vacant(vacant) => {
                let elements = Elements::new(context, views, index, budget);
                vacant.insert(elements.map_or_else(Vec::new, |elements| check_rule(rule, &elements)))
            }
        };
        for (code, message) in faults {
            context.error(code, &pointer, message.as_str());
        }
    }
}

/// Checks that sparse indices increase and exist.
fn check_sparse(context: &mut ValidationContext, index: usize, views: &[Option<Bytes>], budget: &mut Budget) {
    let Some(sparse) = context.list("accessors").get(index).and_then(|json| json.get("sparse")) else { return };
    let Some(count) = read::unsigned(sparse, "count") else { return };
    let Some(layout) = context.accessors[index].layout else { return };
    let Some(indices) = sparse_indices(sparse, count, views, budget) else { return };
    let pointer = format!("/accessors/{index}/sparse");
    if let Some((previous, next)) = indices.first_decrease() {
        let message = format!("The sparse indices do not increase: {next} follows {previous}.");
        context.error("ACCESSOR_SPARSE_INDICES_NON_INCREASING", &pointer, message);
    }
    if let Some(outside) = indices.iter().find(|&element| element >= layout.count) {
        let message = format!("Sparse index {outside} does not exist (the accessor has {} elements).", layout.count);
        context.error("ACCESSOR_SPARSE_INDEX_OOB", &pointer, message);
    }
}

/// A bound (min or max) of one component: the declared number, and the actual bound of the data.
#[derive(Clone, Copy)]
struct Bound {
    declared: Option<f64>,
    found: f64,
    /// Number of elements beyond the declared bound.
    outside: u64,
}

/// Checks that all numbers are finite, and that the declared bounds are those of the data.
fn check_bounds(context: &mut ValidationContext, index: usize, elements: &Elements) {
    let json = &context.list("accessors")[index];
    let components = elements.layout.components() as usize;
    let declared = |key: &str, component: usize| {
        let bounds = json.get(key).and_then(Value::as_array).filter(|bounds| bounds.len() == components)?;
        let bound = bounds.get(component)?.as_f64()?;
        // Floats are compared in 32 bits, as they are stored.
        Some(if elements.layout.component == gltf::json::accessor::ComponentType::F32 { f64::from(bound as f32) } else { bound })
    };
    let bound = |key: &str, component: usize, found| Bound { declared: declared(key, component), found, outside: 0 };
    // The array has a fixed size. Positions beyond the components of an element get no declared bound.
    let mut bounds: [[Bound; 2]; MAX_COMPONENTS] =
        std::array::from_fn(|i| [bound("min", i, f64::INFINITY), bound("max", i, f64::NEG_INFINITY)]);
    let (mut numbers, mut broken) = ([0.0; MAX_COMPONENTS], 0u64);
    // One pass over the data finds both bounds and counts the elements beyond the declared ones.
    for element in 0..elements.layout.count {
        let count = elements.element(element, &mut numbers);
        for (component, [min, max]) in bounds[..count].iter_mut().enumerate() {
            let number = numbers[component];
            if !number.is_finite() {
                broken += 1;
                continue;
            }
            min.found = min.found.min(number);
            max.found = max.found.max(number);
            min.outside += u64::from(min.declared.is_some_and(|declared| number < declared));
            max.outside += u64::from(max.declared.is_some_and(|declared| number > declared));
        }
    }
    if broken > 0 {
        let message = format!("{} not finite.", counted_is(broken, "value"));
        context.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{index}"), message);
    }
    for (component, &[min, max]) in bounds[..components].iter().enumerate() {
        report_bound(context, min, &format!("/accessors/{index}/min/{component}"), true);
        report_bound(context, max, &format!("/accessors/{index}/max/{component}"), false);
    }
}

/// Reports a declared bound that the data exceeds or does not reach. Without finite numbers, there is nothing to compare.
fn report_bound(context: &mut ValidationContext, bound: Bound, pointer: &str, is_min: bool) {
    let Some(declared) = bound.declared.filter(|declared| *declared != bound.found && bound.found.is_finite()) else { return };
    let (mismatch, outside, bound_name) = match is_min {
        true => ("ACCESSOR_MIN_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", "minimum"),
        false => ("ACCESSOR_MAX_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "maximum"),
    };
    context.error(mismatch, pointer, format!("The {bound_name} value is {}, but the accessor declares {declared}.", bound.found));
    if bound.outside > 0 {
        let message = format!("{} beyond the declared {bound_name} value of {declared}.", counted_is(bound.outside, "element"));
        context.error(outside, pointer, message);
    }
}

/// Returns the faults of the values for one kind of use, as codes and messages.
fn check_rule(rule: ValueRule, elements: &Elements) -> Vec<(&'static str, String)> {
    let faults = match rule {
        ValueRule::KeyTimes => check_times(elements),
        ValueRule::Rotations { spline } => {
            // In a spline, every group of three consists of in-tangent, value and out-tangent, so the value is the second.
            let wrong = count(elements, |element, numbers| {
                (!spline || element % 3 == 1) && (length(numbers) - 1.0).abs() > QUATERNION_LENGTH_TOLERANCE
            });
            let message = format!(
                "{} not of unit length; Sinew normalizes {}.",
                counted_is(wrong, "rotation"),
                agreeing(wrong as usize, "it", "them")
            );
            vec![(wrong, "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", message)]
        }
        ValueRule::InverseBindMatrices => {
            // Matrices are column-major, so these are the last numbers of the columns.
            let wrong = count(elements, |_, m| [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0]);
            let message = format!(
                "{} inverse bind {} a last row other than 0, 0, 0, 1; Sinew replaces the row.",
                grouped(wrong),
                agreeing(wrong as usize, "matrix has", "matrices have")
            );
            vec![(wrong, "ACCESSOR_INVALID_IBM", message)]
        }
        ValueRule::Unit | ValueRule::Tangents => {
            let wrong = count(elements, |_, numbers| (length(&numbers[..3]) - 1.0).abs() > VECTOR_LENGTH_TOLERANCE);
            let message =
                format!("{} not of unit length; Sinew normalizes {}.", counted_is(wrong, "vector"), agreeing(wrong as usize, "it", "them"));
            let unsigned = if rule == ValueRule::Tangents { count(elements, |_, numbers| numbers[3].abs() != 1.0) } else { 0 };
            let sign_message = format!("The sign of {} neither 1 nor -1.", counted_is(unsigned, "tangent"));
            vec![(wrong, "ACCESSOR_VECTOR3_NON_UNIT", message), (unsigned, "ACCESSOR_INVALID_SIGN", sign_message)]
        }
        ValueRule::Colors => {
            let wrong = count(elements, |_, numbers| numbers.iter().any(|number| !(0.0..=1.0).contains(number)));
            vec![(wrong, "ACCESSOR_NON_CLAMPED", format!("{} not between 0 and 1.", counted_is(wrong, "color")))]
        }
    };
    faults.into_iter().filter(|(count, ..)| *count > 0).map(|(_, code, message)| (code, message)).collect()
}

/// The subject and verb of a message: "1 value is", "2 values are".
fn counted_is(count: u64, what: &str) -> String {
    let count = count as usize;
    format!("{} {}", counted(count, what), agreeing(count, "is", "are"))
}

/// Counts the elements for which `is_wrong` returns true. Normalized integers are passed as fractions. Elements with numbers that are not
/// finite are skipped, because they are already reported.
fn count(elements: &Elements, is_wrong: impl Fn(u64, &[f64]) -> bool) -> u64 {
    let mut numbers = [0.0; MAX_COMPONENTS];
    let mut wrong = 0;
    for element in 0..elements.layout.count {
        let components = elements.element(element, &mut numbers);
        let numbers = &mut numbers[..components];
        numbers.iter_mut().for_each(|number| *number = elements.fraction(*number));
        wrong += u64::from(numbers.iter().all(|number| number.is_finite()) && is_wrong(element, numbers));
    }
    wrong
}

/// The length of a vector.
fn length(numbers: &[f64]) -> f64 {
    numbers.iter().map(|number| number * number).sum::<f64>().sqrt()
}

/// Counts the key times that are negative, and those that do not increase. Returns counts, codes and messages.
fn check_times(elements: &Elements) -> Vec<(u64, &'static str, String)> {
    let mut numbers = [0.0; MAX_COMPONENTS];
    let (mut last, mut negative, mut unordered) = (None, 0u64, 0u64);
    for element in 0..elements.layout.count {
        elements.element(element, &mut numbers);
        let time = numbers[0];
        if time < 0.0 {
            negative += 1;
            continue;
        }
        // Reported as an invalid number. The next time is compared with the one before it.
        if !time.is_finite() {
            continue;
        }
        // As in the Khronos validator, the first key after negative keys must be later than 0 s.
        unordered += u64::from(last.is_some_and(|last| time <= last) || (element > 0 && last.is_none() && time <= 0.0));
        last = Some(time);
    }
    let negative_message = format!("{} before 0 s, where the animation begins.", counted_is(negative, "key"));
    let unordered_message = format!("{} not later than the previous one; the keys are sorted.", counted_is(unordered, "key time"));
    vec![
        (negative, "ACCESSOR_ANIMATION_INPUT_NEGATIVE", negative_message),
        (unordered, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", unordered_message),
    ]
}
