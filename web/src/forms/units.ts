// Other units in which a number may be typed. What is stored is in the field's own unit, as `domain/src/register/other_unit.rs` computes it
// too; `domain/unit-cases.json` holds both to one answer.
import { add, halfAway } from './formula/round';

export interface OtherUnit {
  jedinica: string;
  cinilac: number;
  pomeraj: number;
}

/** A number as it was typed, in a unit that is not the field's own. */
export interface TypedIn {
  broj: number;
  jedinica: string;
}

/** Of a section, what was typed of its cells in other units: by row, by column. */
export type TypedRows = Readonly<Record<string, Readonly<Record<string, TypedIn>>>>;
/** By field: what was typed in other units than the fields' own. */
export type TypedAll = Readonly<Record<string, TypedIn | TypedRows>>;

/** What of a number's type units ask. */
export interface Units {
  jedinica?: string | null | undefined;
  drugeJedinice?: readonly OtherUnit[] | undefined;
  decimaleBrojneVrednosti?: number | null | undefined;
}

/** Decimals of a converted number whose type asks for no fewer. */
const PLACES = 6;

export const inOwn = ({ cinilac, pomeraj }: OtherUnit, typed: number, decimals: number | null | undefined): number =>
  halfAway(add(typed * cinilac, pomeraj), decimals ?? PLACES);

const sameName = (one: string, other: string): boolean => one.trim() === other.trim();

/** In the own unit; null where the type has no such unit. */
export function converted({ drugeJedinice = [], decimaleBrojneVrednosti }: Units, { broj, jedinica }: TypedIn): number | null {
  const unit = drugeJedinice.find((one) => sameName(one.jedinica, jedinica));
  return unit ? inOwn(unit, broj, decimaleBrojneVrednosti) : null;
}

/** What may have been meant by a number that is outside, and would be inside in another unit. */
export function meantBy(units: Units, number: number, isInside: (own: number) => boolean): (TypedIn & { own: number }) | null {
  for (const { jedinica, ...unit } of units.drugeJedinice ?? []) {
    const own = inOwn({ jedinica, ...unit }, number, units.decimaleBrojneVrednosti);
    if (isInside(own)) return { broj: number, jedinica, own };
  }
  return null;
}
