// The criteria of a search in a link: after `#`, so that no server and no log on the way is sent them, and without what tells who is looked
// for (names, JMBG, LBO, and texts, which may hold either).
import { ValueType } from '../forms/valueType';
import { criteriaIn, searchAddress, searchHash } from '../searchAddress';
import { emptyForm, emptyRow, type CriterionRow, type SearchCriteria } from './criteria';
import type { SearchSetup } from './types';

type KeptFixed = Pick<
  SearchCriteria,
  'godinaOd' | 'godinaDo' | 'pol' | 'status' | 'stanjeUnosa' | 'otvoreno' | 'unosOd' | 'unosDo' | 'unosUslova'
>;

export interface KeptCriteria extends KeptFixed {
  brojRezultata: number;
  opseg: SearchCriteria['opseg'];
  redovi: Omit<CriterionRow, 'key'>[];
}

const TEXTS: readonly number[] = [ValueType.Text, ValueType.File];

/** What may be kept, and whether that is all. */
export function withoutIdentity(criteria: SearchCriteria, setup: SearchSetup): { kept: KeptCriteria; isWhole: boolean } {
  const kindOf = (id: number | null) => setup.polja.find((field) => field.id === id)?.tipVrednosti;
  const named = criteria.redovi.filter(({ poljeID }) => poljeID !== null);
  const redovi = named.filter(({ poljeID }) => {
    const kind = kindOf(poljeID);
    return kind !== undefined && !TEXTS.includes(kind);
  });
  const { godinaOd, godinaDo, pol, status, stanjeUnosa, otvoreno, unosOd, unosDo, unosUslova, brojRezultata, opseg } = criteria;
  const { ime, prezime, jmbg, lbo } = criteria;
  return {
    kept: {
      godinaOd,
      godinaDo,
      pol,
      status,
      stanjeUnosa,
      otvoreno,
      unosOd,
      unosDo,
      unosUslova,
      brojRezultata,
      opseg,
      redovi: redovi.map(({ veza, tipUnosaID, poljeID, operator, vrednost }) => ({ veza, tipUnosaID, poljeID, operator, vrednost })),
    },
    isWhole: redovi.length === named.length && [ime, prezime, jmbg, lbo].every((typed) => typed.trim() === ''),
  };
}

/** Criteria as they were kept, for the form of today: what it does not know any more is left out. */
export function searchOf(kept: unknown, setup: SearchSetup): SearchCriteria {
  const own = (typeof kept === 'object' && kept !== null ? kept : {}) as Partial<KeptCriteria>;
  const known = new Set(setup.polja.map(({ id }) => id));
  const rows = (Array.isArray(own.redovi) ? own.redovi : []).filter(({ poljeID }) => poljeID !== null && known.has(poljeID));
  const {
    godinaOd = null,
    godinaDo = null,
    pol = -1,
    status = null,
    stanjeUnosa = null,
    otvoreno = null,
    unosOd = null,
    unosDo = null,
    unosUslova = null,
  } = own;
  const empty = emptyForm(setup);
  return {
    ...empty,
    godinaOd,
    godinaDo,
    pol,
    status,
    stanjeUnosa,
    otvoreno,
    unosOd,
    unosDo,
    unosUslova,
    brojRezultata: own.brojRezultata ?? empty.brojRezultata,
    opseg: own.opseg ?? empty.opseg,
    redovi: rows.length > 0 ? rows.map((row) => ({ ...emptyRow(), ...row })) : empty.redovi,
  };
}

/** What stands after the address of the search. */
export const hashOf = (criteria: SearchCriteria, setup: SearchSetup): string => searchHash(withoutIdentity(criteria, setup).kept);

/** The address of a register's search by some criteria, from where its form is not known. */
export const searchPath = (register: number, kept: Partial<KeptCriteria>): string => searchAddress(register, kept);

export const linkTo = (setup: SearchSetup, criteria: SearchCriteria): string =>
  `${window.location.origin}/registri/${setup.id}${hashOf(criteria, setup)}`;

/** The criteria that the address brought; none: it brought none, or what nobody can read. */
export function searchIn(hash: string, setup: SearchSetup): SearchCriteria | null {
  const brought = criteriaIn(hash);
  try {
    return brought && searchOf(brought.kept, setup);
  } catch {
    return null;
  }
}
