// Texts of the examples that are kept with a formula.
import { ended } from '../format';

export const formExamples = {
  title: 'Primeri',
  help: 'Uz formulu stoje ulazi i očekivani rezultat, na primer iz rada koji je opisuje. Formular se ne objavljuje dok se svaki primer ne slaže. Poredi se vrednost kakva se čuva: broj na dve decimale. Ne unosite podatke pacijenata.',
  take: 'Preuzmi iz izgleda',
  nothingToTake: 'Izgled još nije spreman. Pokušajte ponovo.',
  add: 'Dodaj primer',
  numbered: (number: number) => `Primer ${String(number)}`,
  remove: (name: string) => `Ukloni: ${name}`,
  name: 'Naziv (izvor)',
  calculated: (naziv: string) => `${naziv} (računa se, ako se ne navede)`,
  unread: (code: string) => `Formula ne čita „${code}”.`,
  forget: (code: string) => `Ukloni ulaz ${code}`,
  row: (section: string, number: number) => `${section}, ${String(number)}. red primera`,
  addRow: 'Dodaj red',
  removeRow: (number: number) => `Ukloni ${String(number)}. red primera`,
  before: 'Prethodni unos',
  expected: 'Očekivani rezultat',
  blank: 'prazno',
  right: (value: string) => `Slaže se: ${value}`,
  wrong: (expected: string, actual: string, apart: string | null) =>
    ended(`Očekuje se ${expected}, a formula daje ${actual}${apart === null ? '' : ` (razlika ${apart})`}`),
  circumstances: {
    danas: 'Današnji dan',
    datumPregleda: 'Datum pregleda',
    datumRodjenja: 'Datum rođenja',
    prethodniDatum: 'Datum prethodnog unosa',
    pol: 'Pol',
    polNaRodjenju: 'Pol na rođenju',
  },
  kept: (count: number) => `Uz formulu stoje primeri (${String(count)}); menjaju se u nacrtu formulara, a i ovde se proveravaju.`,
  removeAll: 'Ukloni primere',
} as const;
