//! The numbers of accessors: that they are numbers, lie between min and max, and are what their use asks for. Each accessor is
//! passed over once for itself and once for each kind of use.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use crate::asset::file::buffer::Bytes;

use super::elements::{Budget, Elements, MOST, sparse_indices};
use super::read;
use super::subject::{Duty, Subject};

pub fn check(subject: &mut Subject, views: &[Option<Bytes>], budget: &mut Budget) {
    for index in 0..subject.accessors.len() {
        check_sparse(subject, index, views, budget);
        if let Some(elements) = Elements::new(subject, views, index, budget) {
            check_bounds(subject, index, &elements);
        }
    }
    let mut known: HashMap<(usize, Duty), Vec<(&'static str, String)>> = HashMap::new();
    for (index, duty, place) in std::mem::take(&mut subject.duties) {
        let wrong = match known.entry((index, duty)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                let elements = Elements::new(subject, views, index, budget);
                vacant.insert(elements.map_or_else(Vec::new, |elements| check_duty(duty, &elements)))
            }
        };
        for (code, message) in wrong {
            subject.error(code, &place, message.as_str());
        }
    }
}

fn check_sparse(subject: &mut Subject, index: usize, views: &[Option<Bytes>], budget: &mut Budget) {
    let Some(sparse) = subject.list("accessors").get(index).and_then(|json| json.get("sparse")) else { return };
    let Some(count) = read::unsigned(sparse, "count") else { return };
    let Some(layout) = subject.accessors[index].layout else { return };
    let Some(places) = sparse_indices(sparse, count, views, budget) else { return };
    let place = format!("/accessors/{index}/sparse");
    if let Some((one, next)) = places.not_increasing() {
        let message = format!("Element {next} is replaced after element {one}; they are listed in order, each once.");
        subject.error("ACCESSOR_SPARSE_INDICES_NON_INCREASING", &place, message);
    }
    if let Some(outside) = places.iter().find(|&element| element >= layout.count) {
        let message = format!("Element {outside} is replaced, but the accessor has only {}.", layout.count);
        subject.error("ACCESSOR_SPARSE_INDEX_OOB", &place, message);
    }
}

/// What the declared and the found bounds of one component are.
#[derive(Clone, Copy)]
struct Bound {
    declared: Option<f64>,
    found: f64,
    outside: u64,
}

fn check_bounds(subject: &mut Subject, index: usize, elements: &Elements) {
    let json = &subject.list("accessors")[index];
    let components = elements.layout.components() as usize;
    let declared = |key: &str, component: usize| {
        let bounds = json.get(key).and_then(Value::as_array).filter(|bounds| bounds.len() == components)?;
        let bound = bounds.get(component)?.as_f64()?;
        // The file's numbers have 32 bits, and the bound should be one of them.
        Some(if elements.layout.component == gltf::json::accessor::ComponentType::F32 { f64::from(bound as f32) } else { bound })
    };
    let bound = |key: &'static str, found: f64| {
        move |component: usize| Bound { declared: if component < components { declared(key, component) } else { None }, found, outside: 0 }
    };
    let mut least: [Bound; MOST] = std::array::from_fn(bound("min", f64::INFINITY));
    let mut most: [Bound; MOST] = std::array::from_fn(bound("max", f64::NEG_INFINITY));
    let (mut numbers, mut broken) = ([0.0; MOST], 0u64);
    for element in 0..elements.layout.count {
        let count = elements.element(element, &mut numbers);
        for (number, (least, most)) in numbers[..count].iter().zip(least.iter_mut().zip(&mut most)) {
            if !number.is_finite() {
                broken += 1;
                continue;
            }
            least.found = least.found.min(*number);
            most.found = most.found.max(*number);
            least.outside += u64::from(least.declared.is_some_and(|declared| *number < declared));
            most.outside += u64::from(most.declared.is_some_and(|declared| *number > declared));
        }
    }
    if broken > 0 {
        let message = format!("{broken} numbers are infinite or none at all.");
        subject.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{index}"), message);
    }
    for component in 0..components {
        say_bound(subject, least[component], &format!("/accessors/{index}/min/{component}"), true);
        say_bound(subject, most[component], &format!("/accessors/{index}/max/{component}"), false);
    }
}

fn say_bound(subject: &mut Subject, bound: Bound, place: &str, is_least: bool) {
    let Some(declared) = bound.declared.filter(|declared| *declared != bound.found && bound.found.is_finite()) else { return };
    let (mismatch, outside, word) = match is_least {
        true => ("ACCESSOR_MIN_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", "least"),
        false => ("ACCESSOR_MAX_MISMATCH", "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "greatest"),
    };
    subject.error(mismatch, place, format!("The {word} number is {}, not {declared} as the accessor says.", bound.found));
    if bound.outside > 0 {
        let message = format!("{} elements lie beyond the {word} number that the accessor says, {declared}.", bound.outside);
        subject.error(outside, place, message);
    }
}

/// What is wrong, by code.
fn check_duty(duty: Duty, elements: &Elements) -> Vec<(&'static str, String)> {
    let found = match duty {
        Duty::KeyTimes => check_times(elements),
        Duty::Rotations { spline } => {
            let wrong = count(elements, |element, numbers| (!spline || element % 3 == 1) && (length(numbers) - 1.0).abs() > 0.00769);
            let message = format!("{wrong} rotations are not of unit length; they are used as if they were.");
            vec![(wrong, "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", message)]
        }
        Duty::InverseBindMatrices => {
            let wrong = count(elements, |_, m| [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0]);
            let message = format!("{wrong} inverse bind matrices do not end in the row 0, 0, 0, 1; they count as if they did.");
            vec![(wrong, "ACCESSOR_INVALID_IBM", message)]
        }
        Duty::Unit | Duty::Tangents => {
            let wrong = count(elements, |_, numbers| (length(&numbers[..3]) - 1.0).abs() > 0.00674);
            let message = format!("{wrong} vectors are not of unit length; they are used as if they were.");
            let unsigned = if duty == Duty::Tangents { count(elements, |_, numbers| numbers[3].abs() != 1.0) } else { 0 };
            let of_sign = format!("{unsigned} tangents have another sign than 1 or -1.");
            vec![(wrong, "ACCESSOR_VECTOR3_NON_UNIT", message), (unsigned, "ACCESSOR_INVALID_SIGN", of_sign)]
        }
        Duty::Colors => {
            let wrong = count(elements, |_, numbers| numbers.iter().any(|number| !(0.0..=1.0).contains(number)));
            vec![(wrong, "ACCESSOR_NON_CLAMPED", format!("{wrong} colours are not between 0 and 1."))]
        }
    };
    found.into_iter().filter(|(count, ..)| *count > 0).map(|(_, code, message)| (code, message)).collect()
}

/// How many elements (with integers as the fractions that they are) are wrong.
fn count(elements: &Elements, is_wrong: impl Fn(u64, &[f64]) -> bool) -> u64 {
    let mut numbers = [0.0; MOST];
    let mut wrong = 0;
    for element in 0..elements.layout.count {
        let components = elements.element(element, &mut numbers);
        let numbers = &mut numbers[..components];
        numbers.iter_mut().for_each(|number| *number = elements.fraction(*number));
        wrong += u64::from(numbers.iter().all(|number| number.is_finite()) && is_wrong(element, numbers));
    }
    wrong
}

fn length(numbers: &[f64]) -> f64 {
    numbers.iter().map(|number| number * number).sum::<f64>().sqrt()
}

fn check_times(elements: &Elements) -> Vec<(u64, &'static str, String)> {
    let mut numbers = [0.0; MOST];
    let (mut last, mut negative, mut unordered) = (None, 0u64, 0u64);
    for element in 0..elements.layout.count {
        elements.element(element, &mut numbers);
        let time = numbers[0];
        if time < 0.0 {
            negative += 1;
            continue;
        }
        unordered += u64::from(last.is_some_and(|last| time <= last) || (element > 0 && last.is_none() && time <= 0.0));
        last = Some(time);
    }
    let before = format!("{negative} keys lie before the animation begins, at 0 s.");
    let late = format!("{unordered} key times are not later than the one before; they are used in order of time.");
    vec![(negative, "ACCESSOR_ANIMATION_INPUT_NEGATIVE", before), (unordered, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", late)]
}
