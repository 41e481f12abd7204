// Whether a recomputation ends signatures of entries that become others: how many there are, and why they end.
import { Checkbox } from 'primereact/checkbox';
import { InputTextarea } from 'primereact/inputtextarea';
import { useId } from 'react';
import { t } from '../../messages';
import type { Schema } from '../../schema';
import { Field } from '../../ui/Field';
import style from './registers.module.css';

const text = t.recomputation.signatures;
const [SHORTEST, LONGEST] = [3, 500];

export type EndedSignatures = Required<Schema<'SignatureChoice'>>;

export const SIGNATURES_STAY: EndedSignatures = { zavrsiPotpise: false, razlogPotpisa: '' };

/** What is missing; null: it may be ordered. */
export function signatureFault({ zavrsiPotpise, razlogPotpisa }: EndedSignatures): string | null {
  const length = razlogPotpisa.trim().length;
  return zavrsiPotpise && (length < SHORTEST || length > LONGEST) ? text.reasonMissing : null;
}

interface Props {
  /** Signed entries that would become others; null: not counted yet. */
  count: number | null;
  chosen: EndedSignatures;
  /** Whether the worker may end signatures at all; the server asks again. */
  mayEnd: boolean;
  fault: string | null;
  onChoose: (chosen: EndedSignatures) => void;
}

export function SignatureChoice({ count, chosen, mayEnd, fault, onChoose }: Props) {
  const id = useId();
  if (!chosen.zavrsiPotpise && !count) return null;
  if (!mayEnd) return <p className={style.signatures}>{text.notAllowed(count ?? 0)}</p>;
  return (
    <div className={style.signatures}>
      <div>
        <Checkbox
          inputId={id}
          checked={chosen.zavrsiPotpise}
          onChange={() => onChoose({ ...chosen, zavrsiPotpise: !chosen.zavrsiPotpise })}
        />
        <label htmlFor={id}>{text.end}</label>
      </div>
      <p role="status">{count === null ? t.formDesigner.counting : text.count(count, chosen.zavrsiPotpise)}</p>
      {chosen.zavrsiPotpise && (
        <Field label={text.reason} required help={text.reasonHelp} error={fault}>
          {(control) => (
            <InputTextarea
              {...control}
              rows={2}
              autoResize
              maxLength={LONGEST}
              value={chosen.razlogPotpisa}
              onChange={({ target }) => onChoose({ ...chosen, razlogPotpisa: target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
