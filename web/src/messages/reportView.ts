// Texts of a report that is read on the screen.

const counted = (n: number, one: string, few: string, many: string) => {
  const [tens, ones] = [n % 100, n % 10];
  return tens > 10 && tens < 15 ? many : ones === 1 ? one : ones > 1 && ones < 5 ? few : many;
};

export const reportView = {
  title: 'Izveštaj na ekranu',
  toReports: 'Na izveštaje',
  failed: 'Izveštaj nije učitan',
  parameters: 'Parametri izveštaja',
  show: 'Prikaži',
  making: 'Izveštaj se pravi. Čim ima redova, prvi će biti ovde.',
  more: 'Ovo su prvi redovi. Ostali se još prave.',
  notMade: 'Izveštaj nije napravljen.',
  notOnScreen: 'Ovaj izveštaj nije napravljen za ekran',
  notOnScreenHelp: 'Preuzmite njegove fajlove, ili ga prikažite iznova.',
  table: 'Tabela izveštaja',
  tableOf: (name: string) => `Tabela: ${name}`,
  noRows: 'Nema redova za ove uslove.',
  rows: (n: number, shown: string) => `Ukupno ${shown} ${counted(n, 'red', 'reda', 'redova')}, sa zaglavljima grupa i zbirovima.`,
  foldAll: 'Sklopi sve grupe',
  unfoldAll: 'Otvori sve grupe',
  tooManyGroups: 'Grupa ima previše da bi se sklapale. Suzite uslove izveštaja.',
  emphasised: 'istaknuto:',
  linesFailed: 'Redovi nisu učitani',
  textCut: 'Prikazan je početak dokumenta. Ceo je u PDF fajlu.',
  chartFailed: 'Grafikon nije učitan',
  series: 'Serije grafikona: pritiskom se isključuju i uključuju',
  toSearch: 'Otvori u pretrazi koga ovaj broj broji',
  openSearch: 'Otvori u pretrazi',
  searchNotes: {
    leads: 'Klik na vrednost, ili taster Enter, otvara pretragu sa istim uslovima.',
    ofEntries: 'Broj unosa nije broj pacijenata: pretraga prikazuje pacijente, svakog jednom.',
    ofAll:
      'Ovde su prebrojani pacijenti svih ustanova, a male grupe su izostavljene; pretraga prikazuje pacijente vaše ustanove, pa ih može biti manje ili više.',
  },
  values: 'Vrednosti grafikona',
  valuesHelp: 'Pokažite mesto na grafikonu, ili se krećite strelicama.',
  valueTable: 'Tabela vrednosti',
  picture: 'Grafikon',
  svg: 'Slika SVG',
  png: 'Slika PNG',
  pictureFailed: 'Slika nije preuzeta',
  valueTableCut: 'Tabela ima samo deo vrednosti. Sve su u XLSX i CSV fajlu.',
  print: 'Štampaj PDF',
  share: 'Kopiraj vezu',
  shared: 'Veza je kopirana',
  sharedHelp: 'Ko je otvori, dobija isti izveštaj po svojim pravima, za svoju ustanovu.',
  sharedRunHelp: 'Otvara je ko je izveštaj tražio i kome je poslat.',
  shareFailed: 'Veza nije kopirana',
  help: 'Pomoć o izveštaju na ekranu',
  helpLines: [
    'Izveštaj na ekranu je isti onaj koji je u PDF, XLSX i CSV fajlu: napravljen je jednom, od istih redova, po istim pravima.',
    'Grupe se sklapaju i otvaraju pritiskom na njihovo zaglavlje. Zbir ostaje vidljiv.',
    'Dugačka tabela se pomera u svom okviru. Tastaturom: uđite u okvir tasterom Tab, pa se krećite strelicama i tasterima Page Up i Page Down.',
    'Vrednost na grafikonu se čita pokazivačem, ili klizačem ispod grafikona, strelicama. Serija se isključuje pritiskom na njeno ime. Sve vrednosti su i u tabeli vrednosti.',
    'Parametri se menjaju iznad izveštaja: „Prikaži” pravi novi izveštaj, a stari ostaje među generisanim.',
    'Veza vodi kolegu do istog izveštaja po njegovim pravima: on vidi podatke svoje ustanove.',
    'Ctrl+P štampa PDF, a ne ovu stranicu.',
    'Prvi redovi dolaze dok se ostali prave samo ako izveštaj ne imenuje pacijente. Izveštaj koji ih imenuje vidi se kada je ceo, jer se pre toga upisuje u evidenciju uvida.',
  ],
} as const;
