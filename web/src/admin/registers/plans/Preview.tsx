// The days that a plan would give to a patient who is made up: nothing is stored.
import { useId, useState } from 'react';
import useSWR from 'swr';
import { api, messageOf } from '../../../api/client';
import { formatDate, fromServer } from '../../../format';
import { t } from '../../../messages';
import type { Reply } from '../../../schema';
import { today } from '../../../today';
import { DateInput } from '../../../ui/DateInput';
import { Field } from '../../../ui/Field';
import type { PlanItem } from './plan';
import style from './plans.module.css';

const text = t.plans.admin;

export function Preview({ register, items }: { register: number; items: readonly PlanItem[] }) {
  const [included, setIncluded] = useState<string | null>(today);
  const [day, setDay] = useState<string | null>(today);
  const id = useId();
  const isReady = items.length > 0 && fromServer(included) !== null && fromServer(day) !== null;
  const { data, error } = useSWR<Reply<'PreviewedVisit'>[], unknown>(
    isReady ? ['plan', register, included, day, JSON.stringify(items)] : null,
    async () =>
      (await api.ask('/api/visit-plan-previews', { registarID: register, stavke: items, ukljucenje: included ?? '', datumi: {}, dan: day }))
        .data,
    { keepPreviousData: true },
  );
  return (
    <section className={style.plan} aria-labelledby={id}>
      <h3 id={id}>{text.preview}</h3>
      <div className={style.fields}>
        <Field label={text.previewIncluded}>{(control) => <DateInput {...control} value={included} onChange={setIncluded} />}</Field>
        <Field label={text.previewDay}>{(control) => <DateInput {...control} value={day} onChange={setDay} />}</Field>
      </div>
      {error ? (
        <p role="alert">{messageOf(error)}</p>
      ) : (
        <div className={style.table}>
          <table>
            <tbody>
              {(data ?? []).map(({ sifra, red, cilj, prozorOd, prozorDo, stanje }) => (
                <tr key={`${sifra} ${red}`}>
                  <th scope="row">{items.find((item) => item.sifra === sifra)?.naziv || sifra}</th>
                  <td>{formatDate(cilj)}</td>
                  <td>{t.plans.strip.window(formatDate(prozorOd), formatDate(prozorDo))}</td>
                  <td>{t.plans.states[stanje]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
