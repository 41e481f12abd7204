// Where a field stands on the picture of the field around it: by a click, by the keyboard, or by numbers (B 2.3).
import { Button } from 'primereact/button';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { FormFieldRow } from '../../api/types';
import { bindFields } from '../../crud/bindFields';
import type { EditedRecord } from '../../crud/useForm';
import { label, t } from '../../messages';
import { DecimalInput, numberFault } from '../../ui/DecimalInput';
import { Field } from '../../ui/Field';
import { imageSource } from '../../ui/image';
import { Group } from './RecordForm';
import style from './registers.module.css';

const text = t.registerForms;
/** A dot's diameter where the field gives none (B 9). */
const DIAMETER = 20;
const DIAMETERS = { decimals: 0, min: 1, max: 500 };

interface Props {
  form: EditedRecord<FormFieldRow>;
  /** The field with the picture. */
  parent: FormFieldRow;
  fields: readonly FormFieldRow[];
}

interface Size {
  width: number;
  height: number;
}

type Placed = FormFieldRow & { imageCoordinateX: number; imageCoordinateY: number };
const isPlaced = (field: FormFieldRow): field is Placed =>
  typeof field.imageCoordinateX === 'number' && typeof field.imageCoordinateY === 'number';

export function DotPlace({ form, parent, fields }: Props) {
  const [size, setSize] = useState<Size | null>(null);
  const picture = useRef<HTMLImageElement>(null);
  const { record, disabled } = form;
  const source = imageSource(parent.backgroundImage);
  const field = bindFields<FormFieldRow, 'formField'>(form, 'formField');
  const siblings = fields
    .filter(({ id, nadredjeniAtributUTipuSkupaID }) => id !== record.id && nadredjeniAtributUTipuSkupaID === parent.id)
    .filter(isPlaced);

  const inside = (value: number, most: number | undefined) => Math.round(Math.min(Math.max(value, 0), most ?? Infinity));
  // Both at once: a dot with one coordinate stands nowhere.
  const put = (x: number, y: number) =>
    form.setAll({ imageCoordinateX: inside(x, size?.width), imageCoordinateY: inside(y, size?.height) });
  const clear = () => form.setAll({ imageCoordinateX: null, imageCoordinateY: null });
  /** Where the pointer is on the picture, in its own points. */
  function putAt({ clientX, clientY }: { clientX: number; clientY: number }) {
    const image = picture.current;
    if (disabled || !image) return;
    const { left, top, width, height } = image.getBoundingClientRect();
    put(((clientX - left) / width) * image.naturalWidth, ((clientY - top) / height) * image.naturalHeight);
  }
  function drag(event: PointerEvent<HTMLButtonElement>) {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) putAt(event);
  }
  function move(event: KeyboardEvent) {
    const step = event.shiftKey ? 10 : 1;
    const way = (
      { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] } as Partial<
        Record<string, [number, number]>
      >
    )[event.key];
    if (event.key === 'Delete') clear();
    if (!way || !isPlaced(record)) return;
    event.preventDefault();
    put(record.imageCoordinateX + way[0], record.imageCoordinateY + way[1]);
  }
  const at = (dot: Placed) => ({
    left: `${String((100 * dot.imageCoordinateX) / (size?.width ?? 1))}%`,
    top: `${String((100 * dot.imageCoordinateY) / (size?.height ?? 1))}%`,
    width: dot.inicijalnaBrojnaVrednost ?? DIAMETER,
    height: dot.inicijalnaBrojnaVrednost ?? DIAMETER,
  });

  return (
    <Group title={text.place}>
      <Field label={text.diameter} help={text.diameterHelp}>
        {(control) => (
          <DecimalInput
            {...control}
            {...DIAMETERS}
            value={record.inicijalnaBrojnaVrednost ?? null}
            onChange={(value) => {
              form.set('inicijalnaBrojnaVrednost', value as number | null);
              const fault = numberFault(value, DIAMETERS);
              form.misreads('inicijalnaBrojnaVrednost', fault && `${text.diameter}: ${fault}`);
            }}
            disabled={disabled}
          />
        )}
      </Field>
      {field.number('imageCoordinateX', { min: 0 })}
      {field.number('imageCoordinateY', { min: 0 })}
      {source ? (
        <div className={style.wide}>
          {!disabled && <p className={style.help}>{text.dotHelp}</p>}
          <div className={style.picture}>
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard puts a dot by the button below, and moves it */}
            <img
              ref={picture}
              src={source}
              alt={`${label('formField.backgroundImage')}: ${parent.naziv}`}
              onClick={putAt}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
            />
            {size && siblings.map((dot) => <span key={dot.id} className={style.dot} style={at(dot)} title={dot.naziv} />)}
            {size && isPlaced(record) && (
              <button
                type="button"
                className={style.dot}
                data-own
                style={at(record)}
                aria-label={text.dotOf(record.naziv || text.thisField, record.imageCoordinateX, record.imageCoordinateY)}
                title={text.dotOf(record.naziv || text.thisField, record.imageCoordinateX, record.imageCoordinateY)}
                disabled={disabled}
                onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
                onPointerMove={drag}
                onKeyDown={move}
              />
            )}
          </div>
          {!disabled && (
            <div className={style.buttons}>
              {isPlaced(record) ? (
                <Button type="button" label={text.clearDot} icon="pi pi-times" text severity="danger" onClick={clear} />
              ) : (
                <Button
                  type="button"
                  label={text.putDot}
                  icon="pi pi-map-marker"
                  outlined
                  disabled={!size}
                  onClick={() => size && put(size.width / 2, size.height / 2)}
                />
              )}
            </div>
          )}
        </div>
      ) : (
        <p className={style.help}>{text.noPicture}</p>
      )}
    </Group>
  );
}
