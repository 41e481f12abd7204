// What the chosen field says of itself, its type and the items of its set; each change is one of the draft.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { Message } from 'primereact/message';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { api } from '../../../api/client';
import type { AttributeType, FormFieldRow, ListPage } from '../../../api/types';
import type { EditedRecord, Problem } from '../../../crud/useForm';
import { label, t } from '../../../messages';
import { Field } from '../../../ui/Field';
import { foundProps, useFound } from '../../../ui/found';
import { useToast } from '../../../ui/toast';
import { FieldFields } from '../FieldFields';
import { fieldOfKind } from '../fieldKinds';
import style from './designer.module.css';
import {
  blankType,
  kindOf,
  newId,
  rowOf,
  typeOf,
  without,
  type DraftField,
  type DraftItem,
  type DraftType,
  type DraftFault,
  type FormDocument,
  type Standing,
} from './model';
import type { FormField } from '../../../entries/model/types';
import type { AskedOfExample, Example } from './examples';
import { ExamplesEditor } from './ExamplesEditor';
import { propertyName } from './names';
import { shownFormFields, shownId } from './preview';
import { TypeFields } from './TypeFields';

const text = t.formDesigner;

export interface PropertiesProps {
  document: FormDocument;
  field: DraftField;
  faults: readonly DraftFault[];
  warnings: readonly DraftFault[];
  shared: readonly number[];
  /** It was just added: its name is what is typed next. */
  isNamed: boolean;
  /** Adds another one of its kind behind it. */
  onNext: () => void;
  formulas: Standing['formule'];
  /** The values that the preview has now, as an example of this field. */
  onTake: (own: FormField, asked: AskedOfExample) => Example | null;
  /** `about`: what is typed, so that its keys are one step. */
  onChange: (next: FormDocument, about: string | null) => void;
}

/** Texts typed where a number is asked for, until they are one. */
type Unread = Readonly<Partial<Record<string, { value: unknown; message: string | null }>>>;

const isFractional = (value: unknown) => typeof value === 'number' && !Number.isInteger(value);
const WHOLE = new Set(['imageCoordinateX', 'imageCoordinateY', 'najviseRedova']);

const faultText = ({ mesto, poruka }: DraftFault) => (mesto === null ? poruka : text.atPlace(mesto, poruka));

/** The administration's form over one field of the draft. */
function useFieldForm({ document, field, faults, onChange }: PropertiesProps): EditedRecord<FormFieldRow> {
  const [unread, setUnread] = useState<Unread>({});
  const row = rowOf(document, field);
  const record = { ...row, ...Object.fromEntries(Object.entries(unread).map(([name, one]) => [name, one?.value])) } as FormFieldRow;
  const own = faults.filter(({ gde, id }) => gde === 'polje' && id === field.id);
  const problems: Problem<FormFieldRow>[] = [
    ...Object.entries(unread).flatMap(([name, one]) => (one?.message ? [{ field: name as keyof FormFieldRow, message: one.message }] : [])),
    ...own
      .filter(({ svojstvo }) => svojstvo in row)
      .map((fault) => ({ field: fault.svojstvo as keyof FormFieldRow, message: faultText(fault) })),
  ];
  const problem = problems.find(({ field }) => field === 'grafik') ?? problems[0] ?? null;
  return {
    record,
    problem,
    problems,
    disabled: false,
    changed: false,
    set: (name, value) => {
      const isNumber = name.includes('Vrednost') || WHOLE.has(name);
      if (
        isNumber &&
        name !== 'inicijalnaStringVrednost' &&
        name !== 'upitInicijalnaVrednost' &&
        (typeof value === 'string' || (WHOLE.has(name) && isFractional(value)))
      ) {
        return setUnread((now) => ({ ...now, [name]: { value, message: now[name]?.message ?? null } }));
      }
      if (name in unread) setUnread((now) => without(now, name));
      onChange(withField(document, field.id, { [name]: value }), `${String(field.id)}.${name}`);
    },
    fail: (told) =>
      told && setUnread((now) => ({ ...now, ...(told.field ? { [told.field]: { value: row[told.field], message: told.message } } : {}) })),
    failAll: () => undefined,
    misread: null,
    misreads: (name, message) =>
      setUnread((now) => (now[name] && now[name].message !== message ? { ...now, [name]: { ...now[name], message } } : now)),
    reset: () => undefined,
    rebase: () => undefined,
    others: [],
  };
}

function withField(document: FormDocument, id: number, part: object): FormDocument {
  const field = document.polja.find((one) => one.id === id);
  if (!field) return document;
  const next = { ...field, ...part };
  // A type that was made for the field goes by its name until it gets another.
  const own = typeOf(document, field);
  const follows = own && own.id < 0 && own.naziv === field.naziv && next.naziv !== field.naziv;
  return {
    ...document,
    polja: document.polja.map((one) => (one.id === id ? next : one)),
    tipovi: follows ? document.tipovi.map((one) => (one.id === own.id ? { ...own, naziv: next.naziv } : one)) : document.tipovi,
  };
}

/** The field is of another type now: what its kind does not have is cleared. */
function ofType(document: FormDocument, field: DraftField, type: DraftType, items: readonly DraftItem[]): FormDocument {
  const parent = document.polja.find(({ id }) => id === field.nadredjeniAtributUTipuSkupaID);
  const known = document.tipovi.some(({ id }) => id === type.id);
  const next = {
    ...document,
    tipovi: known ? document.tipovi : [...document.tipovi, type],
    stavke: known ? document.stavke : [...document.stavke, ...items],
  };
  const row = fieldOfKind(
    { ...rowOf(document, field), inicijalnaEnumStavkaID: null },
    type.tipVrednostiAtributa,
    parent && kindOf(document, parent),
  );
  const fitted = without(row, 'redosled', 'tipSkupaAtributaID', 'tipVrednostiAtributaNumVrednost', 'tipAtributaNaziv');
  return withField(next, field.id, { ...fitted, tipAtributaID: type.id });
}

export function PropertiesPane(props: PropertiesProps) {
  const { document, field, faults, warnings, shared, formulas, isNamed, onNext, onTake, onChange } = props;
  const form = useFieldForm(props);
  const toast = useToast();
  const pane = useRef<HTMLDivElement>(null);
  const nameInput = () => pane.current?.querySelector<HTMLInputElement>('input[name="naziv"]');
  useEffect(() => {
    if (!isNamed) return;
    // The list that it was chosen from takes the focus first.
    const frame = requestAnimationFrame(() => nameInput()?.select());
    return () => cancelAnimationFrame(frame);
  }, [isNamed]);
  const kind = kindOf(document, field);
  const type = typeOf(document, field);
  const parent = document.polja.find(({ id }) => id === field.nadredjeniAtributUTipuSkupaID);
  const rows = useMemo(() => document.polja.map((one) => rowOf(document, one)), [document]);
  const items = document.stavke.filter(({ tipAtributaID }) => tipAtributaID === field.tipAtributaID);
  const about = faults.filter(
    ({ gde, id, svojstvo }) => gde === 'polje' && id === field.id && !(svojstvo in form.record && svojstvo !== 'id'),
  );
  const told = warnings.filter(({ gde, id }) => gde === 'polje' && id === field.id);
  const choice = ({ id, naziv, tipVrednostiAtributa }: Pick<DraftType, 'id' | 'naziv' | 'tipVrednostiAtributa'>) => ({
    value: id,
    label: `${naziv} (${text.kinds[tipVrednostiAtributa]})`,
  });
  // As the draft has them, whether the server finds them or not.
  const ownTypes = document.tipovi.map(choice);
  const types = useFound<ListPage<AttributeType>>({
    path: '/api/attribute-types',
    read: ({ data, total }) => {
      const others = data.filter(({ id }) => !document.tipovi.some((one) => one.id === id));
      return { choices: others.map(choice), total: total - (data.length - others.length) };
    },
  });

  const drawn = useMemo(() => shownFormFields(document, formulas), [document, formulas]);
  const own = drawn.find(({ id }) => id === shownId(field.id));
  const kept = field.primeri ?? [];
  const examples = own && (own.formulaZaRacunanje || kept.length > 0) && (
    <ExamplesEditor
      fields={drawn}
      own={own}
      examples={kept}
      error={form.problems.find(({ field }) => field === 'primeri')?.message ?? null}
      onTake={(asked) => onTake(own, asked)}
      onChange={(primeri, about) => onChange(withField(document, field.id, { primeri }), about)}
    />
  );

  async function choose(id: number) {
    const here = document.tipovi.find((one) => one.id === id);
    if (here) return onChange(ofType(document, field, here, []), null);
    try {
      const listed = await api.get<AttributeType>(`/api/attribute-types/${String(id)}`);
      const { data } = await api.get<ListPage<DraftItem>>(`/api/enum-items?tipAtributa=${String(id)}`);
      const { naziv, tipVrednostiAtributa, ...own } = listed;
      const draft = { ...blankType(id, tipVrednostiAtributa, naziv), ...pick(own) };
      onChange(ofType(document, field, draft, data.map(itemOf)), null);
    } catch (error) {
      toast.failure(text.typeFailed, error);
    }
  }

  /** The type as the field's own: what is changed in it changes no other form. */
  function ownType() {
    if (!type) return;
    const id = newId(document.tipovi);
    let fresh = newId(document.stavke);
    const copies = items.map((item) => ({ ...item, id: fresh--, tipAtributaID: id }));
    onChange(ofType(document, field, { ...type, id, naziv: field.naziv }, copies), null);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.target !== nameInput()) return;
    event.preventDefault();
    onNext();
  }

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- it hears the keys of the name's input
    <div className={style.properties} ref={pane} onKeyDown={onKeyDown}>
      {about.map((fault) => (
        <Message key={`${fault.svojstvo} ${fault.poruka}`} severity="error" text={faultText(fault)} />
      ))}
      <FieldFields
        form={form}
        kind={kind}
        fields={rows}
        nameHelp={text.nameHelp}
        parent={parent && rowOf(document, parent)}
        items={items.map(({ id, naziv }) => ({ value: id, label: naziv }))}
        type={
          <Field
            label={label('formField.tipAtributaID')}
            required
            error={form.problems.find(({ field }) => field === 'tipAtributaID')?.message ?? null}
          >
            {({ id, invalid, ...aria }) => (
              <Dropdown
                {...aria}
                {...foundProps(types, ownTypes)}
                inputId={id}
                invalid={invalid}
                value={field.tipAtributaID}
                onChange={({ value }: { value: number }) => void choose(value)}
              />
            )}
          </Field>
        }
        examples={examples}
        places={Object.fromEntries(
          [...faults, ...warnings].flatMap(({ gde, id, svojstvo, mesto }) =>
            gde === 'polje' && id === field.id && mesto !== null ? [[svojstvo, mesto]] : [],
          ),
        )}
        warnings={told.map((warning) => (
          <Message
            key={`${warning.svojstvo} ${String(warning.mesto)} ${warning.poruka}`}
            severity="warn"
            text={t.registerForms.formulaWarning(
              propertyName('polje', warning.svojstvo) ?? warning.svojstvo,
              warning.mesto ?? 1,
              warning.poruka,
            )}
          />
        ))}
      />
      {type && (
        <TypeFields
          key={type.id}
          type={type}
          items={items}
          faults={faults}
          isShared={shared.includes(type.id)}
          freshItem={newId(document.stavke)}
          onPasted={() => nameInput()?.focus()}
          onType={(next, what) =>
            onChange(
              { ...document, tipovi: document.tipovi.map((one) => (one.id === type.id ? next : one)) },
              what && `tip.${String(type.id)}.${what}`,
            )
          }
          onItems={(next, what) =>
            onChange({ ...document, stavke: [...document.stavke.filter((item) => item.tipAtributaID !== type.id), ...next] }, what)
          }
        />
      )}
      {type && shared.includes(type.id) && (
        <div>
          <Button type="button" label={text.ownType} icon="pi pi-copy" outlined size="small" onClick={ownType} />
        </div>
      )}
    </div>
  );
}

const pick = ({
  napomena,
  decimaleBrojneVrednosti,
  donjaGranicaBrojneVrednosti,
  gornjaGranicaBrojneVrednosti,
  sirina,
  visina,
  jedinica,
  vrsteFajlova,
  najviseFajlova,
  najviseMegabajta,
  drugeJedinice,
}: Omit<DraftType, 'naziv' | 'tipVrednostiAtributa'>) => ({
  napomena,
  decimaleBrojneVrednosti,
  donjaGranicaBrojneVrednosti,
  gornjaGranicaBrojneVrednosti,
  sirina,
  visina,
  jedinica,
  vrsteFajlova,
  najviseFajlova,
  najviseMegabajta,
  drugeJedinice,
});

const itemOf = ({ id, tipAtributaID, naziv, numVrednost, bezTezine, opis, opcioni, sifraVeza, mozeSeIzabrati }: DraftItem): DraftItem => ({
  id,
  tipAtributaID,
  naziv,
  numVrednost,
  bezTezine,
  opis,
  opcioni,
  sifraVeza,
  mozeSeIzabrati,
});
