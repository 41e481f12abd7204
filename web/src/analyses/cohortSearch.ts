// A cohort as a search, and what a search does not take of it.
import { ValueType } from '../forms/valueType';
import type { t } from '../messages';
import { emptyForm, emptyRow, type CriterionRow, type Operator, type SearchCriteria } from '../patients/criteria';
import type { SearchSetup } from '../patients/types';
import type { Cohort } from './model';

/** What a cohort has and a search does not. */
export type Unlike = keyof typeof t.analyses.cohort.unlike;

const TEXTS: readonly number[] = [ValueType.Text, ValueType.File];

export function searchOfCohort({ izbor, zamrznuta }: Cohort, setup: SearchSetup): { criteria: SearchCriteria; unlike: Unlike[] } {
  const kindOf = (id: number | null) => setup.polja.find((field) => field.id === id)?.tipVrednosti ?? ValueType.Text;
  const isText = ({ poljeID }: { poljeID: number | null }) => TEXTS.includes(kindOf(poljeID));
  const redovi = izbor.filteri
    .filter((row) => !isText(row))
    .map(({ veza, poljeID, operator, vrednost }): CriterionRow => ({
      ...emptyRow(),
      veza: veza === 'ili' ? 'ili' : 'i',
      tipUnosaID: izbor.tipUnosaID,
      poljeID,
      operator: operator as Operator | null,
      vrednost: vrednost ?? '',
    }));
  const empty = emptyForm(setup);
  const criteria: SearchCriteria = {
    ...empty,
    godinaOd: izbor.rodjenjeOd,
    godinaDo: izbor.rodjenjeDo,
    pol: izbor.pol === null ? -1 : izbor.pol ? 1 : 0,
    opseg: izbor.unosi === 'najnoviji' ? 'najnovijiUnos' : 'istiUnos',
    redovi: redovi.length > 0 ? redovi : empty.redovi,
  };
  const has: Record<Unlike, boolean> = {
    datum: izbor.datumOd !== null || izbor.datumDo !== null,
    starost: izbor.starostOd !== null || izbor.starostDo !== null,
    ustanova: izbor.samoMojaUstanova,
    stanja: izbor.stanja !== 'svi',
    tekst: izbor.filteri.some(isText),
    zamrznuta: zamrznuta !== null,
  };
  return { criteria, unlike: (Object.keys(has) as Unlike[]).filter((part) => has[part]) };
}
