// Boxes to tick: a shown one without its tick says No, as the server stores it. A radio is blank until one of its answers is chosen, and
// the dots of a picture are until the picture is used.
import { ValueType } from '../../forms/valueType';
import { isCalculated, type FormField } from './types';

/** A choice that is drawn as one box, and that a person ticks. */
const isBox = (field: FormField): boolean =>
  field.tvaNumVrednost === ValueType.Choice && !isCalculated(field) && (field.imaCekBox || !field.radioButton);

/** Boxes that whoever fills the form sees: what waits behind the plus is not known to have been seen. */
export function tickBoxes(fields: readonly FormField[]): ReadonlySet<number> {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const isSeen = (field: FormField): boolean => {
    let at: FormField | undefined = field;
    for (let steps = fields.length; at && steps >= 0; steps -= 1) {
      if (!at.prikazujeSe) return false;
      at = at.naredjeniAUTS ? byId.get(at.naredjeniAUTS) : undefined;
    }
    return true;
  };
  return new Set(fields.filter((field) => isBox(field) && isSeen(field)).map(({ id }) => id));
}

/** A choice that stands on a picture. */
export const isDot = ({ tvaNumVrednost, imageCoordinateX, imageCoordinateY }: FormField): boolean =>
  tvaNumVrednost === ValueType.Choice && typeof imageCoordinateX === 'number' && typeof imageCoordinateY === 'number';

/** The dots of each picture that a person marks; without an image they are drawn as other boxes are. */
function dotsByPicture(fields: readonly FormField[]): ReadonlyMap<number, readonly number[]> {
  const pictures = fields.filter(({ tvaNumVrednost, backgroundImage }) => tvaNumVrednost === ValueType.Image && Boolean(backgroundImage));
  const dots = fields.filter((field) => isDot(field) && !isCalculated(field));
  return new Map(pictures.map(({ id }) => [id, dots.filter(({ naredjeniAUTS }) => naredjeniAUTS === id).map((dot) => dot.id)]));
}

/** The dots of pictures, and which boxes a save answers with No. */
export class Pictures {
  private readonly dots: ReadonlyMap<number, readonly number[]>;
  private readonly pictureOf: ReadonlyMap<number, number>;

  constructor(fields: readonly FormField[]) {
    this.dots = dotsByPicture(fields);
    this.pictureOf = new Map([...this.dots].flatMap(([picture, dots]) => dots.map((dot) => [dot, picture] as const)));
  }

  /** All dots of a picture. */
  dotsOf(picture: number): readonly number[] {
    return this.dots.get(picture) ?? [];
  }

  /** The dots of the picture on which this one stands; none: it is no dot. */
  dotsBeside(dot: number): readonly number[] {
    return this.dotsOf(this.pictureOf.get(dot) ?? NaN);
  }

  /** Of these boxes the blank ones that are answered with No: a dot only where its picture has an answer. */
  unticked(boxes: ReadonlySet<number>, isAnswered: (id: number) => boolean): number[] {
    const isUnused = (dots: readonly number[]) => !dots.some(isAnswered);
    const unused = new Set([...this.dots.values()].filter(isUnused).flat());
    return [...boxes].filter((id) => !isAnswered(id) && !unused.has(id));
  }
}
