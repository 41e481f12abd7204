// What the patient's last visit says otherwise than the visits before it: changes only.
import { Link } from 'react-router';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { EMPTY, formatDate, formatNumber } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Schema } from '../schema';
import { FoldingPanel } from '../ui/FoldingPanel';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { LongText } from './LatestValues';
import style from './page.module.css';

const text = t.patients.since;

/** Changes of a form that the patient's page shows at once; the others a press away, so that what comes after is not far down. */
const MOST = 8;

export const summaryOf = (patient: number, register: number) => at('/api/patients/{id}/summary', { id: patient, registarID: register });

export function SinceLastVisit({ patient, register }: { patient: number; register: number }) {
  const { data, error, mutate } = useApi(summaryOf(patient, register));
  if (error && !data) {
    return (
      <Panel title={text.title}>
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  if (data && !data.poseta) return null;
  return (
    <FoldingPanel
      title={
        <>
          {text.title} {data?.poseta && <span className={style.when}>{formatDate(data.poseta.datum)}</span>}
        </>
      }
      actions={<Link to={`/pacijenti/${patient}/sazetak?registar=${register}`}>{text.summary}</Link>}
    >
      {data ? <Changes forms={data.obrasci} most={MOST} /> : <Loading lines={4} />}
    </FoldingPanel>
  );
}

/** Those of the last visit; a form that was filled in for the first time changes nothing. */
export function Changes({ forms, most }: { forms: readonly Schema<'FormSummary'>[]; most?: number }) {
  const own = forms.filter(({ poslednjaPoseta }) => poslednjaPoseta);
  return own.map(({ unosID, naziv, promene, prviPut }) => (
    <section key={unosID} className={style.group} aria-label={naziv}>
      <h3 className={style.groupName}>
        <Link to={entryPath(unosID)}>{naziv}</Link>
      </h3>
      {promene.length === 0 ? (
        <p className={style.nothing}>{prviPut ? text.first : text.nothing}</p>
      ) : (
        <>
          <ChangeList changes={promene.slice(0, most)} />
          {most !== undefined && promene.length > most && (
            <details className={style.moreChanges}>
              <summary>{text.more(promene.length - most)}</summary>
              <ChangeList changes={promene.slice(most)} />
            </details>
          )}
        </>
      )}
    </section>
  ));
}

function ChangeList({ changes }: { changes: readonly Schema<'ChangedValue'>[] }) {
  return (
    <dl className={style.changes}>
      {changes.map((change) => (
        <Change key={change.polje} change={change} />
      ))}
    </dl>
  );
}

function Change({ change: { naziv, sada, pre, datum, razlika } }: { change: Schema<'ChangedValue'> }) {
  const by = razlika ?? null;
  return (
    <div>
      <dt>{naziv}</dt>
      <dd>
        <strong>{sada == null ? EMPTY : <LongText text={sada} />}</strong>
        {by !== null && by !== 0 && (
          <span className={style.difference}>
            <span aria-hidden>
              {by > 0 ? '↑' : '↓'} {formatNumber(Math.abs(by))}
            </span>
            <span className="sr-only">{t.entries.difference(by, formatNumber(Math.abs(by)))}</span>
          </span>
        )}
        <small>{pre == null ? text.wasBlank : text.was(pre, formatDate(datum ?? null))}</small>
      </dd>
    </div>
  );
}
