// Texts of the recomputation of stored results, at publishing and beside the versions of a form.
import type { Schema } from '../schema';

const plural = (count: number, [one, few, many]: readonly [string, string, string]) => {
  const [ones, tens] = [count % 10, count % 100];
  const word = ones === 1 && tens !== 11 ? one : ones >= 2 && ones <= 4 && (tens < 12 || tens > 14) ? few : many;
  return `${String(count)} ${word}`;
};
const entries = (count: number) => plural(count, ['unos', 'unosa', 'unosa']);

export const recomputation = {
  title: 'Preračunavanje snimljenih rezultata',
  choice: 'Snimljeni rezultati',
  choices: {
    leave: 'Ostavi snimljene rezultate (biće obeleženi)',
    recompute: 'Preračunaj snimljene rezultate',
  },
  recomputeHelp:
    'Posle objave se rezultati računaju po novoj verziji. Menjaju se samo rezultati: unos u kome bi se promenilo još nešto ostaje kakav jeste i navodi se sa razlogom. U istoriji unosa piše da je preračunato i ko je to tražio.',
  published: (broj: number) => `Objavljena je verzija ${String(broj)}. Preračunavanje je počelo.`,
  promised: (results: number, changed: number, taken: number, left: number) =>
    `Ako se preračuna: promenjenih rezultata ${String(results)}, u unosima: ${String(changed)}. Prevedeno na novu verziju bez promene rezultata: ${String(taken)}. Ostaje kakvo jeste: ${String(left)}.`,
  promisedResults: (count: number) => `Rezultati koje menja preračunavanje: ${String(count)}`,
  promisedLeft: (reason: string, count: number) => `Ostaje kakvo jeste, ${reason}: ${entries(count)}`,
  marked: (count: number) => `${plural(count, ['unos ima', 'unosa imaju', 'unosa ima'])} rezultate koje današnje formule daju drugačije.`,
  leftForGood:
    'Preračunavanje ih je ostavilo kakvi jesu, a od tada se ništa nije promenilo. Razlozi stoje ispod; unos se rešava ispravkom.',
  recompute: 'Preračunaj',
  question: (count: number) =>
    `Preračunati rezultate po današnjim formulama? Obeleženo: ${entries(count)}. Menjaju se samo rezultati; unosi u kojima bi se promenilo još nešto ostaju kakvi jesu.`,
  failed: 'Preračunavanje nije pokrenuto',
  loadFailed: 'Preračunavanja nisu učitana',
  cancel: 'Otkaži preračunavanje',
  cancelQuestion: 'Otkazati preračunavanje? Ono što je već preračunato tako i ostaje, a ostali rezultati ostaju obeleženi.',
  cancelFailed: 'Preračunavanje nije otkazano',
  cancelling: 'Otkazuje se…',
  progress: (done: number, all: number) => `Pregledano ${String(done)} od ${entries(all)}`,
  status: {
    queued: 'Čeka na obradu',
    running: 'U toku',
    done: 'Završeno',
    cancelled: 'Otkazano',
    superseded: 'Prekinuto jer je formular ponovo izmenjen',
    failed: 'Nije uspelo',
  } satisfies Readonly<Record<Schema<'RecomputationStatus'>, string>>,
  about: (version: number, who: string, when: string) => `verzija ${String(version)}, ${who}, ${when}`,
  counts: (changed: number, taken: number, left: number) =>
    `Promenjen rezultat: ${String(changed)}. Prevedeno na verziju bez promene rezultata: ${String(taken)}. Ostalo kakvo jeste: ${String(left)}.`,
  left: (count: number) => `Ostalo kakvo jeste: ${entries(count)}`,
  leftFailed: 'Spisak unosa nije učitan',
  notNamed: 'Unosi se navode po broju samo onima koji smeju da ih otvore.',
  moreLeft: (count: number) => `i još ${String(count)}, koje ne možete da otvorite ili ne staju u spisak`,
  signatures: {
    end: 'Okončaj potpise i preračunaj i potpisane unose',
    count: (count: number, ends: boolean) =>
      ends ? `Potpisi koji prestaju da važe: ${String(count)}` : `Potpisani unosi u kojima bi se nešto promenilo: ${String(count)}`,
    notAllowed: (count: number) =>
      `Potpisani unosi u kojima bi se nešto promenilo: ${String(count)}. Ostaju kakvi jesu: potpise okončava samo ko ima pravo „Zaključavanje unosa”.`,
    reason: 'Zašto potpisi prestaju da važe',
    reasonHelp: 'Piše u istoriji stanja svakog unosa, i na ekranu „Moj dan” onih čiji su potpisi. Zaključani unosi ostaju kakvi jesu.',
    reasonMissing: 'Napišite zašto potpisi prestaju da važe, od 3 do 500 znakova.',
    ended: (count: number, reason: string) => `Okončani potpisi: ${String(count)}. Razlog: ${reason}`,
  },
  reason: (reason: string, field: string | null) => (field ? `${reason}: ${field}` : reason),
  reasons: {
    bez_polja: 'nova verzija nema polje za snimljenu vrednost',
    tip: 'vrednost je u novoj verziji drugog tipa',
    racunanje: 'polje je u jednoj verziji uneto, a u drugoj izračunato',
    jedinica: 'vrednost je uneta u drugoj jedinici',
    stavka: 'izabrane stavke nema ili znači drugo',
    skriveno: 'nova verzija bi sakrila polje i obrisala vrednost',
    pravilo: 'vrednost ne zadovoljava novo pravilo (opseg, decimale ili obaveznost)',
    prethodni: 'prethodni unos, koji formula čita, ostao je kakav jeste',
    potpisan: 'unos je potpisan, a potpis bi prestao da važi',
    zakljucan: 'unos ili njegov period je zaključan',
  },
} as const;
