// A patient and a register's search as the server describes them, for tests.
import type { Schema } from '../schema';
import { emptyPatient } from '../patients/patientForm';
import type { SearchSetup } from '../patients/types';

export const savedPatient: Schema<'Patient'> = {
  ...emptyPatient,
  id: 7,
  ime: 'Ana',
  prezime: 'Anić',
  aktivan: true,
  verzija: 3,
  vremeKreiranja: '2026-03-05 14:30',
  vremePoslednjeIzmene: '2026-03-05 14:30',
  pravoIzmene: true,
  pravoBrisanja: true,
  pravoAnonimizacije: false,
  pravoStatusa: false,
  pravoSaglasnosti: false,
  smrt: null,
  registri: [],
};

export const searchSetup: SearchSetup = {
  id: 7,
  naziv: 'Kardiologija',
  opis: null,
  prikazTekucihUnosaKodPretrage: false,
  brojRezultataUPretrazi: 200,
  odabirDatumaPregledaPreUnosa: true,
  kriterijumi: { ime: true, prezime: true, JMBG: true, LBO: true, godinaOd: true, godinaDo: true, pol: true },
  tipoviUnosa: [{ id: 1, naziv: 'Pregled', mozeSeInstancirati: true, maxInstanci: null }],
  polja: [],
};
