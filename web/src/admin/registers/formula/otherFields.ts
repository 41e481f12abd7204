// Fields of the register's other forms: a formula names them by their form's code, a dot and their own.
import { createContext, useMemo } from 'react';
import { at } from '../../../api/address';
import { useApi } from '../../../api/hooks';
import type { Nameable } from './completion';

const NONE: readonly Nameable[] = [];

/** What formulas of the form that is open may name beside its own fields. */
export const OtherFieldsContext = createContext<readonly Nameable[]>(NONE);

/** Those of the register of this form; null: none is open. A list that cannot be read offers nothing, and refuses nothing. */
export function useOtherFields(form: number | null): readonly Nameable[] {
  const { data } = useApi(form === null ? null : at('/api/forms/{id}/other-fields', { id: form }), { revalidateOnFocus: false });
  return useMemo(
    () =>
      data?.data.map(({ sifra, naziv, formular, tip }) => ({
        sifra,
        naziv: `${naziv} (${formular})`,
        ponavljaSe: false,
        tipVrednostiAtributaNumVrednost: tip,
      })) ?? NONE,
    [data],
  );
}
