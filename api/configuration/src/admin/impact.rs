//! What a change of configuration makes of stored results. They are computed anew as the form would have it, and compared with what
//! is stored: whoever changes the form is told how many differ and must say that number back; then they are marked until the entry is
//! saved again. Nothing that is stored changes here.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use clinical::entries::values::{alike, computed_by};
use domain::{
    entry::{
        around::around,
        form::{EntryForm, FormError},
        form_lock,
        meaning::same_unit,
        other_forms,
        values::from_json,
    },
    formula,
    register::ValueType,
    time,
};
use platform::error::{Error, FormImpact, Impact, Result};
use sqlx::PgConnection;

use super::{examples, form_field::near::FieldPart};

/// Entries that are read together.
const CHUNK: usize = 500;
/// How long somebody waits for an answer, and for the change itself; what is not reached by then is counted as "at least".
pub const ASKED: Duration = Duration::from_secs(5);
pub const CONFIRMED: Duration = Duration::from_secs(15);
pub const IMPORTED: Duration = Duration::from_hours(24);

/// The forms that a change touches, as they are before it. While it lives in its transaction no entry of theirs is saved.
pub struct Before {
    forms: Vec<EntryForm>,
    /// Of the one form only what a change of this field concerns.
    part: Option<FieldPart>,
}

impl Before {
    pub async fn of_form(tx: &mut PgConnection, form: i64) -> Result<Self> {
        Ok(Self::of_forms(tx, &[form]).await?)
    }

    /// What a change of one field of a form concerns, of a form that is locked already.
    pub fn of_part(form: EntryForm, part: FieldPart) -> Self {
        Self { forms: vec![form], part: Some(part) }
    }

    /// All forms of the register, those too that are switched off and may come back; none of a register that is made only now.
    pub async fn of_register(tx: &mut PgConnection, register: Option<i64>) -> Result<Self, FormError> {
        let forms = sqlx::query_scalar!("select id from form where registar_id = $1 order by 1", register);
        let forms = forms.fetch_all(&mut *tx).await?;
        Self::of_forms(tx, &forms).await
    }

    /// All forms with a field of the attribute type.
    pub async fn of_type(tx: &mut PgConnection, tip_atributa: i64) -> Result<Self> {
        let forms =
            sqlx::query_scalar!(r#"select distinct form_id as "form!" from type_uses(array[$1]::bigint[]) order by 1"#, tip_atributa);
        let forms = forms.fetch_all(&mut *tx).await?;
        Ok(Self::of_forms(tx, &forms).await?)
    }

    async fn of_forms(tx: &mut PgConnection, ids: &[i64]) -> Result<Self, FormError> {
        let mut forms = Vec::with_capacity(ids.len());
        for id in ids {
            form_lock::take(&mut *tx, *id).await?;
            forms.push(shown(&mut *tx, *id).await?.unwrap_or(EntryForm { id: *id, ..EntryForm::default() }));
        }
        Ok(Self { forms, part: None })
    }

    /// After the change: refuses it where an example of a formula does not come out, or where it makes stored results stale and
    /// nobody has said so, else marks them.
    pub async fn settle(self, tx: &mut PgConnection, confirmed: Option<i64>) -> Result<()> {
        for form in &self.forms {
            examples::refuse_failing(&mut *tx, form.id).await?;
        }
        let impact = self.weigh(tx, confirmed.is_some(), if confirmed.is_some() { CONFIRMED } else { ASKED }).await?;
        // A number that was "at least" when it was told is another one now.
        let told = confirmed.is_some_and(|told| told == impact.rezultata || impact.najmanje);
        if told || (impact.rezultata == 0 && !impact.najmanje) { Ok(()) } else { Err(Error::Differs(impact)) }
    }

    /// After the change of a whole file: marks all results that it makes stale, and counts them. Those that are not reached in time are
    /// marked as unchecked.
    pub async fn mark_all(self, tx: &mut PgConnection, most: Duration) -> Result<Impact, FormError> {
        self.weigh(tx, true, most).await
    }

    async fn weigh(&self, tx: &mut PgConnection, marks: bool, most: Duration) -> Result<Impact, FormError> {
        let until = Instant::now() + most;
        let mut impact = Impact::default();
        for before in &self.forms {
            // Of a form that is switched off now nothing is shown.
            let after = match &self.part {
                Some(part) => Some(part.load(&mut *tx, before.id).await?),
                None => shown(&mut *tx, before.id).await?,
            };
            if let Some(after) = after {
                let (entries, results) = (impact.unosa, impact.rezultata);
                Change { before, after: &after, marks, until }.weigh(&mut *tx, &mut impact).await?;
                let (unosa, rezultata) = (impact.unosa - entries, impact.rezultata - results);
                if self.forms.len() > 1 && (unosa > 0 || rezultata > 0) {
                    let register = sqlx::query!("select id, naziv from register where id = $1", after.registar_id);
                    let registar = register.fetch_one(&mut *tx).await?.naziv;
                    impact.formulari.push(FormImpact { id: after.id, naziv: after.naziv, registar, unosa, rezultata });
                }
            }
        }
        Ok(impact)
    }
}

/// None of a form that is switched off.
async fn shown(tx: &mut PgConnection, form: i64) -> Result<Option<EntryForm>, FormError> {
    match EntryForm::load(tx, form).await {
        Ok(form) => Ok(Some(form)),
        Err(FormError::Missing) => Ok(None),
        Err(error) => Err(error),
    }
}

pub struct Change<'a> {
    pub before: &'a EntryForm,
    pub after: &'a EntryForm,
    /// Whether marks are written, or only counted.
    pub marks: bool,
    pub until: Instant,
}

impl Change<'_> {
    async fn weigh(&self, tx: &mut PgConnection, impact: &mut Impact) -> Result<(), FormError> {
        let units = self.other_units();
        let results = self.touched_results();
        let results = self.ever_stored(&mut *tx, results).await?;
        if units.is_empty() && results.is_empty() {
            return Ok(());
        }
        impact.unosa += sqlx::query_scalar!(r#"select count(*) as "count!" from entry where tsa_id = $1 and aktivan"#, self.after.id)
            .fetch_one(&mut *tx)
            .await?;
        for (field, unit) in units {
            let values = self.other_unit(&mut *tx, field, unit).await?;
            impact.rezultata += values;
            impact.u_drugoj_jedinici += values;
        }
        if !results.is_empty() { self.compare(tx, &results, impact).await } else { Ok(()) }
    }

    /// Number fields whose unit is another now, with the one that it was.
    fn other_units(&self) -> Vec<(i64, Option<&str>)> {
        let was = self.before.by_id();
        let numbers = self.after.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Number);
        let pairs = numbers.filter_map(|field| Some((field, was.get(&field.id)?)));
        pairs.filter(|(now, was)| !same_unit(was, now)).map(|(now, was)| (now.id, was.tip_atributa.jedinica.as_deref())).collect()
    }

    /// Marks the values that were stored in the former unit; those that were stored in today's before are right again, but for those
    /// whose entry is in a version with another one.
    async fn other_unit(&self, tx: &mut PgConnection, field: i64, was: Option<&str>) -> Result<i64, FormError> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from entry e
                where e.tsa_id = $1 and e.vrednosti ? $2::bigint::text
                  and not exists (select from unit_mark m where m.unos_id = e.id and m.polje_id = $2 and m.znacenje = m.danas)"#,
            self.after.id,
            field
        )
        .fetch_one(&mut *tx)
        .await?;
        let right_again = sqlx::query_scalar!(
            "with marked as materialized (
                 select m.unos_id, e.form_version_id, m.danas from unit_mark m join entry e on e.id = m.unos_id
                  where m.polje_id = $1 and m.znacenje = m.danas),
             kept as materialized (
                 select v.id, unit_in_version(v.id, $1) as znacenje
                   from (select distinct form_version_id as id from marked) v)
             delete from stale_result s using marked m join kept k on k.id = m.form_version_id
              where s.unos_id = m.unos_id and s.polje_id = $1 and s.razlog = 'jedinica' and coalesce(k.znacenje, m.danas) = m.danas
             returning s.unos_id",
            field
        )
        .fetch_all(&mut *tx)
        .await?;
        if self.marks {
            sqlx::query!(
                "insert into stale_result (unos_id, polje_id, razlog, jedinica)
                 select e.id, $2, 'jedinica', $3 from entry e where e.tsa_id = $1 and e.vrednosti ? $2::bigint::text and e.id <> all ($4)
                     on conflict (unos_id, polje_id) do nothing",
                self.after.id,
                field,
                was,
                &right_again
            )
            .execute(tx)
            .await?;
        }
        Ok(count)
    }

    /// Calculated fields whose results the change may make others: those that are another themselves, and those that read them.
    pub fn touched_results(&self) -> BTreeSet<i64> {
        // Bounds only quiet warnings: they change no result.
        let told = |field: &formula::Field| format!("{:?}", formula::Field { donja_granica: None, gornja_granica: None, ..field.clone() });
        let was: BTreeMap<i64, String> = self.before.formulas.iter().map(|field| (field.id, told(field))).collect();
        let mut touched: BTreeSet<i64> =
            self.after.formulas.iter().filter(|field| was.get(&field.id) != Some(&told(field))).map(|field| field.id).collect();
        let codes: BTreeMap<i64, &str> = self.after.formulas.iter().filter_map(|field| Some((field.id, field.sifra.as_deref()?))).collect();
        loop {
            let read: BTreeSet<&str> = touched.iter().filter_map(|id| codes.get(id).copied()).collect();
            let reads = |field: &formula::Field| {
                field.parent.is_some_and(|parent| touched.contains(&parent))
                    || [&field.racunanje, &field.prikaz]
                        .into_iter()
                        .flatten()
                        .any(|one| one.deps.iter().any(|code| read.contains(code.as_str())))
            };
            let more: Vec<i64> =
                self.after.formulas.iter().filter(|field| !touched.contains(&field.id) && reads(field)).map(|field| field.id).collect();
            if more.is_empty() {
                break;
            }
            touched.extend(more);
        }
        // A column's results are those of its section; a new column had none.
        let had = |field: &&formula::Field| field.sekcija.is_none() || was.contains_key(&field.id);
        let results = self.after.formulas.iter().filter(|field| field.racunanje.is_some() && touched.contains(&field.id)).filter(had);
        results.map(|field| field.sekcija.unwrap_or(field.id)).collect()
    }

    /// Without fields that were not there before, but for those that came back to values of theirs.
    async fn ever_stored(&self, tx: &mut PgConnection, mut results: BTreeSet<i64>) -> Result<BTreeSet<i64>, FormError> {
        let was = self.before.by_id();
        let new: Vec<i64> = results.iter().copied().filter(|field| !was.contains_key(field)).collect();
        if new.is_empty() {
            return Ok(results);
        }
        let back = sqlx::query_scalar!(
            r#"select f as "f!" from unnest($2::bigint[]) u (f)
                where exists (select from entry e where e.tsa_id = $1 and e.vrednosti ? f::text)"#,
            self.after.id,
            &new
        )
        .fetch_all(tx)
        .await?;
        results.retain(|field| was.contains_key(field) || back.contains(field));
        Ok(results)
    }

    async fn compare(&self, tx: &mut PgConnection, results: &BTreeSet<i64>, impact: &mut Impact) -> Result<(), FormError> {
        let entries = sqlx::query_scalar!("select id from entry where tsa_id = $1 order by id", self.after.id).fetch_all(&mut *tx).await?;
        for chunk in entries.chunks(CHUNK) {
            if Instant::now() >= self.until {
                impact.najmanje = true;
                return self.unchecked(tx, results, chunk[0]).await;
            }
            let (stale, right) = self.stale_of(&mut *tx, results, chunk).await?;
            impact.rezultata += i64::try_from(stale.len()).unwrap_or(i64::MAX);
            // A result that is right again loses its mark even where nothing needs to be confirmed.
            let new: &[(i64, i64)] = if self.marks { &stale } else { &[] };
            mark(&mut *tx, new, &right).await?;
        }
        Ok(())
    }

    /// Which results of these entries differ from what the form gives now, and which do not. A formula that asks for today gets the day
    /// of the save, on which the stored result was computed.
    pub async fn stale_of(
        &self,
        tx: &mut PgConnection,
        results: &BTreeSet<i64>,
        entries: &[i64],
    ) -> Result<(Vec<(i64, i64)>, Vec<(i64, i64)>), FormError> {
        let rows = sqlx::query!(
            r#"select e.id, e.pacijent_id, e.ustanova_id, e.datum_unosa, e.vrednosti, coalesce(e.datum_izmene, e.datum_kreiranja) as "saved!",
                      array(select s.polje_id from stale_result s where s.unos_id = e.id and s.razlog <> 'jedinica') as "marked!: Vec<i64>"
                 from entry e where e.id = any ($1)"#,
            entries
        );
        let (mut stale, mut right) = (Vec::new(), Vec::new());
        let was_there = self.before.by_id();
        let asking = if self.after.asks_for_previous() { self.after } else { self.before };
        for row in rows.fetch_all(&mut *tx).await? {
            let stored = from_json(&row.vrednosti);
            let day = row.saved.to_jiff().to_zoned(time::zone()).date();
            let mut around =
                around(&mut *tx, asking, row.pacijent_id, row.ustanova_id, Some(row.datum_unosa.to_jiff()), Some(row.id), day).await?;
            around.others = other_forms::of_versions(&mut *tx, (self.after, self.before), row.pacijent_id, row.ustanova_id).await?;
            let (was, now) = (computed_by(self.before, &stored, &around), computed_by(self.after, &stored, &around));
            for field in results {
                let (kept, then, today) = (stored.get(field), was.get(field), now.get(field));
                let came_back = !was_there.contains_key(field);
                // A result that differs for another reason than this change is not this change's; what an entry does not have is no result.
                if alike(kept, today) {
                    right.push((row.id, *field));
                } else if (came_back && kept.is_some()) || (!came_back && !alike(then, today)) || row.marked.contains(field) {
                    stale.push((row.id, *field));
                }
            }
        }
        Ok((stale, right))
    }

    /// Those that nobody has looked at are marked too: better one mark too many than a wrong number without one.
    async fn unchecked(&self, tx: &mut PgConnection, results: &BTreeSet<i64>, from: i64) -> Result<(), FormError> {
        if self.marks {
            sqlx::query!(
                "insert into stale_result (unos_id, polje_id, razlog)
                 select e.id, f.id, 'neprovereno' from entry e cross join unnest($3::bigint[]) f (id) where e.tsa_id = $1 and e.id >= $2
                     on conflict (unos_id, polje_id) do nothing",
                self.after.id,
                from,
                &results.iter().copied().collect::<Vec<_>>()
            )
            .execute(tx)
            .await?;
        }
        Ok(())
    }
}

async fn mark(tx: &mut PgConnection, stale: &[(i64, i64)], right: &[(i64, i64)]) -> Result<(), FormError> {
    let (entries, fields): (Vec<i64>, Vec<i64>) = stale.iter().copied().unzip();
    sqlx::query!(
        "insert into stale_result (unos_id, polje_id, razlog) select u, p, 'formula' from unnest($1::bigint[], $2::bigint[]) s (u, p)
             on conflict (unos_id, polje_id) do update set razlog = 'formula'",
        &entries,
        &fields
    )
    .execute(&mut *tx)
    .await?;
    let (entries, fields): (Vec<i64>, Vec<i64>) = right.iter().copied().unzip();
    sqlx::query!(
        "delete from stale_result s using unnest($1::bigint[], $2::bigint[]) r (u, p)
          where s.unos_id = r.u and s.polje_id = r.p and s.razlog <> 'jedinica'",
        &entries,
        &fields
    )
    .execute(tx)
    .await?;
    Ok(())
}
