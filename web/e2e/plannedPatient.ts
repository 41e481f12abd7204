// A patient of the demo's rheumatology with a plan of visits, and her examinations as the doctor would save them.
import { call, freshJmbg, logIn, registerOf } from './support';

export interface PlannedPatient {
  id: number;
  jmbg: string;
  register: number;
  token: string;
  /** Ids of the register's forms by their names. */
  forms: Record<string, number>;
}

/** Values of the form „Pregled” by the codes of its fields. */
export type Examined = Record<string, number>;

export const BEGINNING: Examined = { tjc28Uneto: 9, sjc28Uneto: 6, se: 30, crp: 12, gh: 50, ptga: 5, phga: 4 };

interface Shown {
  vrednosti: Record<string, unknown>;
  autsiArray: { id: number; sifra: string | null }[];
  radniciOdgovorni: { id: number; dostupan: boolean }[];
}

export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Registers her as the demo's `lekar`, or as another worker. */
export async function plannedPatient(prezime: string, ime: string, by = 'lekar'): Promise<PlannedPatient> {
  const { token } = await logIn(by);
  const register = await registerOf('reumatologija', token);
  const path = `/api/registers/${String(register)}/search-setup`;
  const { tipoviUnosa } = await call<{ tipoviUnosa: { id: number; naziv: string }[] }>('GET', path, { token });
  const jmbg = freshJmbg();
  const record = { ime, prezime, datumRodjenja: '1961-05-14', jmbg, lbo: jmbg.slice(2), polTrenutni: true, kontaktTelefon: '011/1234567' };
  const body = { ...record, registarID: register, potvrde: ['slicanPacijent', 'jmbgNeslaganje'] };
  const { id } = await call<{ id: number }>('POST', '/api/patients', { token, body });
  return { id, jmbg, register, token, forms: Object.fromEntries(tipoviUnosa.map(({ id, naziv }) => [naziv, id])) };
}

export const forgetPlanned = ({ id, token }: PlannedPatient): Promise<void> =>
  call('PATCH', `/api/patients/${String(id)}`, { token, body: { aktivan: false } });

/** Saves a form of that day. */
export async function examine(patient: PlannedPatient, form: string, datumUnosa: string, said: Examined = {}): Promise<void> {
  const { id: pacijentID, token, register: registarID } = patient;
  const tsaID = patient.forms[form] ?? 0;
  const path = `/api/entry-display?tsaID=${String(tsaID)}&pacijentID=${String(pacijentID)}&datumUnosa=${datumUnosa}`;
  const { vrednosti, autsiArray, radniciOdgovorni } = await call<Shown>('GET', path, { token });
  for (const { id, sifra } of autsiArray) if (said[sifra ?? ''] !== undefined) vrednosti[id] = said[sifra ?? ''];
  const radnikOdgovoran = radniciOdgovorni.find(({ dostupan }) => dostupan)?.id;
  const body = { tsaID, registarID, pacijentID, vrednosti, radnikOdgovoran, datumUnosa };
  await call('POST', '/api/entry-values', { token, body });
}
