//! Tests configurations: limits, checks that are switched off, and errors that name the line and the key.

use sinew::check::finding::{CheckFinding, Findings};
use sinew::check::profile::Profile;
use sinew::check::rule::{LIMITS, Limit, RULES, Rule};
use sinew::check::settings::Settings;

use crate::common::character::character;

#[test]
fn the_tables_are_in_the_order_of_their_enums() {
    assert!(RULES.iter().enumerate().all(|(index, entry)| entry.rule as usize == index && entry.rule.entry().code == entry.code));
    assert!(LIMITS.iter().enumerate().all(|(index, entry)| entry.limit as usize == index));
    assert!(RULES.iter().all(|entry| Rule::from_code(entry.code) == Some(entry.rule)));
}

#[test]
fn a_configuration_changes_limits_and_switches_checks_off() {
    let text = "profile = \"three\" # comment\noff = [\"NO_MOTION\"]\n[limits]\nfirst_key_time = 1\nloop_gap_distance = 1_0.5e-1\n";
    let settings = Settings::from_toml(text).unwrap();
    assert_eq!((settings.profile, settings.is_on(Rule::NoMotion), settings.is_on(Rule::LoopGap)), (Profile::Three, false, true));
    assert_eq!([Limit::FirstKeyTime, Limit::LoopGapDistance].map(|limit| settings.limit(limit)), [1.0, 1.05]);
    assert_eq!(settings.limit(Limit::FootSlide), 0.04);
    let mut late = character();
    late.channels().iter_mut().for_each(|channel| channel.times.iter_mut().for_each(|time| *time += 0.5));
    assert_eq!(late.check(&Settings::from_toml("[limits]\nfirst_key_time = 0.6").unwrap()), []);
    assert_eq!(late.check(&Settings::from_toml("off = [\"FIRST_KEY_NOT_AT_ZERO\"]").unwrap()), []);
}

#[test]
fn an_empty_configuration_is_the_default() {
    assert_eq!(Settings::from_toml("").unwrap(), Settings::default());
}

#[test]
fn errors_name_the_line_and_the_key() {
    let cases = [
        ("profile = 3", "line 1: \"profile\" must be text"),
        (
            "\nprofile = \"quake\"",
            "line 2: \"profile\" has the unknown value \"quake\"; the profiles are generic, unreal, unity, godot, three",
        ),
        ("of = []", "line 1: unknown key \"of\"; the keys are profile, off and limits"),
        ("foot_slide = 1.0", "line 1: unknown key \"foot_slide\"; limits belong below [limits]"),
        ("off = \"LOOP_GAP\"", "line 1: \"off\" must be a list of codes"),
        ("off = [\n  \"LOOP_GAP\",\n  \"LOOPGAP\",\n]", "line 3: \"off\" has the unknown value \"LOOPGAP\"; the codes are LOOP_GAP, "),
        ("off = [\n1]", "line 2: \"off\" must be a list of codes"),
        ("limits = 1", "line 1: \"limits\" must be a table"),
        ("[limits]\n\nfoot_slid = 1", "line 3: unknown key \"foot_slid\"; the limits are loop_gap_distance, "),
        ("[limits]\nfoot_slide = \"far\"", "line 2: \"foot_slide\" must be a number of at least 0"),
        ("[limits]\nfoot_slide = -0.1", "line 2: \"foot_slide\" must be a number of at least 0"),
        ("[limits]\nfoot_slide = nan", "line 2: \"foot_slide\" must be a number of at least 0"),
        ("off = [\n\"LOOP_GAP\"", "line 2:"),
        ("[limits]\nfoot_slide = 1\nfoot_slide = 2", "line 3:"),
    ];
    for (text, expected) in cases {
        let error = Settings::from_toml(text).expect_err(text).to_string();
        assert!(error.starts_with(expected) && !error.contains('\n'), "{text:?} gives {error:?}");
    }
    assert!(Settings::from_toml(&"#".repeat(2 << 20)).is_err());
}

#[test]
fn many_findings_of_one_check_become_a_few_and_a_count() {
    let settings = Settings::default();
    let mut findings = Findings::new(&settings);
    for animation in 0..10_000 {
        let finding = CheckFinding::new(Rule::LoopGap, "A gap.".to_owned());
        findings.add(CheckFinding { animation: Some(animation), value: Some(animation as f64), threshold: Some(1.0), ..finding });
    }
    let found = findings.finish();
    assert_eq!(found.len(), 11);
    assert_eq!((found[0].animation, found[9].animation, found[10].animation), (Some(9999), Some(9990), None));
    assert!(found[10].message.starts_with("9990 more"), "{}", found[10].message);
}

#[test]
fn the_farthest_beyond_a_limit_of_0_is_the_worst() {
    let settings = Settings::default();
    let sorted = |rule: Rule, numbers: &[[f64; 2]]| {
        let mut findings = Findings::new(&settings);
        for &[value, threshold] in numbers {
            findings.add(CheckFinding { value: Some(value), threshold: Some(threshold), ..CheckFinding::new(rule, "Far.".to_owned()) });
        }
        findings.finish().into_iter().filter_map(|finding| finding.value).collect::<Vec<_>>()
    };
    assert_eq!(sorted(Rule::NegativeScale, &[[-0.1, 0.0], [-5.0, 0.0], [-1.0, 0.0]]), [-5.0, -1.0, -0.1]);
    assert_eq!(sorted(Rule::MorphOutOfRange, &[[1.5, 1.0], [-0.2, 0.0], [-3.0, 0.0], [3.0, 1.0]]), [-3.0, 3.0, 1.5, -0.2]);
}
