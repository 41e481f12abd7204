// A register of a test's own, made through the API: its form, fields, patients and entries. It stays, since it holds entries.
import { test } from '@playwright/test';
import { call, freshJmbg, logIn } from './support';

interface Row {
  id: number;
}

export interface FieldOf {
  sifra: string;
  naziv: string;
  tip: string;
  formula?: string;
}

export interface OwnRegister {
  id: number;
  naziv: string;
  form: number;
  /** Attribute types by the names that the test gave them, as they are called and by id. */
  types: Record<string, { id: number; naziv: string }>;
  /** Ids by code. */
  fields: Record<string, number>;
  doctor: { id: number; token: string };
  admin: string;
}

const NUMBER = 2;

/** `types`: what each kind of field adds to the record of a type; a number is meant where nothing else is said. */
export async function ownRegister(
  what: string,
  form: string,
  types: Record<string, object>,
  fields: readonly FieldOf[],
): Promise<OwnRegister> {
  const [{ token: admin }, doctor] = [await logIn('admin'), await logIn('lekar')];
  const make = async (path: string, body: object) => (await call<Row>('POST', path, { token: admin, body })).id;
  const stamp = Date.now().toString(36);
  const naziv = `Registar ${what} ${stamp}`;
  const register = await make('/api/registers', { naziv });
  const made: OwnRegister = {
    id: register,
    naziv,
    form: await make('/api/forms', { naziv: form, registar: register }),
    types: {},
    fields: {},
    doctor,
    admin,
  };
  for (const [tip, more] of Object.entries(types)) {
    const name = `${tip} ${what} ${stamp}`;
    made.types[tip] = { id: await make('/api/attribute-types', { naziv: name, tipVrednostiAtributa: NUMBER, ...more }), naziv: name };
  }
  const shown = { tipSkupaAtributa: made.form, opcioni: true, pretrazujeSe: true, prikazujeSe: true, ispisujeSeLabela: true };
  for (const [place, { sifra, naziv, tip, formula }] of fields.entries()) {
    const body = { ...shown, tipAtributa: made.types[tip]?.id, naziv, sifra, redosled: (place + 1) * 10, formulaZaRacunanje: formula };
    made.fields[sifra] = await make('/api/form-fields', body);
  }
  return made;
}

let patients = 0;

/** Patients of one test have a JMBG each, however fast they are made. */
export async function patientOf({ id, doctor: { token } }: OwnRegister, prezime: string, ime: string): Promise<number> {
  const lbo = `${String(Date.now()).slice(-9)}${String(++patients % 100).padStart(2, '0')}`;
  const body = { ime, prezime, datumRodjenja: '1961-05-14', lbo, polTrenutni: true, kontaktTelefon: '011/1234567', registarID: id };
  for (let tries = 0; ; tries += 1) {
    try {
      return (await call<Row>('POST', '/api/patients', { token, body: { ...body, jmbg: freshJmbg(), potvrde: ['slicanPacijent'] } })).id;
    } catch (error) {
      if (tries > 20 || !String(error).includes('JMBG')) throw error;
    }
  }
}

export const forget = ({ doctor: { token } }: OwnRegister, patient: number): Promise<void> =>
  call('PATCH', `/api/patients/${patient}`, { token, body: { aktivan: false } });

/** Before all tests of a file a register as `make` makes it and a patient in it, who is forgotten after them. */
export function withPatient(
  prezime: string,
  make: () => Promise<OwnRegister>,
  begin: (register: OwnRegister, patient: number) => Promise<void> | void,
): void {
  let leave = () => Promise.resolve();
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    const register = await make();
    const patient = await patientOf(register, prezime, 'Proba');
    leave = () => forget(register, patient);
    await begin(register, patient);
  });
  test.afterAll(() => leave());
}

/** An entry of these values, by code. */
export async function entryOf(
  { id, form, fields, doctor }: OwnRegister,
  patient: number,
  datumUnosa: string,
  values: Record<string, unknown>,
): Promise<number> {
  const vrednosti = Object.fromEntries(Object.entries(values).map(([code, value]) => [String(fields[code]), value]));
  const body = { tsaID: form, registarID: id, pacijentID: patient, vrednosti, datumUnosa, radnikOdgovoran: doctor.id };
  return (await call<{ snimljenUnosID: number }>('POST', '/api/entry-values', { token: doctor.token, body })).snimljenUnosID;
}
