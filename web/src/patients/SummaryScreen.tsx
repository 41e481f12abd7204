// The patient in a register on one page: who it is, the last visit and what changed at it, the newest values, the course; printed as a PDF.
import { Button } from 'primereact/button';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { useApi } from '../api/hooks';
import { printed } from '../api/prints';
import { formatDate, formatNumber, toServerDate } from '../format';
import { t } from '../messages';
import { entryPath, rememberedRegister } from '../places';
import type { Reply } from '../schema';
import { GuideButton } from '../ui/GuideButton';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { openTab, showPdf } from '../ui/pdfTab';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { LongText } from './LatestValues';
import style from './page.module.css';
import { PatientBanner } from './PatientBanner';
import { Changes, summaryOf } from './SinceLastVisit';
import { Trend } from './Trend';

const text = t.patients.summary;

export default function SummaryScreen() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  const register = Number(query.get('registar')) || rememberedRegister();
  const isNumber = /^\d+$/.test(id);
  const patient = Number(id);
  const { data, error, mutate } = useApi(isNumber && register !== null ? summaryOf(patient, register) : null);
  const navigate = useNavigate();
  if (!isNumber || register === null || error?.status === 404) return <NotFound />;
  if (!data) {
    return (
      <Page title={text.title}>
        {error ? <LoadFailed title={text.failed} error={error} retry={() => void mutate()} /> : <Loading lines={8} />}
      </Page>
    );
  }
  const { pacijent, registar, poseta, obrasci } = data;
  const last = obrasci.find(({ poslednjaPoseta }) => poslednjaPoseta);
  return (
    <Page
      title={text.title}
      lead={registar}
      about={<PatientBanner patient={pacijent} on={toServerDate(new Date())} linked />}
      breadcrumb={[
        { label: t.registers.title, to: '/registri' },
        { label: registar, to: `/registri/${register}` },
        { label: `${pacijent.prezime} ${pacijent.ime}`, to: `/pacijenti/${id}` },
        { label: text.title },
      ]}
      actions={
        <>
          <Button label={t.entries.patient} icon="pi pi-user" outlined onClick={() => void navigate(`/pacijenti/${id}`)} />
          {last && <PrintSummary entry={last.unosID} />}
          <GuideButton page="visits" />
        </>
      }
    >
      {!poseta ? (
        <Panel>
          <EmptyState icon="pi-calendar" title={t.patients.visits.none} />
        </Panel>
      ) : (
        <>
          <Panel title={text.course}>
            <Counts summary={data} />
          </Panel>
          <Panel title={t.patients.since.title}>
            <Changes forms={obrasci} />
          </Panel>
          <Panel title={text.values}>
            {obrasci.map((form) => (
              <FormValues key={form.tsaID} form={form} />
            ))}
          </Panel>
          <Trend patient={patient} register={register} />
        </>
      )}
    </Page>
  );
}

function Counts({ summary: { poseta, brojPoseta, brojUnosa, prvaPoseta } }: { summary: Reply<'PatientSummary'> }) {
  const rows = [
    [text.lastVisit, poseta ? formatDate(poseta.datum) : null],
    [text.doctor, poseta?.lekar],
    [text.institution, poseta?.ustanova],
    [text.firstVisit, prvaPoseta ? formatDate(prvaPoseta) : null],
    [text.visits, formatNumber(brojPoseta)],
    [text.entries, formatNumber(brojUnosa)],
  ] as const;
  return (
    <dl className={style.data}>
      {rows.map(([name, shown]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

function FormValues({ form: { unosID, naziv, datum, vrednosti, ukupno } }: { form: Reply<'FormSummary'> }) {
  return (
    <div role="group" className={style.group} aria-label={naziv}>
      <h3 className={style.groupName}>
        <Link to={entryPath(unosID)}>{naziv}</Link> <span className={style.when}>{formatDate(datum)}</span>
      </h3>
      <dl className={style.values}>
        {vrednosti.map(({ naziv: name, tekst }, i) => (
          <div key={i} data-long={tekst.length > 40}>
            <dt>{name}</dt>
            <dd>
              <LongText text={tekst} />
            </dd>
          </div>
        ))}
      </dl>
      {ukupno > vrednosti.length && <p className={style.nothing}>{text.more(ukupno - vrednosti.length)}</p>}
    </div>
  );
}

function PrintSummary({ entry }: { entry: number }) {
  const [printing, setPrinting] = useState(false);
  const toast = useToast();
  async function print() {
    const tab = openTab(t.entries.printing);
    setPrinting(true);
    try {
      const pdf = await printed({ unosID: entry, sazetak: true }, () => !tab?.closed);
      if (pdf) showPdf(tab, pdf);
    } catch (error) {
      tab?.close();
      toast.failure(t.entries.printFailed, error);
    } finally {
      setPrinting(false);
    }
  }
  return <Button label={t.entries.print} icon="pi pi-print" outlined loading={printing} disabled={printing} onClick={() => void print()} />;
}
