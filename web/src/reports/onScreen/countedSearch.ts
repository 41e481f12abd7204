// The address of the search that shows whom a number of a report counts.
import type { Reply } from '../../schema';
import { searchAddress } from '../../searchAddress';

/** All whom it finds: the number is what was clicked. */
const ALL = -1;
/** As the form of the search has a yes. */
const CHOSEN = '1';
const CHOICES: readonly string[] = ['izabrano', 'nijeIzabrano'];

export function countedPath({ registarID, pol, unos, uslovi }: Reply<'ScreenSearch'>): string {
  return searchAddress(registarID, {
    pol: pol === null ? -1 : Number(pol),
    unosUslova: unos,
    opseg: 'istiUnos',
    brojRezultata: ALL,
    redovi: uslovi.map(({ veza, poljeID, operator, vrednost }, place) => ({
      veza: place > 0 && veza === 'ili' ? 'ili' : 'i',
      tipUnosaID: unos.tipUnosaID,
      poljeID,
      operator,
      vrednost: vrednost ?? (CHOICES.includes(operator) ? CHOSEN : ''),
    })),
  });
}
