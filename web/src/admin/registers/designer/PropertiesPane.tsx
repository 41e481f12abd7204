// What the chosen field says of itself, its type and the items of its set; each change is one of the draft.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { Message } from 'primereact/message';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { at } from '../../../api/address';
import { api } from '../../../api/client';
import type { Reply, Schema } from '../../../schema';
import type { FormFieldRow, ListPage } from '../../../api/types';
import type { EditedRecord, Problem } from '../../../crud/useForm';
import { label, t } from '../../../messages';
import { Field } from '../../../ui/Field';
import { foundProps, useFound } from '../../../ui/found';
import { useConfirm } from '../../../ui/confirm';
import { useToast } from '../../../ui/toast';
import { FieldFields } from '../FieldFields';
import { fieldOfKind } from '../fieldKinds';
import style from './designer.module.css';
import { blankType, kindOf, newId, rowOf, typeOf, without, type Change, type DraftField, type FormDocument, type Standing } from './model';
import type { FormField } from '../../../entries/model/types';
import type { AskedOfExample, Example } from './examples';
import { ExamplesEditor } from './ExamplesEditor';
import { propertyName } from './names';
import { shownFormFields, shownId } from './preview';
import { TypeFields } from './TypeFields';
import { renamed, typeName } from './typeName';

const text = t.formDesigner;

export interface PropertiesProps {
  document: FormDocument;
  field: DraftField;
  faults: readonly Reply<'DraftFault'>[];
  warnings: readonly Reply<'DraftFault'>[];
  shared: readonly Reply<'SharedType'>[];
  /** Whose draft it is. */
  formId: number;
  /** The server has changed whose a type is. */
  onSeparated: () => Promise<void>;
  /** It was just added: its name is what is typed next. */
  isNamed: boolean;
  /** Adds another one of its kind behind it. */
  onNext: () => void;
  formulas: Standing['formule'];
  /** The values that the preview has now, as an example of this field. */
  onTake: (own: FormField, asked: AskedOfExample) => Example | null;
  onChange: Change;
}

/** Texts typed where a number is asked for, until they are one. */
type Unread = Readonly<Partial<Record<string, { value: unknown; message: string | null }>>>;

const isFractional = (value: unknown) => typeof value === 'number' && !Number.isInteger(value);
const WHOLE = new Set(['imageCoordinateX', 'imageCoordinateY', 'najviseRedova']);

/** What was typed where a number is asked for. */
function isNoNumber(name: string, value: unknown): boolean {
  const isNumber =
    (name.includes('Vrednost') && name !== 'inicijalnaStringVrednost' && name !== 'upitInicijalnaVrednost') || WHOLE.has(name);
  return isNumber && (typeof value === 'string' || (WHOLE.has(name) && isFractional(value)));
}

const faultText = ({ mesto, poruka }: Reply<'DraftFault'>) => (mesto === null ? poruka : text.atPlace(mesto, poruka));

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
  const setAll = (part: Partial<FormFieldRow>) => {
    const [texts, read] = [true, false].map((wanted) => Object.entries(part).filter(([name, value]) => isNoNumber(name, value) === wanted));
    setUnread((now) => ({
      ...without(now, ...(read ?? []).map(([name]) => name)),
      ...Object.fromEntries((texts ?? []).map(([name, value]) => [name, { value, message: now[name]?.message ?? null }])),
    }));
    if (!read || read.length === 0) return;
    const names = read.map(([name]) => name).join('+');
    onChange((latest) => withField(latest, field.id, Object.fromEntries(read)), `${String(field.id)}.${names}`);
  };
  return {
    record,
    problem,
    problems,
    disabled: false,
    changed: false,
    set: (name, value) => setAll({ [name]: value }),
    setAll,
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

const withField = (document: FormDocument, id: number, part: object): FormDocument => ({
  ...document,
  polja: document.polja.map((one) => (one.id === id ? { ...one, ...part } : one)),
});

/** The field is of another type now: what its kind does not have is cleared. */
function ofType(document: FormDocument, id: number, type: Reply<'DraftType'>, items: readonly Reply<'DraftItem'>[]): FormDocument {
  const field = document.polja.find((one) => one.id === id);
  if (!field) return document;
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
  const { document, field, faults, warnings, shared, formId, formulas, isNamed, onNext, onTake, onChange, onSeparated } = props;
  const form = useFieldForm(props);
  const toast = useToast();
  const confirm = useConfirm();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
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
  // What was just chosen is shared before the server has said with whom.
  const users = shared.find(({ tip }) => tip === type?.id) ?? (type && chosen.has(type.id) ? { tip: type.id, formulari: [] } : undefined);
  const parent = document.polja.find(({ id }) => id === field.nadredjeniAtributUTipuSkupaID);
  const rows = useMemo(() => document.polja.map((one) => rowOf(document, one)), [document]);
  const items = document.stavke.filter(({ tipAtributaID }) => tipAtributaID === field.tipAtributaID);
  const about = faults.filter(
    ({ gde, id, svojstvo }) => gde === 'polje' && id === field.id && !(svojstvo in form.record && svojstvo !== 'id'),
  );
  const told = warnings.filter(({ gde, id }) => gde === 'polje' && id === field.id);
  const choice = ({ id, naziv, tipVrednostiAtributa }: Pick<Reply<'DraftType'>, 'id' | 'naziv' | 'tipVrednostiAtributa'>) => ({
    value: id,
    label: `${naziv} (${text.kinds[tipVrednostiAtributa]})`,
  });
  // As the draft has them, whether the server finds them or not.
  const ownTypes = document.tipovi.map(choice);
  const types = useFound<ListPage<Schema<'AttributeType'>>>({
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
      onChange={(edit, about) =>
        onChange((latest) => {
          const now = latest.polja.find(({ id }) => id === field.id)?.primeri ?? [];
          return withField(latest, field.id, { primeri: edit(now) });
        }, about)
      }
    />
  );

  async function choose(id: number) {
    const here = document.tipovi.find((one) => one.id === id);
    if (here) return onChange((latest) => ofType(latest, field.id, here, []), null);
    try {
      const listed = await api.get(at('/api/attribute-types/{id}', { id }));
      const { data } = await api.get(at('/api/enum-items', { tipAtributa: id }));
      const { naziv, tipVrednostiAtributa, ...own } = listed;
      const draft = { ...blankType(id, tipVrednostiAtributa, naziv), ...pick(own) };
      setChosen((before) => new Set([...before, id]));
      onChange((latest) => ofType(latest, field.id, draft, data.map(itemOf)), null);
    } catch (error) {
      toast.failure(text.typeFailed, error);
    }
  }

  /** The type as the field's own: what is changed in it changes no other form. */
  const copyType = (own: Reply<'DraftType'>) =>
    onChange((latest) => {
      const id = newId(latest.tipovi);
      let fresh = newId(latest.stavke);
      const of = latest.stavke.filter(({ tipAtributaID }) => tipAtributaID === own.id);
      const naziv = own.naziv === typeName(own, of) ? own.naziv : text.ownTypeName(own.naziv, latest.naziv);
      const copies = of.map((item) => ({ ...item, id: fresh--, tipAtributaID: id }));
      return ofType(latest, field.id, { ...own, id, naziv }, copies);
    }, null);
  /** Where entries hold items of the set, it stays theirs, and other forms get the copy. */
  async function ownType() {
    if (!type) return;
    try {
      const ask = (potvrdjeno: boolean) => api.post(at('/api/forms/{id}/draft/own-type', { id: formId }), { tip: type.id, potvrdjeno });
      const { nacin, formulari } = await ask(false);
      if (nacin === 'kopija') return copyType(type);
      if (!(await confirm({ message: text.separateQuestion(formulari), accept: text.separate }))) return;
      await ask(true);
      toast.success(text.separated);
      await onSeparated();
    } catch (error) {
      toast.failure(text.ownTypeFailed, error);
    }
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
          sharedWith={users?.formulari ?? null}
          onPasted={() => nameInput()?.focus()}
          onType={(part, what) =>
            onChange(
              (latest) => {
                const tipovi = latest.tipovi.map((one) => (one.id === type.id ? { ...one, ...part } : one));
                return renamed(latest, { ...latest, tipovi }, type.id);
              },
              what && `tip.${String(type.id)}.${what}`,
            )
          }
          onItems={(edit, what) =>
            onChange((latest) => {
              const isOwn = ({ tipAtributaID }: Reply<'DraftItem'>) => tipAtributaID === type.id;
              const own = edit(latest.stavke.filter(isOwn), newId(latest.stavke));
              return renamed(latest, { ...latest, stavke: [...latest.stavke.filter((item) => !isOwn(item)), ...own] }, type.id);
            }, what)
          }
        />
      )}
      {type && users && (
        <div>
          <Button type="button" label={text.ownType} icon="pi pi-copy" outlined size="small" onClick={() => void ownType()} />
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
}: Omit<Reply<'DraftType'>, 'naziv' | 'tipVrednostiAtributa'>) => ({
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

const itemOf = ({
  id,
  tipAtributaID,
  naziv,
  numVrednost,
  bezTezine,
  opis,
  opcioni,
  sifraVeza,
  mozeSeIzabrati,
}: Reply<'DraftItem'>): Reply<'DraftItem'> => ({
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
