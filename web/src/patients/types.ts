// Records of the search, of patients and of their entries, as the API answers them.

export interface SearchSetup {
  id: number;
  naziv: string;
  opis: string | null;
  prikazTekucihUnosaKodPretrage: boolean;
  brojRezultataUPretrazi: number;
  odabirDatumaPregledaPreUnosa: boolean;
  kriterijumi: { ime: boolean; prezime: boolean; JMBG: boolean; LBO: boolean; godinaOd: boolean; godinaDo: boolean; pol: boolean };
  tipoviUnosa: EntryType[];
  polja: SearchField[];
}

export interface EntryType {
  id: number;
  naziv: string;
  mozeSeInstancirati: boolean;
  maxInstanci: number | null;
}

export interface SearchField {
  id: number;
  naziv: string;
  tipUnosaID: number;
  /** 1 choice, 2 number, 3 text, 4 set, 5 date. */
  tipVrednosti: number;
  jedinica: string | null;
  stavke: { id: number; naziv: string }[];
}

export interface SearchRow {
  pacijentID: number | null;
  imePrezime: string | null;
  jmbg: string | null;
  lbo: string | null;
  identifikacioniBroj: string | null;
  prviUnosID: number | null;
  prviUnos: string | null;
  /** As people read it: `05.03.2026.` */
  prviUnosDatum: string | null;
  poslednjiUnosID: number | null;
  poslednjiUnos: string | null;
  poslednjiUnosDatum: string | null;
  blurPodataka: boolean;
}

export interface SearchAnswer {
  unosi: SearchRow[];
  skraceno: boolean;
}

export interface PatientInput {
  ime: string | null;
  prezime: string | null;
  imeRoditelja: string | null;
  datumRodjenja: string | null;
  jmbg: string | null;
  lbo: string | null;
  /** True male, false female. */
  polTrenutni: boolean | null;
  polNaRodjenju: boolean | null;
  adresa: string | null;
  brojKartona: string | null;
  kontaktTelefon: string | null;
  email: string | null;
  mobilniTelefon: string | null;
  zanimanje: string | null;
  strucnaSprema: string | null;
  radnoMesto: string | null;
  medicinskaNapomena: string | null;
  administrativnaNapomena: string | null;
}

export interface Patient extends PatientInput {
  id: number;
  aktivan: boolean;
  verzija: number;
  vremeKreiranja: string;
  vremePoslednjeIzmene: string;
  pravoIzmene: boolean;
  pravoBrisanja: boolean;
}

export interface ArchivedPatient extends PatientInput {
  vremeKreiranja: string;
  vremePoslednjeIzmene: string;
  /** None: what holds now. */
  vremePrestankaVazenja: string | null;
  aktivan: boolean;
  radnik: string | null;
}

/** Which optional fields of a patient are shown. */
export interface PatientFlags {
  prikazPacijentImeRoditelja: boolean;
  prikazPacijentPrikazJednogPola: boolean;
  prikazPacijentRadnoMesto: boolean;
  prikazPacijentStrucnaSprema: boolean;
  prikazPacijentZanimanje: boolean;
  prikazPacijentAdministrativnaNapomena: boolean;
  prikazPacijentMedicinskaNapomena: boolean;
}

export interface Candidates {
  data: { pacijentID: number; imePrezime: string; datumRodjenja: string; jmbg: string; lbo: string; razlog: 'jmbg' | 'lbo' | 'ime' }[];
  uDrugimUstanovama: number;
}

export interface FormEntries {
  tsaID: number;
  naziv: string;
  mozeSeInstancirati: boolean;
  maxInstanci: number | null;
  unosi: { id: number; datumUnosa: string; ustanova: string; popunjeniRelevantni: boolean }[];
}

export interface EntryField {
  id: number;
  naziv: string;
  tvaNumVrednost: number;
  enumStavkeSve: { id: number; naziv: string }[];
  tipAtributa: { jedinica: string | null; decimaleBrojneVrednosti: number | null };
}

export interface LatestEntry {
  tsaID: number;
  unosNaziv: string;
  snimljenUnosID: number | null;
  datumUnosa: string | null;
  mozeSeInstancirati: boolean;
  autsi: EntryField[];
  vrednosti: Record<string, unknown>;
}

export interface View {
  radnik: string;
  ustanova: string | null;
  akcija: string;
  klasa: string;
  vremePristupa: string;
}

export interface EntryView {
  nazivUnosa: string;
  pacijent: string;
  pacijentID: number;
  odgovoranZaSadrzaj: string | null;
  datumKreiranja: string;
  radnikKreirao: string;
  radnikPoslednjiIzmenio: string | null;
  kreirano: string;
  vremePoslednjeIzmene: string | null;
  aktivan: boolean;
}

export interface ArchivedValue {
  vremePrestankaVazenja: string | null;
  nazivAtributa: string;
  nabrojivaVrednost: string | null;
  logickaVrednost: boolean | null;
  tekstVrednost: string | null;
  brojnaVrednost: number | null;
  datumskaVrednost: string | null;
  vremeKreiranja: string;
  vremePoslednjeIzmene: string | null;
  radnik: string | null;
}
