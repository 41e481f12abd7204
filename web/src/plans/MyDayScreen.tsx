// What a worker begins the day with: how many visits are today, open and late, the own drafts, schedules that failed,
// likely pairs of patients. Each count opens its list.
import { Button } from 'primereact/button';
import { Link, useNavigate } from 'react-router';
import { useApi } from '../api/hooks';
import { useWorker } from '../api/session';
import { mayOpen, REPORT_RIGHTS } from '../auth/rights';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Reply } from '../schema';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './plans.module.css';

const text = t.plans.day;
const LISTS = ['danas', 'otvorene', 'kasni'] as const;
/** The server counts no further. */
const COUNTED = 1000;

export default function MyDayScreen() {
  const navigate = useNavigate();
  const { id, prava } = useWorker();
  const { data, error, mutate } = useApi('/api/my-day');
  const { data: questions } = useApi('/api/question-counts');
  return (
    <Page
      title={text.title}
      lead={data && text.lead(formatDate(data.dan))}
      actions={
        <>
          <GuideButton page="myDay" />
          <Button label={t.plans.awaited.title} icon="pi pi-clock" outlined onClick={() => void navigate('/koKasni')} />
          <Button label={t.patients.worklist.title} icon="pi pi-list" outlined onClick={() => void navigate('/mojaLista')} />
        </>
      }
    >
      {error && !data ? (
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={8} />
      ) : (
        <>
          <Panel title={text.mine}>
            <Counts counts={data.moje} doctor={id} />
          </Panel>
          <Panel title={text.all}>
            <Counts counts={data.ustanove} doctor={null} />
          </Panel>
          {questions && questions.cekaju > 0 && (
            <Panel title={t.questions.mine}>
              <Counted count={questions.cekaju} of={t.questions.lists.cekaju} to="/mojiUpiti" />
            </Panel>
          )}
          {data.prestalihPotpisa > 0 && (
            <Panel title={text.signatures(data.prestalihPotpisa)}>
              <EndedSignatures ended={data.prestaliPotpisi} count={data.prestalihPotpisa} />
            </Panel>
          )}
          <Panel title={text.drafts}>
            <Drafts drafts={data.nacrti} />
          </Panel>
          {mayOpen(prava, REPORT_RIGHTS) && data.neuspelaZakazivanja > 0 && (
            <Panel title={text.schedules}>
              <Counted count={data.neuspelaZakazivanja} of={text.schedules} to="/izvestaji" />
            </Panel>
          )}
          {data.verovatniParovi > 0 && (
            <Panel title={text.pairs}>
              <Counted count={data.verovatniParovi} of={text.pairs} to="/spajanjePacijenata" />
            </Panel>
          )}
        </>
      )}
    </Page>
  );
}

function Counts({ counts, doctor }: { counts: Reply<'VisitCounts'>; doctor: number | null }) {
  return (
    <ul className={style.counts}>
      {LISTS.map((list) => (
        <li key={list}>
          <Link to={`/koKasni?${new URLSearchParams({ spisak: list, ...(doctor !== null && { lekar: String(doctor) }) }).toString()}`}>
            <strong>{t.plans.awaited.count(Math.min(counts[list], COUNTED), counts[list] > COUNTED)}</strong>
            {t.plans.awaited.lists[list]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Counted({ count, of, to }: { count: number; of: string; to: string }) {
  return (
    <ul className={style.counts}>
      <li>
        <Link to={to}>
          <strong>{count}</strong>
          {of}
        </Link>
      </li>
    </ul>
  );
}

function EndedSignatures({ ended, count }: { ended: Reply<'MyDay'>['prestaliPotpisi']; count: number }) {
  return (
    <>
      <p className={style.about}>{text.signaturesHelp}</p>
      <ul className={style.list}>
        {ended.map(({ unosID, imePrezime, formular, datumUnosa, radnik, vreme, razlog }) => (
          <li key={unosID}>
            <Link to={entryPath(unosID)}>{text.signatureOf(imePrezime, formular, formatDate(datumUnosa))}</Link>
            <p className={style.small}>{text.endedBy(radnik, formatDateTime(vreme), razlog)}</p>
          </li>
        ))}
        {count > ended.length && <li>{text.moreSignatures(count - ended.length)}</li>}
      </ul>
    </>
  );
}

function Drafts({ drafts }: { drafts: Reply<'MyDay'>['nacrti'] }) {
  if (drafts.length === 0) return <EmptyState icon="pi-check" title={text.noDrafts} />;
  return (
    <ul className={style.list}>
      {drafts.map(({ kljuc, pacijentID, imePrezime, izmenjeno }) => (
        <li key={kljuc}>
          <Link to={`/pacijenti/${pacijentID}`}>{text.draftOf(imePrezime, formatDateTime(izmenjeno))}</Link>
        </li>
      ))}
    </ul>
  );
}
