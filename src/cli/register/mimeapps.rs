//! Edits the text of `mimeapps.list`, the list of default applications: adds or removes the first choice for a MIME type.
//!
//! The previous first choice becomes the second one. All other lines are kept.

/// Header of the section with the default applications.
const SECTION: &str = "[Default Applications]";

/// The list with `application` as the first choice for `mime`.
pub fn with_default(list: &str, mime: &str, application: &str) -> String {
    let list = without_default(list, mime, application);
    let mut lines: Vec<String> = list.lines().map(str::to_owned).collect();
    // A list without the section gets it at the end, after an empty line.
    let Some(section) = section(&lines) else {
        if lines.last().is_some_and(|line| !line.trim().is_empty()) {
            lines.push(String::new());
        }
        lines.extend([SECTION.to_owned(), format!("{mime}={application};")]);
        return join_lines(&lines);
    };
    match entry(&lines, section.clone(), mime) {
        Some(i) => {
            let others = lines[i].split_once('=').map_or("", |(_, others)| others).trim().to_owned();
            lines[i] = format!("{mime}={application};{others}");
        }
        None => lines.insert(section.start, format!("{mime}={application};")),
    }
    join_lines(&lines)
}

/// The list without `application` among the choices for `mime`. An entry or a section that becomes empty is removed as well.
pub fn without_default(list: &str, mime: &str, application: &str) -> String {
    let mut lines: Vec<String> = list.lines().map(str::to_owned).collect();
    let Some(i) = section(&lines).and_then(|section| entry(&lines, section, mime)) else { return list.to_owned() };
    let applications = lines[i].split_once('=').map_or("", |(_, applications)| applications);
    if !applications.split(';').any(|other| other.trim() == application) {
        return list.to_owned();
    }
    let others: Vec<&str> = applications.split(';').filter(|other| other.trim() != application).collect();
    if others.iter().any(|other| !other.trim().is_empty()) {
        lines[i] = format!("{mime}={}", others.join(";"));
        return join_lines(&lines);
    }
    lines.remove(i);
    if let Some(section) = section(&lines).filter(|section| lines[section.clone()].iter().all(|line| line.trim().is_empty())) {
        lines.drain(section.start - 1..section.end);
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
    }
    join_lines(&lines)
}

/// The line range of the section, without its header. `None` if there is no such section.
fn section(lines: &[String]) -> Option<std::ops::Range<usize>> {
    let start = lines.iter().position(|line| line.trim() == SECTION)? + 1;
    let end = lines[start..].iter().position(|line| line.starts_with('[')).map_or(lines.len(), |length| start + length);
    Some(start..end)
}

/// The index of the line for a MIME type in the section. `None` if there is no such line.
fn entry(lines: &[String], section: std::ops::Range<usize>, mime: &str) -> Option<usize> {
    section.into_iter().find(|&i| lines[i].split_once('=').is_some_and(|(key, _)| key.trim() == mime))
}

/// The text of these lines, each with a line feed.
fn join_lines(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}
