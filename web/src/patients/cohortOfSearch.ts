// A search as a cohort, which an analysis takes, and what a cohort does not take of it.
import type { t } from '../messages';
import type { Schema } from '../schema';
import { asksForEntry, isEmptyRow, type SearchCriteria } from './criteria';
import { withoutIdentity } from './searchLink';
import type { SearchSetup } from './types';

/** What a search has and a cohort does not. */
export type LeftOut = keyof typeof t.patients.cohort.leftOut;
export interface CohortOfSearch {
  /** Without a form where the criteria name none. */
  izbor: Omit<Schema<'CohortChoice'>, 'tipUnosaID'> & { tipUnosaID: number | null };
  leftOut: LeftOut[];
}

/** Why no cohort can be made of the criteria. */
export type NoCohort = keyof typeof t.patients.cohort.refused;

const SEXES: Record<SearchCriteria['pol'], boolean | null> = { [-1]: null, 0: false, 1: true };

export function cohortOfSearch(criteria: SearchCriteria, setup: SearchSetup): CohortOfSearch | NoCohort {
  const { kept, isWhole } = withoutIdentity(criteria, setup);
  const rows = kept.redovi.filter((row) => !isEmptyRow({ ...row, key: '' }));
  const forms = new Set(rows.map(({ poljeID }) => setup.polja.find(({ id }) => id === poljeID)?.tipUnosaID));
  const frame = kept.unosUslova;
  if (frame) forms.add(frame.tipUnosaID);
  if (forms.size > 1) return 'formulari';
  const pick = frame?.izbor;
  // A cohort takes the first or the last of those that pass, and asks nothing more of it.
  if (pick && (rows.length > 0 || frame.od || frame.do || frame.svoj)) return 'izbor';
  // Criteria that different entries may meet together are no condition on one entry.
  if (criteria.opseg === 'biloKojiUnos' && rows.some(({ veza }, place) => place > 0 && veza === 'i')) return 'opseg';
  const [form] = forms;
  return {
    izbor: {
      registarID: setup.id,
      tipUnosaID: form ?? null,
      samoMojaUstanova: (pick ?? frame)?.svoj ?? false,
      datumOd: (pick ?? frame)?.od ?? null,
      datumDo: (pick ?? frame)?.do ?? null,
      unosi: pick?.koji ?? (criteria.opseg === 'najnovijiUnos' ? 'najnoviji' : 'poslednji'),
      pol: SEXES[criteria.pol],
      rodjenjeOd: criteria.godinaOd,
      rodjenjeDo: criteria.godinaDo,
      filteri: [...rows, ...(pick?.uslovi ?? [])].map(({ veza, poljeID, operator, vrednost }, place) => ({
        veza: place === 0 ? null : veza,
        tipUnosaID: null,
        poljeID,
        operator,
        vrednost: vrednost?.trim() ?? null,
      })),
    },
    leftOut: [
      ...(isWhole ? [] : (['identitet'] as const)),
      ...(criteria.status === null ? [] : (['status'] as const)),
      ...(asksForEntry(criteria) ? (['unosi'] as const) : []),
    ],
  };
}
