//! File patterns: `*` and `?` within a name, `**` for any number of folders.

use std::path::{Component, Path, PathBuf};

/// Whether a path contains a wildcard.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The folder that a pattern starts in, and the names of the pattern below it.
pub(crate) fn split(pattern: &Path) -> (PathBuf, Vec<String>) {
    let parts: Vec<Component> = pattern.components().collect();
    let fixed = parts.iter().take_while(|part| !is_pattern(&part.as_os_str().to_string_lossy())).count();
    let folder: PathBuf = parts[..fixed].iter().collect();
    let names = parts[fixed..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    (if fixed == 0 { PathBuf::from(".") } else { folder }, names.collect())
}

/// Whether the names of a path match those of a pattern.
pub(crate) fn matches(pattern: &[String], names: &[&str]) -> bool {
    match (pattern, names) {
        ([], []) => true,
        ([any, rest @ ..], names) if any == "**" => {
            (0..=names.len()).any(|skipped| matches(rest, &names[skipped..]))
        }
        ([one, rest @ ..], [name, names @ ..]) => name_matches(one, name) && matches(rest, names),
        _ => false,
    }
}

/// Whether a name matches a pattern with `*` and `?`, in time proportional to the product of their lengths.
fn name_matches(pattern: &str, name: &str) -> bool {
    // `reached[k]`: the letters of the pattern so far match the first k letters of the name.
    let letters: Vec<char> = name.chars().collect();
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    for wanted in pattern.chars() {
        if wanted == '*' {
            let start = reached.iter().position(|&reached| reached).unwrap_or(reached.len());
            reached.iter_mut().skip(start).for_each(|reached| *reached = true);
            continue;
        }
        for end in (1..reached.len()).rev() {
            reached[end] = reached[end - 1] && (wanted == '?' || wanted == letters[end - 1]);
        }
        reached[0] = false;
    }
    reached[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, path: &str) -> bool {
        let (_, pattern) = split(Path::new(pattern));
        matches(&pattern, &path.split('/').collect::<Vec<_>>())
    }

    #[test]
    fn a_star_stays_within_a_name_and_two_cross_folders() {
        assert!(check("*.bvh", "walk.bvh") && !check("*.bvh", "a/walk.bvh"));
        assert!(check("**/*.bvh", "walk.bvh") && check("**/*.bvh", "a/b/walk.bvh"));
        assert!(check("*/0?_*.bvh", "cmu/02_01.bvh") && !check("*/0?_*.bvh", "cmu/12_01.bvh"));
        assert!(check("*a*a*", "banana") && !check("*a*a*a*a*", "banana") && !check("*.bvh", "walk.bvhx"));
    }

    #[test]
    fn a_pattern_starts_in_its_last_plain_folder() {
        let (folder, names) = split(Path::new("data/cmu/**/*.bvh"));
        assert_eq!((folder, names), (PathBuf::from("data/cmu"), vec!["**".into(), "*.bvh".into()]));
        assert_eq!(split(Path::new("*.bvh")).0, PathBuf::from("."));
    }
}
