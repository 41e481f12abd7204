//! Which patients an institution knows: those whom it registered and those of whom it holds an entry; all of them while the
//! parameter `blurPodatakaIzmedjuUstanova` is off.

use sqlx::PgConnection;

/// False where there is no such patient, too: nobody learns from the answer which of the two it is.
pub async fn knows_patient(db: &mut PgConnection, ustanova: Option<i64>, pacijent: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        select exists (
            select from patient p
             where p.id = $1 and p.aktivan
               and (p.ustanova_id = $2
                    or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = $2)
                    or exists (select from parameter where naziv = 'blurPodatakaIzmedjuUstanova' and aktivan and btrim(vrednost) = 'false'))
        ) as "known!"
        "#,
        pacijent,
        ustanova,
    )
    .fetch_one(db)
    .await
}
