// One visit of a plan, to be edited.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputNumber } from 'primereact/inputnumber';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { MultiSelect } from 'primereact/multiselect';
import { t } from '../../../messages';
import { Field } from '../../../ui/Field';
import type { PlanItem } from './plan';
import style from './plans.module.css';

const text = t.plans.admin;
const ANCHORS = (['ukljucenje', 'datum', 'prethodna'] as const).map((value) => ({ value, label: text.anchors[value] }));
const UNITS = (['dan', 'nedelja', 'mesec'] as const).map((value) => ({ value, label: text.units[value] }));

export interface Choice {
  value: number;
  label: string;
}

interface Props {
  item: PlanItem;
  forms: readonly Choice[];
  dateFields: readonly Choice[];
  /** What is wrong, by the name of the property. */
  faults: Readonly<Record<string, string>>;
  onChange: (item: PlanItem) => void;
  onRemove: () => void;
}

type NumberName = 'pomeraj' | 'prozorPre' | 'prozorPosle' | 'cekaDana';
type OptionalNumber = 'ponavljaMeseci' | 'ponavljaDoMeseci';

export function VisitFields({ item, forms, dateFields, faults, onChange, onRemove }: Props) {
  const set = (change: Partial<PlanItem>) => onChange({ ...item, ...change });
  const number = (name: NumberName, label: string) => (
    <Field label={label} required error={faults[name]}>
      {({ id, ...control }) => (
        <InputNumber {...control} inputId={id} value={item[name]} min={0} onValueChange={({ value }) => set({ [name]: value ?? 0 })} />
      )}
    </Field>
  );
  const optional = (name: OptionalNumber, label: string) => (
    <Field label={label} error={faults[name]}>
      {({ id, ...control }) => (
        <InputNumber {...control} inputId={id} value={item[name]} min={1} onValueChange={({ value }) => set({ [name]: value ?? null })} />
      )}
    </Field>
  );
  return (
    <fieldset className={style.visit}>
      <legend>{item.naziv || item.sifra}</legend>
      <div className={style.fields}>
        <Field label={text.visitCode} required error={faults.sifra}>
          {(control) => (
            <InputText {...control} value={item.sifra} maxLength={40} onChange={({ target }) => set({ sifra: target.value })} />
          )}
        </Field>
        <Field label={text.visitName} required error={faults.naziv}>
          {(control) => (
            <InputText {...control} value={item.naziv} maxLength={120} onChange={({ target }) => set({ naziv: target.value })} />
          )}
        </Field>
        <Field label={text.anchor} required error={faults.sidro}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={item.sidro}
              options={ANCHORS}
              onChange={({ value }: { value: PlanItem['sidro'] }) =>
                set({ sidro: value, sidroPoljeID: value === 'datum' ? item.sidroPoljeID : null })
              }
            />
          )}
        </Field>
        {item.sidro === 'datum' && (
          <Field label={text.anchorField} required error={faults.sidroPoljeID}>
            {({ id, ...control }) => (
              <Dropdown
                {...control}
                inputId={id}
                value={item.sidroPoljeID}
                options={[...dateFields]}
                filter
                placeholder={t.common.choose}
                onChange={({ value }: { value: number }) => set({ sidroPoljeID: value })}
              />
            )}
          </Field>
        )}
        {number('pomeraj', text.offset)}
        <Field label={text.unit} required>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={item.jedinica}
              options={UNITS}
              onChange={({ value }: { value: PlanItem['jedinica'] }) => set({ jedinica: value })}
            />
          )}
        </Field>
        {number('prozorPre', text.before)}
        {number('prozorPosle', text.after)}
        {number('cekaDana', text.waited)}
        {optional('ponavljaMeseci', text.repeats)}
        {optional('ponavljaDoMeseci', text.repeatsUntil)}
        <Field label={text.forms} error={faults.formulari}>
          {({ id, ...control }) => (
            <MultiSelect
              {...control}
              inputId={id}
              value={item.formulari}
              options={[...forms]}
              placeholder={text.allForms}
              display="chip"
              onChange={({ value }: { value: number[] }) => set({ formulari: value })}
            />
          )}
        </Field>
        <Field label={text.conditionForm} error={faults.uslovFormID}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={item.uslovFormID}
              options={[...forms]}
              showClear
              placeholder={t.common.none}
              onChange={({ value }: { value: number | undefined }) => set({ uslovFormID: value ?? null })}
            />
          )}
        </Field>
        <Field label={text.condition} error={faults.uslov}>
          {(control) => (
            <InputTextarea
              {...control}
              value={item.uslov ?? ''}
              rows={1}
              autoResize
              onChange={({ target }) => set({ uslov: target.value || null })}
            />
          )}
        </Field>
      </div>
      <Button
        type="button"
        label={text.removeVisit(item.naziv || item.sifra)}
        icon="pi pi-trash"
        text
        severity="danger"
        size="small"
        onClick={onRemove}
      />
    </fieldset>
  );
}
