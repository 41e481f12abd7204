// What the server warns of in the formulas of a field, told while they are written; a formula that is warned of may be saved.
import { Message } from 'primereact/message';
import { useEffect, useState } from 'react';
import { api, ApiError } from '../../api/client';
import type { FormFieldRow } from '../../api/types';
import { payload } from '../../crud/useForm';
import type { BodyOf } from '../../api/description';
import type { Schema } from '../../schema';
import { label, t } from '../../messages';
import style from './registers.module.css';

/** After the last key. */
const WAIT = 500;

const LABELS: Record<string, string> = {
  formulaZaRacunanje: label('formField.formulaZaRacunanje'),
  formulaZaPrikaz: label('formField.formulaZaPrikaz'),
  obavezanAko: label('formField.obavezanAko'),
};

/** The field as it would be saved. */
export function FormulaWarnings({ record, isNew }: { record: FormFieldRow; isNew: boolean }) {
  const [told, setTold] = useState<{ of: string; warnings: readonly Schema<'FormulaWarning'>[] } | null>(null);
  const { id, ...rest } = record;
  const { formulaZaRacunanje, formulaZaPrikaz, obavezanAko, tipAtributaID } = record;
  const asked =
    tipAtributaID && (formulaZaRacunanje || formulaZaPrikaz || obavezanAko)
      ? JSON.stringify(payload(isNew ? rest : { ...rest, id }))
      : null;
  useEffect(() => {
    if (asked === null) return;
    let current = true;
    const ask = async () => {
      try {
        const { upozorenja } = await api.post('/api/form-field-checks', JSON.parse(asked) as BodyOf<'/api/form-field-checks', 'post'>);
        if (current) setTold({ of: asked, warnings: upozorenja });
      } catch (error) {
        // The save says why a formula is refused; here it only has no warnings.
        if (!(error instanceof ApiError)) throw error;
      }
    };
    const soon = setTimeout(() => void ask(), WAIT);
    return () => {
      current = false;
      clearTimeout(soon);
    };
  }, [asked]);
  const warnings = told && told.of === asked ? told.warnings : [];
  return (
    <div role="status" className={style.warnings}>
      {warnings.map(({ polje, mesto, poruka }) => (
        <Message
          key={`${polje} ${mesto} ${poruka}`}
          severity="warn"
          text={t.registerForms.formulaWarning(LABELS[polje] ?? polje, mesto, poruka)}
        />
      ))}
    </div>
  );
}
