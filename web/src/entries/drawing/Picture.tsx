// An image with the dots that are counted on it.
import { useCallback, useMemo, useState, useSyncExternalStore, type CSSProperties, type ReactNode } from 'react';
import { t } from '../../messages';
import { imageSource } from '../../ui/image';
import style from './entry.module.css';
import { inputId, useFieldState, useOpenEntry, useHidden } from './form';
import { InfoButton } from './InfoButton';
import { drawBlank } from './inputs';
import { takenSource } from './taken';
import { isDot } from '../model/ticks';
import { isCalculated, type FormField } from '../model/types';

const text = t.entries;

interface PartProps {
  field: FormField;
}

/** A dot's diameter where the field gives none. */
const DOT = 20;

/** Half of the way to the nearest other dot is a dot's own: so large may the place be that is tapped, in parts of the picture's width. */
function roomOf(dots: readonly FormField[], width: number): ReadonlyMap<number, number> {
  const place = ({ imageCoordinateX, imageCoordinateY }: FormField) => [imageCoordinateX ?? 0, imageCoordinateY ?? 0] as const;
  const apart = (one: FormField, other: FormField) => {
    const [[x, y], [a, b]] = [place(one), place(other)];
    return Math.max(Math.abs(x - a), Math.abs(y - b));
  };
  return new Map(
    dots.map((dot) => [dot.id, Math.min(width, ...dots.filter((other) => other !== dot).map((other) => apart(dot, other))) / width]),
  );
}

function Dot({ field, size, room }: PartProps & { size: { width: number; height: number } | null; room: number | undefined }) {
  const { store, readOnly } = useOpenEntry();
  const { value, taken } = useFieldState(store, field.id);
  const hidden = useHidden(store, field.id);
  if (hidden || !field.prikazujeSe) return null;
  const [x, y] = [field.imageCoordinateX ?? 0, field.imageCoordinateY ?? 0];
  const diameter = field.inicijalnaBrojnaVrednost ?? DOT;
  const name = value === null ? text.blankBoxOf(field.naziv) : taken ? text.takenOf(field.naziv, takenSource(taken)) : field.naziv;
  const at = size ? { left: `${(100 * x) / size.width}%`, top: `${(100 * y) / size.height}%` } : { left: x, top: y };
  return (
    // The label is what is tapped, at least 24 px wide; the dot in it is as large as the field says.
    <label
      className={style.touch}
      style={{ left: at.left, top: at.top, '--room': room } as CSSProperties}
      title={name}
      data-taken={taken !== null}
    >
      <input
        type="checkbox"
        ref={(box) => drawBlank(box, value)}
        className={style.dot}
        style={{ width: diameter, height: diameter }}
        id={inputId(field.id)}
        aria-label={field.naziv}
        checked={value === true}
        disabled={readOnly || isCalculated(field)}
        onChange={(event) => store.markDot(field.id, event.target.checked)}
      />
    </label>
  );
}

/** How many dots are marked; none while the picture has no answer. */
function useMarked(dots: readonly FormField[]): number | null {
  const { store } = useOpenEntry();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = dots.map(({ id }) => store.subscribe(id, listener));
      return () => ends.forEach((end) => end());
    },
    [store, dots],
  );
  return useSyncExternalStore(subscribe, () => {
    const answers = dots.map(({ id }) => store.value(id));
    return answers.every((answer) => answer === null) ? null : answers.filter((answer) => answer === true).length;
  });
}

/** What the picture says: nothing while it is unused, that nothing is to be marked, or how much is. */
function PictureAnswer({ field, dots }: PartProps & { dots: readonly FormField[] }) {
  const { store, readOnly } = useOpenEntry();
  const marked = useMarked(dots);
  const said = marked === null ? text.pictureUnused : marked === 0 ? text.pictureNone : text.pictureMarked(marked);
  return (
    <div className={style.pictureAnswer}>
      <span role="status">{said}</span>
      {!readOnly && !marked && (
        <button
          type="button"
          className={style.confirm}
          aria-label={marked === null ? text.noneOnPictureOf(field.naziv) : text.emptyPictureOf(field.naziv)}
          onClick={() => store.setNone(field.id, marked === null)}
        >
          {marked === null ? text.noneOnPicture : text.emptyPicture}
        </button>
      )}
    </div>
  );
}

/** What lies in the image and is no dot, `rest` draws. */
export function Picture({ field, rest: draw }: PartProps & { rest: (fields: readonly FormField[]) => ReactNode }) {
  const { inside } = useOpenEntry();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const source = imageSource(field.backgroundImage);
  const [dots, rest] = useMemo(() => {
    return [inside(field.id).filter(isDot), inside(field.id).filter((one) => !source || !isDot(one))];
  }, [inside, field.id, source]);
  const entered = useMemo(() => dots.filter((dot) => !isCalculated(dot)), [dots]);
  const room = useMemo(() => size && roomOf(dots, size.width), [dots, size]);
  return (
    <>
      <figure className={style.image}>
        <figcaption className={style.name}>
          <span className={field.ispisujeSeLabela ? undefined : 'sr-only'}>{field.naziv}</span>
          {field.htmlInfo && <InfoButton name={field.naziv} html={field.htmlInfo} />}
        </figcaption>
        {source && (
          <div className={style.picture} role="group" aria-label={field.naziv}>
            <img
              src={source}
              alt=""
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                naturalWidth > 0 && setSize({ width: naturalWidth, height: naturalHeight })
              }
            />
            <div className={style.dots}>
              {dots.map((dot) => (
                <Dot key={dot.id} field={dot} size={size} room={room?.get(dot.id)} />
              ))}
            </div>
          </div>
        )}
        {source && entered.length > 0 && <PictureAnswer field={field} dots={entered} />}
      </figure>
      {draw(rest)}
    </>
  );
}
