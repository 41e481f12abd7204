// Every Serbian text of the interface that is not a field's label. Texts given by the specification stand verbatim.

import { account } from './account';
import { admin } from './admin';
import { blocks } from './blocks';
import { board } from './board';
import { consents } from './consents';
import { dataExport } from './dataExport';
import { dataImport } from './dataImport';
import { entries } from './entries';
import { entryStates } from './entryStates';
import { exchange } from './exchange';
import { externalSignIn } from './externalSignIn';
import { files } from './files';
import { formDesigner } from './formDesigner';
import { formExamples } from './formExamples';
import { formulaHelp } from './formulaHelp';
import { guide } from './guide';
import { log, statistics } from './log';
import { looks } from './looks';
import { maintenance } from './maintenance';
import { merging } from './merging';
import { operations } from './operations';
import { patients } from './patients';
import { patientStatus } from './patientStatus';
import { plans } from './plans';
import { quality } from './quality';
import { questions } from './questions';
import { recomputation } from './recomputation';
import { registerForms } from './registerForms';
import { reportDesigner } from './reportDesigner';
import { reports } from './reports';
import { reportView } from './reportView';
import { simpleReport } from './simpleReport';
import { analyses } from './analyses';
import { methods } from './methods';
import { versions } from './versions';
import { wall } from './wall';

export { label, labels, type Label } from './labels';

export const t = {
  product: 'Regix',
  confirmPassword: {
    title: 'Potvrdite lozinkom',
    confirm: 'Potvrdi',
    missing: 'Niste uneli lozinku.',
    cancelled: 'Izmena nije snimljena jer nije potvrđena lozinkom.',
  },
  common: {
    save: 'Snimi',
    cancel: 'Odustani',
    close: 'Zatvori',
    yes: 'Da',
    no: 'Ne',
    none: '—',
    loading: 'Učitavanje…',
    older: 'Prikaži starije',
    archived: (before: string) => `Stariji zapisi su u arhivi: ovde su oni od ${before}`,
    retry: 'Pokušaj ponovo',
    open: 'Otvori',
    required: 'obavezno polje',
    datePattern: 'DD.MM.GGGG.',
    chooseDate: 'Izaberi datum',
    outOfYears: (from: number, to: number) => `nije između ${from}. i ${to}. godine`,
    wrongDate: 'Datum nije ispravan. Unesite ga kao DD.MM.GGGG.',
    wrongNumber: 'Broj nije ispravan. Unesite ga kao 12,5.',
    notNumber: (name: string) => `„${name}” nije ispravan broj. Unesite ga kao 12,5.`,
    ambiguousNumber: (name: string, typed: string, grouped: string, decimal: string) =>
      `„${name}”: „${typed}” može da znači ${grouped} ili ${decimal}. Izaberite jedno.`,
    twoReadings: (typed: string) => `„${typed}” može da znači dva broja. Izaberite jedan.`,
    readingKeys: (typed: string, grouped: string, decimal: string) =>
      `„${typed}” može da znači ${grouped} ili ${decimal}. Strelica nagore bira ${grouped}, strelica nadole ${decimal}.`,
    or: 'ili',
    wholeNumber: 'Unesite ceo broj.',
    mostDecimals: (most: number) => `Najviše decimala: ${String(most)}.`,
    leastNumber: (least: string) => `Najmanje ${least}.`,
    mostNumber: (most: string) => `Najviše ${most}.`,
    timePattern: 'ČČ:MM',
    wrongTime: 'Vreme nije ispravno. Unesite ga kao ČČ:MM.',
    choose: 'Izaberite',
    firstOnes: (shown: number, total: number) => `Prikazano je prvih ${String(shown)} od ${String(total)}. Suzite pretragu.`,
    noneFound: 'Ništa nije nađeno',
    choicesFailed: 'Izbor nije učitan. Pokušajte ponovo.',
    showList: 'Prikaži spisak',
    rowsPerPage: 'Redova po strani',
    monthAndYear: 'Mesec ili godina',
    search: 'Pretraži',
    clear: 'Očisti',
    reset: 'Poništi',
    empty: 'Nema podataka',
    confirmTitle: 'Potvrda',
    maximize: 'Prikaži preko celog ekrana',
    male: 'Muški',
    female: 'Ženski',
    guide: (page: string) => `Uputstvo: ${page}`,
    skipToContent: 'Pređi na sadržaj',
    breadcrumb: 'Putanja',
  },
  error: {
    title: 'Greška',
    network: 'Server nije dostupan. Proverite mrežu i pokušajte ponovo.',
    server: 'Došlo je do greške na serveru.',
    withCall: (message: string, call: string) => `${message} Ako se ponovi, javite administratoru oznaku poziva ${call}.`,
    screen: 'Došlo je do greške u prikazu stranice.',
    newVersion: 'Objavljena je nova verzija aplikacije. Osvežite stranicu.',
    refresh: 'Osveži stranicu',
    load: 'Podaci nisu učitani.',
    notFound: 'Nije pronađena stranica',
    notFoundHelp: 'Adresa je pogrešna ili je stranica uklonjena.',
    forbidden: 'Nemate pravo na ovu stranicu.',
    forbiddenHelp: 'Ako mislite da je to greška, obratite se administratoru.',
    patientsClosed: 'Vaša uloga ne otvara pacijente.',
    patientsClosedHelp: 'Prava administracije ne otvaraju pacijente. Ako treba da radite sa njima, obratite se onome ko dodeljuje uloge.',
    backToRegisters: 'Nazad na registre',
  },
  signIn: {
    title: 'Prijava',
    lead: 'Medicinski registri pacijenata',
    button: 'Prijavi se',
    showPassword: 'Prikaži lozinku',
    hidePassword: 'Sakrij lozinku',
    missingUsername: 'Niste uneli korisničko ime.',
    missingPassword: 'Niste uneli šifru.',
    wrong: 'Neispravno korisničko ime i/ili lozinka.',
    failed: 'Prijava nije uspela',
    again: 'Prijava je istekla',
    againLead: 'Unesite lozinku da biste nastavili. Ništa od unetog nije izgubljeno.',
    continue: 'Nastavi',
    auto: 'Prijava je u toku…',
  },
  menu: {
    label: 'Glavni meni',
    open: 'Otvori meni',
    registers: 'Registri',
    administration: 'Administracija',
    reports: 'Izveštaji',
    analyses: 'Analiza',
    people: 'Korisnici i prava',
    content: 'Registri i unosi',
    system: 'Sistem',
    roles: 'Uloga',
    institutions: 'Ustanove',
    workers: 'Radnici',
    adminRegisters: 'Registri',
    attributeTypes: 'Tipovi atributa',
    parameters: 'Parametri',
    log: 'Pregled loga',
    warnings: 'Upozorenja',
    statistics: 'Statistika unosa podataka',
    qualityRules: 'Pravila kvaliteta',
    dataExport: 'Izvoz podataka',
    dataImport: 'Uvoz podataka',
    merging: 'Spajanje pacijenata',
    transfers: 'Premeštanje pacijenata',
    periodLocks: 'Zaključavanje perioda',
    looks: 'Evidencija uvida',
    releases: 'Verzije',
    sponsors: 'Sponzori',
    maintenance: 'Održavanje',
    operations: 'Rad sistema',
    reportCategories: 'Kategorija izveštaja',
    reportTypes: 'Tipovi izveštaja',
    recipientGroups: 'Grupe primalaca',
    reportUpdate: 'Ažuriranje izveštaja',
    reportParameterTypes: 'Tipovi parametara',
    profile: 'Korisnički profil',
    signOut: 'Odjavi se',
  },
  shell: {
    institution: 'Ustanova',
    changeInstitution: 'Promeni ustanovu',
    institutionChanged: (name: string) => `Radite u ustanovi „${name}”.`,
    institutionFailed: 'Ustanova nije promenjena',
    unsavedSignOut:
      'Imate izmene koje nisu snimljene. Da li ste sigurni da želite da se odjavite? Započeti unosi će vas čekati kao nacrti.',
    unsavedSwitch: (name: string) =>
      `Imate izmene koje nisu snimljene. Ako pređete u ustanovu „${name}”, ova stranica se zatvara; započeti unosi će vas čekati kao nacrti kada se vratite.`,
    warning: 'Upozorenje',
    stopBlinking: 'Zaustavi treperenje',
    sponsors: 'Prijatelji projekta',
    themeFailed: 'Greška prilikom poništavanja podataka!',
    version: (mark: string) => `verzija ${mark}`,
  },
  registers: {
    mergesWaiting: (count: number) => `Predlozi spajanja koji čekaju: ${String(count)}`,
    transfersWaiting: (count: number) => `Ponuđeni pacijenti: ${String(count)}`,
    title: 'Registri',
    empty: 'Nema registara',
    emptyHelp: 'Kada administrator doda registar, pojaviće se ovde.',
    loadFailed: 'Registri nisu učitani',
    open: (name: string) => `Otvori registar „${name}”`,
    table: 'Lista registara',
    reports: 'Izveštaji registra',
    noReports: 'Za ovaj registar nema izveštaja.',
  },
  profile: {
    title: 'Korisnički profil',
    personal: 'Lični podaci',
    appearance: 'Izgled',
    saved: 'Podaci su snimljeni',
    failed: 'Podaci nisu snimljeni',
    missingIme: 'Niste uneli ime.',
    missingPrezime: 'Niste uneli prezime.',
    changePassword: 'Promeni lozinku',
    passwordChanged: 'Lozinka je promenjena',
    passwordChangedHelp: 'Prijave na drugim uređajima su prekinute.',
    passwordFailed: 'Greška prilikom promene lozinke',
    passwordHelp: 'Najmanje 10 znakova; bez čestih lozinki i svog imena.',
    missingOld: 'Niste uneli staru lozinku.',
    missingNew: 'Niste uneli novu lozinku.',
    missingConfirmation: 'Niste uneli potvrdu lozinke.',
    mismatch: 'Nova lozinka i potvrda lozinke nisu iste.',
    theme: 'Tema',
    darkTheme: 'tamna',
  },
  account,
  externalSignIn,
  admin,
  blocks,
  consents,
  dataExport,
  dataImport,
  quality,
  questions,
  recomputation,
  registerForms,
  entries,
  entryStates,
  exchange,
  files,
  formDesigner,
  formExamples,
  formulaHelp,
  guide,
  maintenance,
  merging,
  operations,
  patients,
  patientStatus,
  plans,
  reportDesigner,
  board,
  wall,
  reports,
  reportView,
  simpleReport,
  analyses,
  methods,
  versions,
  log,
  looks,
  statistics,
  table: {
    filter: (column: string) => `Filtriraj: ${column}`,
    noFilter: (column: string) => `Bez filtera: ${column}`,
    cut: (shown: number, total: number) => `Prikazano je prvih ${String(shown)} od ukupno ${String(total)} zapisa.`,
    any: 'Sve',
    loadedOnly: (rows: number) => `Redosled kolona važi za učitanih ${String(rows)} redova. Ima i starijih: učitajte ih ispod tabele.`,
    actions: 'Akcije',
    paging: '{first}–{last} od {totalRecords}',
  },
  crud: {
    tooLong: (most: number, over: number) => `Najviše ${String(most)} znakova: ${String(over)} previše.`,
    create: 'Dodaj',
    update: 'Izmeni',
    read: 'Detalji',
    remove: 'Obriši',
    createTitle: (what: string) => `${what}: dodavanje`,
    updateTitle: (what: string) => `${what}: izmena`,
    readTitle: (what: string) => `${what}: detalji`,
    removeTitle: (what: string) => `${what}: brisanje`,
    created: (name: string) => `Uspešno dodato: ${name}`,
    updated: (name: string) => `Uspešno izmenjeno: ${name}`,
    removed: (name: string) => `Uspešno obrisano: ${name}`,
    createFailed: 'Greška prilikom dodavanja',
    updateFailed: 'Greška prilikom izmene',
    removeFailed: 'Greška prilikom brisanja',
    impactTitle: 'Uticaj na snimljene podatke',
    impactAccept: 'Ipak izmeni',
    impactHelp: 'Ti rezultati ostaju kakvi jesu i biće označeni dok se unos ponovo ne snimi.',
    impactForms: 'Po formularima:',
    impactForm: (register: string, form: string, entries: number, results: number) =>
      `${register}, ${form}: unosa ${String(entries)}, rezultata koji se razlikuju ${String(results)}`,
    endingTitle: 'Zakazana generisanja',
    endingAccept: 'Ipak završi',
    bin: 'Obrisano',
    backToList: 'Nazad na listu',
    deletedOf: (title: string) => `${title}: obrisano`,
    deletedBy: 'Obrisao',
    deletedAt: 'Vreme brisanja',
    restore: 'Vrati',
    restored: (name: string) => `Uspešno vraćeno: ${name}`,
    restoreFailed: 'Greška prilikom vraćanja',
    selectFirst: 'Prvo izaberite red u tabeli.',
    /** The answer to a save that came too late. */
    changedMeanwhile: (who: string | null, when: string) =>
      `Podatak je u međuvremenu izmenjen (${who ? `${who}, ` : ''}${when}). Novo stanje je učitano, a ono što ste vi uneli je ostalo: pogledajte obeležena polja i snimite ponovo.`,
    fieldMeanwhile: (before: string | null, now: string | null, kept: boolean) => {
      const change = before !== null && now !== null ? `: bilo je ${before}, a sada je ${now}` : '';
      return `U međuvremenu izmenjeno${change}.${kept ? ' Vaš unos je ostao u polju.' : ''}`;
    },
    discardQuestion: 'Uneti podaci nisu snimljeni. Da li želite da ih odbacite?',
    discard: 'Odbaci',
    otherTabQuestion: 'Izmene na drugom tabu nisu snimljene. Da li želite da ih odbacite?',
    removeQuestion: (name: string) => `Da li ste sigurni da želite da obrišete „${name}”?`,
  },
  image: {
    choose: 'Izaberi sliku',
    replace: 'Zameni sliku',
    remove: 'Ukloni sliku',
    help: 'JPG, PNG, GIF ili WEBP, najviše 1.000.000 bajtova.',
    kind: 'Dozvoljene su samo slike.',
    size: 'Slika je veća od 1.000.000 bajtova.',
    unread: 'Fajl nije pročitan. Izaberite ga ponovo.',
  },
  transfer: {
    available: 'Dostupno',
    chosen: 'Dodeljeno',
    shownOf: (shown: number, total: number) => `prikazano ${String(shown)} od ${String(total)}`,
    add: 'Dodaj izabrano',
    addAll: 'Dodaj sve',
    remove: 'Vrati izabrano',
    removeAll: 'Vrati sve',
    filter: 'Filtriraj listu',
    empty: 'Lista je prazna',
    failed: 'Promena nije snimljena',
  },
} as const;
