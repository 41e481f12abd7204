// What was typed in other units than the fields' own, beside the values that were made of it: kept for the draft, the save and the history.
import { converted, type TypedIn } from '../../forms/units';
import { rowsOf } from '../../forms/rows';
import type { Stored } from '../../forms/formula';
import { isSection, isTypedIn, type FormField, type TypedAll, type TypedRows, type Values } from './types';

type Typed = TypedIn | TypedRows;

const gives = (field: FormField, typed: TypedIn, value: Stored | undefined): boolean => converted(field.tipAtributa, typed) === value;

const isSame = (one: TypedIn | undefined, other: TypedIn | undefined): boolean =>
  one?.broj === other?.broj && one?.jedinica === other?.jedinica;

export class TypedUnits {
  private now = new Map<number, Typed>();
  private loaded = new Map<number, Typed>();

  constructor(private readonly byId: ReadonlyMap<number, FormField>) {}

  /** Says of which fields something else may be told now. */
  tell(loaded: TypedAll | undefined, now: TypedAll | undefined): ReadonlySet<number> {
    const before = [this.loaded, this.now];
    if (loaded) this.loaded = byNumber(loaded);
    this.now = byNumber(now ?? {});
    return new Set([...before, this.loaded, this.now].flatMap((typed) => [...typed.keys()]));
  }

  /** After a save, what was typed is what was loaded. */
  settle(): void {
    for (const [id, typed] of this.now) {
      const before = this.loaded.get(id);
      this.loaded.set(id, isTypedIn(typed) || !before || isTypedIn(before) ? typed : { ...before, ...typed });
    }
    this.now.clear();
  }

  /** Whether it is typed otherwise than before. */
  set(id: number, typed: TypedIn | undefined, isOther: boolean): boolean {
    const was = this.now.get(id);
    if (was !== undefined && !isTypedIn(was)) return false;
    if (typed === undefined && !isOther) return false;
    if (isSame(was, typed)) return false;
    if (typed) this.now.set(id, typed);
    else this.now.delete(id);
    return true;
  }

  setCell(section: number, row: number, column: number, typed: TypedIn | undefined): void {
    const was = this.now.get(section);
    const rows: TypedRows = was === undefined || isTypedIn(was) ? {} : was;
    const { [String(column)]: before, ...others } = rows[String(row)] ?? {};
    if (isSame(before, typed)) return;
    this.now.set(section, { ...rows, [String(row)]: typed ? { ...others, [String(column)]: typed } : others });
  }

  of(id: number): Typed | undefined {
    return this.now.get(id);
  }

  /** Of the value that was loaded, as long as it is there. */
  before(id: number, isThere: boolean): Typed | undefined {
    return isThere && !this.now.has(id) ? this.loaded.get(id) : undefined;
  }

  /** Those that give what is there; the rest was overtaken by another value. */
  standing(values: Values): TypedAll {
    const all: [string, Typed][] = [];
    for (const [id, typed] of this.now) {
      const field = this.byId.get(id);
      const value = values[String(id)];
      if (!field) continue;
      if (isTypedIn(typed)) {
        if (gives(field, typed, value)) all.push([String(id), typed]);
      } else if (isSection(field)) {
        const rows = standingRows(field, typed, value);
        if (Object.keys(rows).length > 0) all.push([String(id), rows]);
      }
    }
    return Object.fromEntries(all);
  }
}

const byNumber = (all: TypedAll): Map<number, Typed> => new Map(Object.entries(all).map(([id, typed]) => [Number(id), typed]));

function standingRows({ kolone = [] }: FormField, typed: TypedRows, value: Stored | undefined): TypedRows {
  const rows = rowsOf(value).flatMap(({ id, v }) => {
    const cells = Object.entries(typed[String(id)] ?? {}).filter(([column, cell]) => {
      const field = kolone.find((one) => String(one.id) === column);
      return field !== undefined && gives(field, cell, v[column]);
    });
    return cells.length > 0 ? [[String(id), Object.fromEntries(cells)] as const] : [];
  });
  return Object.fromEntries(rows);
}
