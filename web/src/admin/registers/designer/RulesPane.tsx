// The rules of a form, in the order in which they are told; each change is one of the draft.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputText } from 'primereact/inputtext';
import { Message } from 'primereact/message';
import type { Reply } from '../../../schema';
import { hasValue } from '../../../forms/valueType';
import { label, t } from '../../../messages';
import { Field } from '../../../ui/Field';
import type { Nameable } from '../formula/completion';
import { FormulaInput } from '../formula/FormulaInput';
import style from './designer.module.css';
import { blankRule, kindOf, newId, rowOf, type Change, type FormDocument } from './model';

const text = t.formDesigner;
const KINDS = [
  { value: 'greska', label: text.ruleKinds.greska },
  { value: 'upozorenje', label: text.ruleKinds.upozorenje },
];

/** Of the input of its condition. */
export const ruleId = (id: number): string => `pravilo-${String(id)}`;

interface Props {
  document: FormDocument;
  faults: readonly Reply<'DraftFault'>[];
  warnings: readonly Reply<'DraftFault'>[];
  onChange: Change;
}

export function RulesPane({ document, faults, warnings, onChange }: Props) {
  const { pravila, polja } = document;
  const put = (edit: (latest: readonly Reply<'DraftRule'>[]) => readonly Reply<'DraftRule'>[], about: string | null) =>
    onChange((latest) => ({ ...latest, pravila: edit(latest.pravila) }), about);
  const change = (id: number, part: Partial<Reply<'DraftRule'>>, what: string | null) =>
    put((latest) => latest.map((rule) => (rule.id === id ? { ...rule, ...part } : rule)), what && `pravilo.${String(id)}.${what}`);
  const places = polja.flatMap((field) =>
    field.sifra && hasValue(kindOf(document, field)) ? [{ value: field.sifra, label: `${field.naziv} (${field.sifra})` }] : [],
  );
  const fields = polja.map((field) => rowOf(document, field));
  return (
    <div className={style.rules}>
      <p className={style.help}>{text.rulesHelp}</p>
      {pravila.map((rule, index) => (
        <Rule
          key={rule.id}
          rule={rule}
          number={index + 1}
          places={places}
          fields={fields}
          faults={faults.filter(({ gde, id }) => gde === 'pravilo' && id === rule.id)}
          warnings={warnings.filter(({ gde, id }) => gde === 'pravilo' && id === rule.id)}
          onChange={(part, what) => change(rule.id, part, what)}
          onRemove={() => put((latest) => latest.filter(({ id }) => id !== rule.id), null)}
        />
      ))}
      <div>
        <Button
          type="button"
          label={text.addRule}
          icon="pi pi-plus"
          outlined
          size="small"
          onClick={() => put((latest) => [...latest, blankRule(newId(latest))], null)}
        />
      </div>
    </div>
  );
}

interface RuleProps {
  rule: Reply<'DraftRule'>;
  number: number;
  places: readonly { value: string; label: string }[];
  fields: readonly Nameable[];
  faults: readonly Reply<'DraftFault'>[];
  warnings: readonly Reply<'DraftFault'>[];
  onChange: (part: Partial<Reply<'DraftRule'>>, what: string | null) => void;
  onRemove: () => void;
}

const told = ({ mesto, poruka }: Reply<'DraftFault'>) => (mesto === null ? poruka : text.atPlace(mesto, poruka));

function Rule({ rule, number, places, fields, faults, warnings, onChange, onRemove }: RuleProps) {
  const faultOf = (name: keyof Reply<'DraftRule'>) => {
    const fault = faults.find(({ svojstvo }) => svojstvo === name);
    return fault ? told(fault) : null;
  };
  // A field that is gone stays named until somebody chooses another.
  const known = places.some(({ value }) => value === rule.polje);
  const options = rule.polje && !known ? [...places, { value: rule.polje, label: rule.polje }] : places;
  return (
    <fieldset className={style.rule} aria-label={text.rule(number)}>
      <Field label={label('formRule.uslov')} required error={faultOf('uslov')} help={text.ruleConditionHelp}>
        {(control) => (
          <FormulaInput
            {...control}
            id={ruleId(rule.id)}
            aria-label={label('formRule.uslov')}
            rows={2}
            value={rule.uslov}
            fields={fields}
            place={[...faults, ...warnings].find(({ svojstvo, mesto }) => svojstvo === 'uslov' && mesto !== null)?.mesto ?? null}
            onChange={(uslov) => onChange({ uslov }, 'uslov')}
          />
        )}
      </Field>
      {warnings.map((warning) => (
        <Message key={`${String(warning.mesto)} ${warning.poruka}`} severity="warn" text={told(warning)} />
      ))}
      <Field label={label('formRule.poruka')} required error={faultOf('poruka')}>
        {(control) => (
          <InputText
            {...control}
            value={rule.poruka}
            autoComplete="off"
            onChange={({ target }) => onChange({ poruka: target.value }, 'poruka')}
          />
        )}
      </Field>
      <div className={style.ruleLine}>
        <Field label={label('formRule.vrsta')}>
          {({ id, invalid, ...aria }) => (
            <Dropdown
              {...aria}
              inputId={id}
              invalid={invalid}
              value={rule.vrsta}
              options={KINDS}
              onChange={({ value }: { value: Reply<'DraftRule'>['vrsta'] }) => onChange({ vrsta: value }, null)}
            />
          )}
        </Field>
        <Field label={label('formRule.polje')} error={faultOf('polje')}>
          {({ id, invalid, ...aria }) => (
            <Dropdown
              {...aria}
              inputId={id}
              invalid={invalid}
              value={rule.polje}
              options={options as { value: string; label: string }[]}
              placeholder={text.ruleAbove}
              showClear
              filter
              onChange={({ value }: { value: string | undefined }) => onChange({ polje: value ?? null }, null)}
            />
          )}
        </Field>
        <Button type="button" icon="pi pi-trash" text severity="danger" aria-label={text.removeRule(number)} onClick={onRemove} />
      </div>
    </fieldset>
  );
}
