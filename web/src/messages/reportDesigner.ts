// Texts of the designer of reports.
/** `1 red`, `3 reda`, `50 redova`. */
const rowsOf = (n: number) => {
  const few = n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14);
  return `${String(n)} ${n % 10 === 1 && n % 100 !== 11 ? 'red' : few ? 'reda' : 'redova'}`;
};

export const reportDesigner = {
  title: (report: string) => `Dizajner: ${report}`,
  open: 'Otvori dizajner',
  tab: 'Upit i šablon',
  tabHelp:
    'U dizajneru se izveštaj bira bez SQL-a, ili se pišu njegov upit i šablon, u verzijama. Izveštaj se pravi iz objavljene verzije, bez ponovnog postavljanja aplikacije.',
  reports: 'Ažuriranje izveštaja',
  parts: { upit: 'Upit (SQL)', sablon: 'Šablon' },
  leave: 'Tab uvlači red. Iz uređivača se izlazi sa Esc, pa Tab.',
  tabs: { check: 'Provera', trial: 'Proba', versions: 'Verzije', guide: 'Pomoć' },
  state: (open: number, live: number, hasFile: boolean) =>
    [
      open === 0 ? 'U uređivaču: fajl iz repozitorijuma (verzija 0)' : `U uređivaču: verzija ${String(open)}`,
      live === 0 ? (hasFile ? 'izveštaj se pravi iz fajla' : 'nijedna verzija nije objavljena') : `objavljena je verzija ${String(live)}`,
    ].join(', '),
  fresh: 'Izveštaj još nema nijednu verziju. Napišite upit i šablon, ili na tabu „Pomoć” prepišite početni.',
  unsaved: 'nesnimljeno',
  checkNow: 'Proveri',
  save: 'Snimi verziju',
  publish: 'Objavi',
  note: 'Napomena uz verziju',
  noteHelp: 'Šta je promenjeno, za one koji kasnije gledaju.',
  saved: (broj: number) => `Snimljena je verzija ${String(broj)}`,
  published: (broj: number) => (broj === 0 ? 'Izveštaj se ponovo pravi iz fajla' : `Objavljena je verzija ${String(broj)}`),
  saveFailed: 'Verzija nije snimljena',
  publishFailed: 'Verzija nije objavljena',
  checkFailed: 'Provera nije uspela',
  overwrite: 'Snimi kao novu verziju',
  conflict: 'Neko je snimio noviju verziju',
  replaceQuestion: 'Tekst u uređivaču nije snimljen kao verzija i biće zamenjen. Da li želite da ga zamenite?',
  replace: 'Zameni',
  notChecked: 'Pritisnite „Proveri” ili snimite verziju: upit planira server baze, a šablon se poredi sa kolonama upita.',
  stale: 'Tekst je menjan posle provere.',
  sound: 'Nema grešaka: verzija može da se objavi.',
  faults: (n: number) => `Greške (${String(n)})`,
  warnings: (n: number) => `Upozorenja (${String(n)})`,
  columns: 'Kolone upita',
  place: (part: 'upit' | 'sablon', line: number | null, column: number | null) =>
    [part === 'upit' ? 'Upit' : 'Šablon', line === null ? '' : `red ${String(line)}`, column === null ? '' : `kolona ${String(column)}`]
      .filter(Boolean)
      .join(', '),
  noVersions: 'Još nema snimljenih verzija.',
  version: (broj: number) => `Verzija ${String(broj)}`,
  fromFile: 'Verzija 0 (iz fajla)',
  live: 'objavljena',
  opened: 'u uređivaču',
  openVersion: 'Pogledaj',
  takeBack: 'Vrati ovu verziju',
  trialHelp: 'Proba snimi tekst kao verziju i pravi prvih 50 redova u sva tri formata, sa vašim pravima i ustanovom. Vidite je samo vi.',
  tryOut: 'Probaj',
  tryFailed: 'Proba nije pokrenuta',
  register: 'Registar',
  running: (broj: number) => `Proba verzije ${String(broj)} je u toku…`,
  succeeded: (broj: number, rows: number, cut: boolean) =>
    `Proba verzije ${String(broj)} je uspela: ${cut ? `prvih ${String(rows)} redova` : rowsOf(rows)}.`,
  failed: (broj: number) => `Proba verzije ${String(broj)} nije uspela.`,
  cancelled: (broj: number) => `Proba verzije ${String(broj)} je otkazana.`,
  starts: 'Početni izveštaji',
  copy: 'Prepiši',
  copyOf: (name: string) => `Prepiši početni izveštaj „${name}”`,
  search: 'Traži u pomoći',
  binds: 'Parametri u upitu',
  sessionBinds: [
    { name: ':radnikID', what: 'Radnik koji traži izveštaj' },
    { name: ':ustanovaID', what: 'Njegova ustanova' },
    { name: ':registarID', what: 'Registar izveštaja, ili onaj koji je izabran' },
  ],
  views: 'Pogledi',
  wholeView: 'Naziv pogleda',
  functions: 'Funkcije u upitu',
  types: 'Tipovi kolona koje izveštaj prikazuje',
  templateWords: 'Naredbe šablona',
  /** What the editor itself says. */
  phrases: { 'No diagnostics': 'Nema grešaka', Completions: 'Predlozi' },
};
