// Texts of the library of blocks, in the designer of forms.
const fieldsAre = (count: number) =>
  count % 10 === 1 && count % 100 !== 11 ? 'tip ili stavka je drugačija' : 'tipova ili stavki je drugačije';

export const blocks = {
  add: 'Dodaj blok…',
  title: 'Biblioteka blokova',
  search: 'Traži blok',
  none: 'Nema takvog bloka.',
  shipped: 'dolazi sa programom',
  own: 'blok ustanove',
  edition: (number: number) => `izdanje ${String(number)}`,
  source: 'Izvor',
  licence: 'Licenca',
  take: 'Dodaj u formular',
  takeOf: (name: string) => `Dodaj u formular: ${name}`,
  takeFailed: (name: string) => `Blok „${name}” nije učitan`,
  added: (name: string) => `Dodat je blok ${name}.`,
  bring: 'Uvezi blok iz fajla',
  kept: (name: string) => `Blok „${name}” je u biblioteci`,
  exportOf: (name: string) => `Izvezi blok: ${name}`,
  remove: 'Ukloni iz biblioteke',
  removeOf: (name: string) => `Ukloni iz biblioteke: ${name}`,
  removeQuestion: (name: string) => `Ukloniti blok „${name}” iz biblioteke? Formulari zadržavaju ono što su iz njega uzeli.`,
  removeFailed: 'Blok nije uklonjen',
  of: (name: string, edition: number) => `Iz bloka ${name}, izdanje ${String(edition)}`,
  newer: (edition: number) => `Preuzmi izdanje ${String(edition)}…`,
  updateTitle: (name: string, edition: number) => `${name}, izdanje ${String(edition)}`,
  updateHelp:
    'Menja se ono što kaže blok: nazivi, formule, primeri, granice i stavke. Ono što ste vi odlučili ostaje: šifre, obaveznost, pretraga, oznake i vaše napomene. Korak se može poništiti.',
  update: 'Preuzmi izdanje',
  nothing: 'Izdanje ne menja ništa u ovom formularu.',
  isNew: 'novo polje',
  types: (count: number) => `${String(count)} ${fieldsAre(count)}`,
};
