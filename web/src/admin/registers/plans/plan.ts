// A visit of a plan while it is edited, and what a new one begins with.
import type { Reply } from '../../../schema';

export type PlanItem = Reply<'VisitPlanItem'>;
export type VisitPlan = Reply<'VisitPlan'>;

/** Counted in months after the last one, so that a row of visits is quickly made. */
export function nextItem(items: readonly PlanItem[]): PlanItem {
  const last = items.at(-1);
  const pomeraj = last ? last.pomeraj + (last.jedinica === 'mesec' ? 3 : 30) : 0;
  const codes = new Set(items.map(({ sifra }) => sifra));
  let turn = items.length + 1;
  while (codes.has(`P${turn}`)) turn += 1;
  return {
    sifra: `P${turn}`,
    naziv: '',
    sidro: 'ukljucenje',
    sidroPoljeID: null,
    pomeraj,
    jedinica: last?.jedinica ?? 'mesec',
    prozorPre: last?.prozorPre ?? 14,
    prozorPosle: last?.prozorPosle ?? 14,
    cekaDana: last?.cekaDana ?? 90,
    ponavljaMeseci: null,
    ponavljaDoMeseci: null,
    formulari: last?.formulari ?? [],
    uslov: null,
    uslovFormID: null,
  };
}

/** The place and the property that a fault of the server is about: `stavke.2.prozorPre`. */
export function placeOf(field: string): { place: number; property: string } | null {
  const [, place, property] = /^stavke\.(\d+)\.(\w+)$/.exec(field) ?? [];
  return place === undefined || property === undefined ? null : { place: Number(place), property };
}
