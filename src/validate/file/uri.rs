//! The syntax of URIs: schemes, hosts and ports (RFC 3986), and `data:` URIs (RFC 2397).

use std::net::Ipv6Addr;

use base64::engine::general_purpose::STANDARD_NO_PAD;
use base64::{DecodeError, Engine};
use percent_encoding::percent_decode_str;

use crate::asset::file::uri::base64_header;

/// Why a URI is not well-formed, as the end of a sentence about it. `None` if it is well-formed.
pub fn fault(uri: &str) -> Option<&'static str> {
    let (scheme, rest) = split_scheme(uri);
    if let Some(scheme) = scheme {
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some("the scheme before its colon does not begin with a letter");
        }
        if !scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')) {
            return Some("the scheme before its colon has a character that is not allowed there");
        }
        if scheme.eq_ignore_ascii_case("data") {
            return data_fault(rest);
        }
    }
    rest.strip_prefix("//").and_then(host_fault)
}

/// Returns whether a well-formed URI is a relative path without query and fragment, or data.
pub fn is_relative(uri: &str) -> bool {
    match split_scheme(uri) {
        (Some(scheme), _) => scheme.eq_ignore_ascii_case("data"),
        (None, path) => !path.starts_with('/') && !path.contains(['?', '#']),
    }
}

/// The scheme, and the part after its colon. A colon after the first slash belongs to the path.
fn split_scheme(uri: &str) -> (Option<&str>, &str) {
    match uri.find([':', '/', '?', '#']) {
        Some(delimiter) if uri[delimiter..].starts_with(':') => (Some(&uri[..delimiter]), &uri[delimiter + 1..]),
        _ => (None, uri),
    }
}

/// A fault of the host and its port. `rest` begins after the two slashes.
fn host_fault(rest: &str) -> Option<&'static str> {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let port = match host.strip_prefix('[').map(|host| host.split_once(']')) {
        Some(None) => return Some("the bracket of its host is not closed"),
        Some(Some((address, _))) if address.parse::<Ipv6Addr>().is_err() => return Some("its host is not a valid IPv6 address"),
        Some(Some((_, port))) => port.strip_prefix(':'),
        None => host.split_once(':').map(|(_, port)| port),
    };
    port.is_some_and(|port| !port.bytes().all(|byte| byte.is_ascii_digit())).then_some("its port is not a number")
}

/// A fault of a `data:` URI after its scheme. The decoder finds faults of the data itself.
fn data_fault(rest: &str) -> Option<&'static str> {
    let Some((header, data)) = rest.split_once(',') else { return Some("it has no comma before its data") };
    let (header, mark) = base64_header(header).map_or((header, None), |(header, mark)| (header, Some(mark)));
    let mut parts = header.split(';');
    let media_type = parts.next().unwrap_or_default();
    if !media_type.is_empty() && media_type.matches('/').count() != 1 {
        return Some("its media type is not valid");
    }
    if parts.any(|parameter| !parameter.contains('=')) {
        return Some("a parameter of its media type has no value");
    }
    if mark?.contains(' ') {
        return Some("there is a space beside \"base64\"");
    }
    // The decoder ignores whitespace.
    let symbols: Vec<u8> = percent_decode_str(data).filter(|byte| !byte.is_ascii_whitespace()).collect();
    if symbols.ends_with(b"=") && !symbols.len().is_multiple_of(4) {
        return Some("the padding of its data is wrong");
    }
    // The decoder ignores the unused bits of the last group of fewer than four symbols, too.
    let padding = symbols.iter().rev().take_while(|&&symbol| symbol == b'=').count();
    let last_group = symbols[..symbols.len() - padding].chunks_exact(4).remainder();
    let decoded = STANDARD_NO_PAD.decode(last_group);
    matches!(decoded, Err(DecodeError::InvalidLastSymbol { .. })).then_some("the unused bits at the end of its data are not zero")
}
