// A report that fails until an institution of a name is there: faults that a test can make and mend.
import { call } from './support';

/** A report that cannot be computed while there is no institution of this name. */
export async function reportThatNeeds(institution: string, token: string): Promise<{ id: number; naziv: string }> {
  const naziv = `Pregled za ${institution}`;
  const types = await call<{ data: { id: number }[] }>('GET', '/api/report-types?aktivan=true', { token });
  const body = { naziv, numerickaVrednost: 96, jasperFajl: 'bez-fajla', tipID: types.data[0]?.id, prikazujeSe: true, obim: 'sve' };
  const { id } = await call<{ id: number }>('POST', '/api/reports', { token, body });
  const formats = await call<{ data: { id: number }[] }>('GET', '/api/report-formats', { token });
  for (const format of formats.data) await call('POST', '/api/report-format-links', { token, body: { izvestaj: id, format: format.id } });
  const upit = `select 1 / (select count(*) from ustanova where naziv = '${institution}') as deo`;
  const sablon = '{{#report}}{{col "deo" head="Deo"}}{{/report}}';
  const { broj } = await call<{ broj: number }>('POST', `/api/reports/${id}/definitions`, { token, body: { upit, sablon, osnova: 0 } });
  await call('POST', `/api/reports/${id}/definitions/${broj}/publish`, { token, body: { objavljena: 0 } });
  return { id, naziv };
}
