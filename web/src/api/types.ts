// Records that the interface reads from the API and writes to it.

export interface Page<T> {
  data: T[];
  total: number;
}

/** What sign-in answers and the browser keeps. */
export interface SignedInWorker {
  id: number;
  token: string;
  username: string;
  imePrezime: string;
  ustanovaID: number | null;
  ustanovaNaziv: string | null;
  theme: string | null;
  prava: number[];
}

export interface Application {
  nazivAplikacije: string;
  autoPrijava: boolean;
  demo: boolean;
  verzija: string;
}

export interface Sponsor {
  id: number;
  name: string;
  code: string;
  displayOrder: number;
  description: string | null;
  websiteUrl: string | null;
  logo: string | null;
}

export interface Register {
  id: number;
  naziv: string;
  opis: string | null;
  sifra: string | null;
  logoPutanja: string | null;
}

export interface RegisterParameters {
  putanjaLogoaRegistara: string | null;
}

export interface Institution {
  id: number;
  naziv: string;
  sifra: string | null;
}

export interface Profile {
  id: number;
  username: string;
  ime: string;
  prezime: string;
  datumRodjenja: string | null;
  pol: boolean | null;
  adresa: string | null;
  email: string | null;
  telefon: string | null;
  theme: string | null;
}

export interface ReportCategory {
  id: number;
  naziv: string;
  tipovi: { id: number; naziv: string; izvestaji: { id: number; naziv: string; opis: string | null; registarID: number | null }[] }[];
}
