// Workers of a test's own, in the demo's first hospital, with the rights that the test names.
import { call, choosePassword, logIn, signIn, type Visit } from './support';

const GIVEN = 'tanjir-kiša-olovka';
/** The password of each of them. */
export const OWN = 'zeleni vagon peva';

export interface Person {
  id: number;
  username: string;
  prezime: string;
}

/** A worker with a role of these rights, who opens patients. `made`: what is deleted after the tests, the newest first. */
export async function person(token: string, made: string[], prezime: string, rights: readonly string[]): Promise<Person> {
  const username = `${prezime.toLowerCase()}${Date.now().toString(36)}`;
  const role = await call<{ id: number }>('POST', '/api/roles', {
    token,
    body: { ime: `Uloga ${username}`, pacijenti: 'izmena', mozeBitiOdgovoran: true },
  });
  made.unshift(`/api/roles/${role.id}`);
  const { data } = await call<{ data: { id: number; naziv: string }[] }>('GET', '/api/application-rights', { token });
  for (const naziv of rights) {
    const right = data.find((one) => one.naziv === naziv);
    if (!right) throw new Error(`there is no right ${naziv}`);
    await call('POST', '/api/role-rights', { token, body: { uloga: role.id, aplikativnoPravo: right.id } });
  }
  const { ustanovaID } = await logIn('lekar');
  const body = { username, password: GIVEN, ime: 'Proba', prezime, ustanovaID };
  const { id } = await call<{ id: number }>('POST', '/api/workers', { token, body });
  made.unshift(`/api/workers/${id}`);
  await choosePassword(username, GIVEN, OWN);
  await call('POST', '/api/worker-roles', { token, body: { radnik: id, uloga: role.id } });
  return { id, username, prezime };
}

export async function openAsPerson(visit: Visit, { username }: Person, path: string): Promise<string> {
  const worker = await logIn(username, OWN);
  await signIn(visit.context, worker);
  await visit.page.goto(path);
  return worker.token;
}
