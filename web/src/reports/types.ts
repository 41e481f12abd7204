// Records of the reports screen, as the API sends them.

export interface ReportLeaf {
  id: number;
  naziv: string;
  opis: string | null;
  registarID: number | null;
}

export interface ReportBranch {
  id: number;
  naziv: string;
  tipovi: { id: number; naziv: string; izvestaji: ReportLeaf[] }[];
}

/** The kinds of a parameter (A 2.12). Hidden ones are the server's. */
export const Kind = { Text: 1, Date: 2, Hidden: 3, Set: 4, Number: 5, DynamicHidden: 6 } as const;

export interface Parameter {
  id: number;
  naziv: string;
  requestNaziv: string;
  prikazniRedosled: number;
  opcioni: boolean;
  multiSelect: boolean;
  podrazumevano: string | null;
  tip: { id: number; naziv: string; sqlNumVrednost: number; link: string | null };
}

export interface ReportForm {
  izvestaj: { id: number; naziv: string; opis: string | null; prilogUMejlu: boolean };
  formati: { naziv: string; nazivKratki: string }[];
  parametri: Parameter[];
}

export interface Options {
  data: { value: string; label: string }[];
  total: number;
  skraceno?: boolean;
}

export interface Named {
  naziv: string;
  vrednost: string;
}

export type RunStatus =
  | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped_overlap' | 'skipped_unauthorised' | 'missed';

export interface Delivery {
  adresa: string;
  status: 'pending' | 'sending' | 'sent' | 'failed' | 'uncertain';
  poruka: string | null;
  vreme: string | null;
}

export interface Run {
  giID: string;
  izvestajID: number;
  naziv: string;
  parametri: Named[];
  vremeGenerisanja: string;
  status: RunStatus;
  faza: 'query' | 'render' | 'store' | null;
  redova: number | null;
  skraceno: boolean;
  greska: { kod: string; tekst: string } | null;
  formats: { nazivKratki: string; bytes: number }[];
  zakazivanjeID: number | null;
  pocetak: string | null;
  kraj: string | null;
  istice: string | null;
  isporuke: Delivery[];
  otkazivanje: boolean;
}

export interface Schedule {
  zakazivanjeID: number;
  izvestajID: number;
  naziv: string;
  emails: string[];
  formati: string[];
  ponavljanje: 0 | 1;
  vremeIzvrsavanjaJednostruko: string | null;
  vremeIzvrsavanjaVisetruko: string | null;
  vaziOd: string | null;
  vaziDo: string | null;
  period: 0 | 1 | 2 | null;
  danNedelja: number[];
  danMesec: number[];
  politikaDana: 'skip' | 'last_day';
  vremenskaZona: string;
  parametri: Record<string, string | string[]>;
  parametriOpis: Named[];
  sledeceIzvrsavanje: string | null;
  opis: string;
}

export interface CalendarAnswer {
  dogadjaji: {
    id: string;
    naziv: string;
    pocetak: string;
    kraj: string | null;
    vrsta: 'izvrsen' | 'zakazan';
    status: RunStatus | null;
    izvestajID: number;
    giID: string | null;
    zakazivanjeID: number | null;
  }[];
  skraceno: boolean;
}

export interface Preview {
  sledeca: string[];
  zona: string;
  upozorenje: string | null;
}
