// The versions that a form has had, and what two of them have otherwise. Nothing is changed here.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSWRConfig } from 'swr';
import { at } from '../../api/address';
import { api, ApiError } from '../../api/client';
import { useApi } from '../../api/hooks';
import { formatDateTime } from '../../format';
import type { Schema } from '../../schema';
import { t } from '../../messages';
import { useConfirm } from '../../ui/confirm';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useToast } from '../../ui/toast';
import { useStillHere } from '../../ui/useStillHere';
import { Differences } from '../../versions/Differences';
import { Publications } from '../../versions/Publications';
import { designerAddress } from './operation';
import { Recomputations } from './Recomputations';
import style from './registers.module.css';

const text = t.versions;

/** `mayTakeBack`: the form is opened to be changed. */
export function FormVersions({ form, mayTakeBack }: { form: number; mayTakeBack: boolean }) {
  const takeBack = useTakeBack(form);
  const { data, error, mutate } = useApi(at('/api/forms/{id}/versions', { id: form }));
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
            <th scope="col">{text.publishedBy}</th>
            <th scope="col">{text.entries}</th>
            {mayTakeBack && (
              <th scope="col">
                <span className="sr-only">{t.formDesigner.takeBackColumn}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {data.data.map(({ id, broj, vreme, objave, unosa }) => (
            <tr key={id}>
              <td>{broj}</td>
              <td>{formatDateTime(vreme)}</td>
              <td>
                <Publications of={objave} />
              </td>
              <td>{unosa}</td>
              {mayTakeBack && (
                <td>
                  <Button
                    label={t.formDesigner.takeBackShort}
                    aria-label={t.formDesigner.takeBackTitle(broj)}
                    size="small"
                    text
                    onClick={() => void takeBack(broj)}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Recomputations form={form} mayOrder={mayTakeBack} />
      <Comparison form={form} versions={data.data} />
    </div>
  );
}

/** Makes a draft of a version, in place of the worker's own where there is one, and opens it. */
function useTakeBack(form: number): (broj: number) => Promise<void> {
  const confirm = useConfirm();
  const toast = useToast();
  const navigate = useNavigate();
  const stillHere = useStillHere();
  const { mutate } = useSWRConfig();
  const path = at('/api/forms/{id}/draft', { id: form });
  const words = t.formDesigner;
  return async (verzija) => {
    if (!(await confirm({ title: words.takeBackTitle(verzija), message: words.takeBackQuestion(verzija), accept: words.takeBack }))) return;
    try {
      try {
        await api.post(path, { verzija });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        if (!(await confirm({ message: words.replaceQuestion, accept: words.takeBack, danger: true }))) return;
        await api.delete(path);
        await api.post(path, { verzija });
      }
      await mutate(path, undefined, { revalidate: false });
      if (stillHere()) void navigate(designerAddress(form));
    } catch (error) {
      toast.failure(words.takeBackFailed, error);
    }
  };
}

/** Today's configuration has no number while nobody has saved by it. */
const TODAY = 0;

function Comparison({ form, versions }: { form: number; versions: readonly Schema<'KeptVersion'>[] }) {
  const id = useId();
  const numbers = versions.map(({ broj }) => broj);
  const [starija, setOlder] = useState(numbers[0] ?? 1);
  const [novija, setNewer] = useState(TODAY);
  const { data, error, mutate } = useApi(
    at('/api/forms/{id}/version-differences', { id: form, starija, novija: novija === TODAY ? null : novija }),
  );
  const options = versions.map(({ broj, vreme, objave }) => ({
    value: broj,
    label: text.dated(broj, formatDateTime(vreme), objave[0]?.radnik ?? ''),
  }));
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
