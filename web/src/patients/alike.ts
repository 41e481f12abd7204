// Patients who may be the same person as the one of a record that is about to be saved: who they are, where the server asks about them.
import { api } from '../api/client';
import type { Schema } from '../schema';
import { confirmationsOf } from './answers';

/** What the server calls the question. */
export const ALIKE = 'slicanPacijent';

interface Resembled {
  ime: string | null;
  prezime: string | null;
  datumRodjenja: string | null;
}

/** None where the server has asked nothing of the kind, or does not say whom it means. `own`: the record itself, where it is there already. */
export async function alikeTo(
  error: unknown,
  { ime, prezime, datumRodjenja }: Resembled,
  own?: number,
): Promise<Schema<'Candidates'> | null> {
  if (!confirmationsOf(error).some(({ oznaka }) => oznaka === ALIKE)) return null;
  const names = { ime: ime ?? '', prezime: prezime ?? '', datumRodjenja, jmbg: '', lbo: '' };
  const found = await api.post('/api/patients/duplicates', names).catch(() => null);
  return found && { ...found, data: found.data.filter(({ pacijentID }) => pacijentID !== own) };
}
