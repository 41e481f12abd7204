// A DAS28 visit to write in: an entry of the demo's rheumatology, made for one test.
import type { Page } from '@playwright/test';
import { call, logIn, registerOf } from './support';

export interface Visited {
  id: number;
  pacijentID: number;
}

export interface Display {
  pravoIzmene: boolean;
  tsa: { id: number; verzija: number; datumUnosa: string; radnikOdgovoran: number };
  registar: { id: number };
  pacijent: { id: number; ime: string; prezime: string };
  vrednosti: Record<string, unknown>;
  autsiArray: { id: number; sifra: string | null }[];
  radniciOdgovorni: { id: number; imePrezime: string; dostupan: boolean }[];
}

/** Every relevant item filled, so that no question about them comes up. */
const FILLED: Record<string, number> = { tjc28Uneto: 9, sjc28Uneto: 6, se: 30, crp: 12, gh: 50, ptga: 5, phga: 4 };

/** A patient has one visit a day: the first day after this one on which there is none yet. */
async function onAFreeDay<T>(after: string, save: (day: string) => Promise<T>): Promise<T> {
  for (let days = 1; ; days += 1) {
    const day = new Date(Date.parse(after) + days * 86_400_000).toISOString().slice(0, 10);
    try {
      return await save(day);
    } catch (error) {
      if (!String(error).includes('Za taj dan već postoji') || days > 300) throw error;
    }
  }
}

/** A visit of the demo that the doctor may change. */
export async function demoVisit(token: string): Promise<{ id: number; display: Display }> {
  const body = { registarID: await registerOf('reumatologija', token), brojRezultatePretrage: 1000 };
  const { unosi } = await call<{ unosi: { prviUnosID: number | null; prviUnos: string }[] }>('POST', '/api/search', { token, body });
  for (const { prviUnosID, prviUnos } of unosi) {
    if (prviUnosID === null || prviUnos !== 'Pregled') continue;
    const display = await call<Display>('GET', `/api/entry-display?haID=${prviUnosID}`, { token });
    if (display.pravoIzmene) return { id: prviUnosID, display };
  }
  throw new Error('no demo visit that the doctor may change');
}

/** A visit of a demo patient of the doctor's own institution; made for each test, so that none meets another's. */
export async function newVisit(): Promise<Visited> {
  const { token } = await logIn('lekar');
  const { tsa, registar, pacijent, autsiArray, vrednosti: shown } = (await demoVisit(token)).display;
  const vrednosti = { ...shown };
  for (const { id, sifra } of autsiArray) {
    const value = FILLED[sifra ?? ''];
    if (value !== undefined) vrednosti[id] = value;
  }
  const body = { tsaID: tsa.id, registarID: registar.id, pacijentID: pacijent.id, vrednosti, radnikOdgovoran: tsa.radnikOdgovoran };
  const made = await onAFreeDay(tsa.datumUnosa, (datumUnosa) =>
    call<{ snimljenUnosID: number }>('POST', '/api/entry-values', { token, body: { ...body, datumUnosa } }),
  );
  return { id: made.snimljenUnosID, pacijentID: pacijent.id };
}

/** What stands behind a count that no joint on the picture makes. */
const TYPED: Record<string, string> = { tjc28: 'tjc28Uneto', sjc28: 'sjc28Uneto' };

/** Another doctor's save: fields by code, and the header. */
export async function saveElsewhere(
  { id, pacijentID }: Visited,
  fields: Record<string, number>,
  head: { datumUnosa?: string; radnikOdgovoran?: number } = {},
): Promise<void> {
  const { token } = await logIn('lekar');
  const { tsa, registar, vrednosti, autsiArray } = await call<Display>('GET', `/api/entry-display?haID=${id}`, { token });
  const changed = { ...vrednosti };
  for (const [code, value] of Object.entries(fields))
    changed[autsiArray.find(({ sifra }) => sifra === (TYPED[code] ?? code))?.id ?? 0] = value;
  const { verzija, datumUnosa, radnikOdgovoran } = tsa;
  await call('POST', '/api/entry-values', {
    token,
    body: {
      unosID: id,
      tsaID: tsa.id,
      registarID: registar.id,
      pacijentID,
      vrednosti: changed,
      osnova: vrednosti,
      verzija,
      datumUnosa,
      radnikOdgovoran,
      ...head,
    },
  });
}

/** What is saved, fields by code. */
export async function saved({
  id,
}: Visited): Promise<{ verzija: number; datumUnosa: string; radnikOdgovoran: number; fields: Record<string, unknown> }> {
  const { token } = await logIn('lekar');
  const { tsa, vrednosti, autsiArray } = await call<Display>('GET', `/api/entry-display?haID=${id}`, { token });
  const fields = Object.fromEntries(autsiArray.map(({ id, sifra }) => [sifra ?? '', vrednosti[id]]));
  return { verzija: tsa.verzija, datumUnosa: tsa.datumUnosa, radnikOdgovoran: tsa.radnikOdgovoran, fields };
}

export async function remove({ id }: Visited): Promise<void> {
  const { token } = await logIn('lekar');
  await call('POST', '/api/delete-entry', { token, body: { id } }).catch(() => undefined);
}

export const joints = (page: Page) => page.getByLabel('Broj bolnih zglobova (TJC28)', { exact: false });
export const swollen = (page: Page) => page.getByLabel('Broj otečenih zglobova (SJC28)', { exact: false });
