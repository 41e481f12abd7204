// What a change makes of what is stored, and, where several forms share what is changed, form by form.
import type { Schema } from '../schema';
import { t } from '../messages';

interface Props {
  message: string;
  impact: Schema<'Impact'>;
}

export function ImpactMessage({ message, impact: { formulari = [] } }: Props) {
  return (
    <>
      {message}
      {formulari.length > 0 && (
        <>
          <p>{t.crud.impactForms}</p>
          <ul>
            {formulari.map(({ id, naziv, registar, unosa, rezultata }) => (
              <li key={id}>{t.crud.impactForm(registar, naziv, unosa, rezultata)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
