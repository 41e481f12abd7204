//! Names with one typing error: the words of all names that differ by it from what was typed, looked up where few were found.

use std::collections::BTreeMap;

use domain::fold::fold_name;
use sqlx::PgConnection;

use super::{
    compile::{FixedCriteria, Search},
    run::Hit,
};

/// So many patients of exactly that name are enough: nobody is looked for beyond them.
pub const FEW: usize = 20;
/// Most patients who are added.
pub const MOST: usize = 50;
/// A shorter word is near to too many others.
const SHORTEST: usize = 4;
/// Most words that will do for one.
const MOST_WORDS: usize = 32;

/// The search with the words that will do for those typed; none where there are no such words.
pub async fn widened(db: &mut PgConnection, search: &Search) -> sqlx::Result<Option<Search>> {
    let mut similar = BTreeMap::new();
    for word in search.fixed.ime.iter().chain(&search.fixed.prezime) {
        if word.chars().count() >= SHORTEST && !similar.contains_key(word) {
            let near = near(db, word).await?;
            if !near.is_empty() {
                similar.insert(word.clone(), near);
            }
        }
    }
    if similar.is_empty() {
        return Ok(None);
    }
    let mut search = search.clone();
    search.fixed.similar = similar;
    Ok(Some(search))
}

/// Whether one word alone of those typed is not in the name as it was typed.
pub fn has_one_error(fixed: &FixedCriteria, hit: &Hit) -> bool {
    let name = fold_name(&format!("{} {}", hit.ime, hit.prezime));
    fixed.ime.iter().chain(&fixed.prezime).filter(|word| !name.contains(word.as_str())).count() == 1
}

/// Words of names at one error from `word`: a letter that is another, missing, too many, or that changed places with the next.
/// Whatever the error, the word begins or ends as it was typed, unless the two letters in the middle changed places.
async fn near(db: &mut PgConnection, word: &str) -> sqlx::Result<Vec<String>> {
    let letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    let (begin, end): (String, String) = (letters[..middle].iter().collect(), letters[middle..].iter().rev().collect());
    let mut swapped = letters.clone();
    swapped.swap(middle - 1, middle);
    let words: Vec<String> = sqlx::query_scalar!(
        r#"
        select distinct rec as "rec!" from name_word
         where rec like $1 and length(rec) between $4 - 1 and $4 + 1
            or reverse(rec) like $2 and length(rec) between $4 - 1 and $4 + 1
            or rec = $3
         order by rec
        "#,
        format!("{}%", super::criteria::escape_like(&begin)),
        format!("{}%", super::criteria::escape_like(&end)),
        swapped.iter().collect::<String>(),
        letters.len() as i32
    )
    .fetch_all(db)
    .await?;
    Ok(words.into_iter().filter(|near| !near.contains(word) && strsim::osa_distance(word, near) == 1).take(MOST_WORDS).collect())
}
