// The versions that a form has had, and what two of them have otherwise. Nothing is changed here.
import { Dropdown } from 'primereact/dropdown';
import { useId, useState } from 'react';
import { useApi } from '../../api/hooks';
import type { ListPage } from '../../api/types';
import { formatDate } from '../../format';
import { Differences, type Difference } from '../../forms/Differences';
import type { components } from '../../gen/api';
import { t } from '../../messages';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import style from './registers.module.css';

const text = t.versions;

type Version = components['schemas']['KeptVersion'];

export function Versions({ form }: { form: number }) {
  const { data, error, mutate } = useApi<ListPage<Version>>(`/api/forms/${String(form)}/versions`);
  if (error && !data) return <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />;
  if (!data) return <Loading lines={3} />;
  if (data.data.length === 0) return <EmptyState icon="pi-history" title={text.none} />;
  return (
    <div className={style.versions}>
      <p>{text.lead}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.number}</th>
            <th scope="col">{text.since}</th>
            <th scope="col">{text.entries}</th>
          </tr>
        </thead>
        <tbody>
          {data.data.map(({ id, broj, od, unosa }) => (
            <tr key={id}>
              <td>{broj}</td>
              <td>{formatDate(od)}</td>
              <td>{unosa}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Comparison form={form} versions={data.data} />
    </div>
  );
}

/** Today's configuration has no number while nobody has saved by it. */
const TODAY = 0;

function Comparison({ form, versions }: { form: number; versions: readonly Version[] }) {
  const id = useId();
  const numbers = versions.map(({ broj }) => broj);
  const [starija, setOlder] = useState(numbers[0] ?? 1);
  const [novija, setNewer] = useState(TODAY);
  const { data, error, mutate } = useApi<Difference>(`/api/forms/${String(form)}/version-differences`, {
    starija,
    novija: novija === TODAY ? null : novija,
  });
  const options = numbers.map((value) => ({ value, label: text.version(value) }));
  return (
    <section>
      <div className={style.compare}>
        <label htmlFor={`${id}-starija`}>{text.compare}</label>
        <Dropdown inputId={`${id}-starija`} value={starija} options={options} onChange={(e) => setOlder(e.value as number)} />
        <label htmlFor={`${id}-novija`}>{text.with}</label>
        <Dropdown
          inputId={`${id}-novija`}
          value={novija}
          options={[{ value: TODAY, label: text.today }, ...options]}
          onChange={(e) => setNewer(e.value as number)}
        />
      </div>
      {error && !data ? (
        <LoadFailed title={text.differencesFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={3} />
      ) : (
        <Differences difference={data} />
      )}
    </section>
  );
}
