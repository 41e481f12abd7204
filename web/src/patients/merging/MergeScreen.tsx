// Two records side by side, field by field: which value stays, what moves, what stands in the way; merged, or proposed to the other keeper.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { InputTextarea } from 'primereact/inputtextarea';
import { Message } from 'primereact/message';
import { RadioButton } from 'primereact/radiobutton';
import { useId, useState, type SyntheticEvent } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { at } from '../../api/address';
import { api, ApiError, messageOf } from '../../api/client';
import { useApi } from '../../api/hooks';
import type { Reply } from '../../schema';
import { formatDate, formatDateTime } from '../../format';
import { label, t } from '../../messages';
import { Field } from '../../ui/Field';
import { NotFound } from '../../ui/NotFound';
import { Page } from '../../ui/Page';
import { Panel } from '../../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../../ui/states';
import { useConfirm } from '../../ui/confirm';
import { useToast } from '../../ui/toast';
import { fieldText, shownPatientFields, type PatientField } from '../patientColumns';
import { Guide } from './Guide';
import style from './merging.module.css';
import { ReasonDialog, SHORTEST_REASON } from './ReasonDialog';

const text = t.merging;

export default function MergeScreen() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  if (!/^\d+$/.test(id)) return <NotFound />;
  const other = query.get('drugi');
  return (
    <Page
      title={text.mergeScreen}
      lead={text.mergeLead}
      breadcrumb={[{ label: text.screen, to: '/spajanjePacijenata' }, { label: text.mergeScreen }]}
      actions={<Guide label={text.guide} title={text.guideTitle} text={text.guideText} />}
    >
      {other ? <Both key={`${id} ${other}`} left={Number(id)} other={other} proposal={query.get('predlog')} /> : <OtherRecord />}
    </Page>
  );
}

/** Asks for the other record. */
function OtherRecord() {
  const [, setQuery] = useSearchParams();
  const [other, setOther] = useState('');
  return (
    <Panel>
      <form
        className={style.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (other.trim()) setQuery({ drugi: other.trim() });
        }}
      >
        <Field label={text.other} required help={text.otherHelp}>
          {(control) => <InputText {...control} value={other} inputMode="numeric" onChange={({ target }) => setOther(target.value)} />}
        </Field>
        <div>
          <Button type="submit" label={text.find} />
        </div>
      </form>
    </Panel>
  );
}

function Both({ left, other, proposal }: { left: number; other: string; proposal: string | null }) {
  const asked = { pacijentID: left, drugi: other, predlogID: proposal ? Number(proposal) : null };
  const { data, error, mutate } = useApi(at('/api/patient-merges/preview', asked), { revalidateOnFocus: false });
  if (error?.status === 404) {
    return (
      <>
        <Panel>
          <EmptyState icon="pi-lock" title={text.notFound} />
        </Panel>
        <OtherRecord />
      </>
    );
  }
  if (error && !data) {
    return (
      <Panel>
        <LoadFailed error={error} retry={() => void mutate()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <Panel>
        <Loading lines={8} />
      </Panel>
    );
  }
  return <Comparison preview={data} proposal={proposal ? Number(proposal) : null} />;
}

function Comparison({ preview, proposal }: { preview: Reply<'MergePreview'>; proposal: number | null }) {
  const { pobednik, gubitnik, razlike, prepreke, sukobi, posleSmrti, premesta, saglasnost } = preview;
  const { data: flags } = useApi('/api/parameter/pacijent');
  const [fromGone, setFromGone] = useState<readonly PatientField[]>([]);
  const navigate = useNavigate();
  // What is shown nowhere else is compared all the same: a value must not be lost unseen.
  const shown = shownPatientFields(flags);
  const fields = [...shown, ...(razlike as PatientField[]).filter((field) => !shown.includes(field))];
  const choose = (field: PatientField, gone: boolean) =>
    setFromGone(gone ? [...fromGone, field] : fromGone.filter((chosen) => chosen !== field));
  return (
    <>
      {prepreke.length > 0 && <Message severity="error" text={`${text.obstacles}. ${prepreke.join(' ')}`} />}
      <Panel
        flush
        actions={
          proposal === null && (
            <Button
              label={text.swap}
              icon="pi pi-arrow-right-arrow-left"
              text
              size="small"
              onClick={() => void navigate(`/spajanjePacijenata/${String(gubitnik.id)}?drugi=${String(pobednik.id)}`, { replace: true })}
            />
          )
        }
      >
        <div className={style.narrow}>
          <table className={style.fields} aria-label={text.mergeScreen}>
            <thead>
              <tr>
                <th scope="col">{text.field}</th>
                {[[text.stays, pobednik] as const, [text.goes, gubitnik] as const].map(([name, side]) => (
                  <th key={name} scope="col">
                    {name}
                    <small>{text.registeredBy(side.ustanova, formatDateTime(side.vremeKreiranja))}</small>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <Row
                  key={field}
                  field={field}
                  preview={preview}
                  differs={razlike.includes(field)}
                  gone={fromGone.includes(field)}
                  choose={proposal === null ? (gone) => choose(field, gone) : null}
                />
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
      <Panel title={text.moves}>
        {premesta.length === 0 ? (
          <p>{text.movesNothing}</p>
        ) : (
          <ul className={style.counts}>
            {premesta.map(({ tabela, redova }) => (
              <li key={tabela}>
                {text.tables[tabela] ?? tabela}: {redova}
              </li>
            ))}
          </ul>
        )}
        {posleSmrti.length > 0 && (
          <>
            <Message severity="warn" text={text.afterDeath(formatDate(posleSmrti[0]?.smrt ?? ''))} />
            <ul className={style.counts}>
              {posleSmrti.map(({ formular, dan }, at) => (
                <li key={`${formular} ${dan} ${String(at)}`}>{`${formular}, ${formatDate(dan)}`}</li>
              ))}
            </ul>
          </>
        )}
        {sukobi.length > 0 && (
          <>
            <p>{text.conflicts}</p>
            <ul className={style.counts}>
              {sukobi.map(({ formular, dan, broj, najvise }) => (
                <li key={`${formular} ${dan ?? ''}`}>{text.conflict(formular, dan ? formatDate(dan) : null, broj, najvise)}</li>
              ))}
            </ul>
          </>
        )}
      </Panel>
      {proposal === null ? (
        <Act preview={preview} fromGone={fromGone} asked={saglasnost ?? null} blocked={prepreke.length > 0} />
      ) : (
        <Answer proposal={proposal} left={pobednik.id} blocked={prepreke.length > 0} />
      )}
    </>
  );
}

interface RowProps {
  field: PatientField;
  preview: Reply<'MergePreview'>;
  differs: boolean;
  gone: boolean;
  choose: ((gone: boolean) => void) | null;
}

function Row({ field, preview, differs, gone, choose }: RowProps) {
  const id = useId();
  const name = label(`patient.${field}`);
  return (
    <tr className={differs ? style.differs : undefined}>
      <th scope="row">
        {name}
        {differs && <small>{text.differs}</small>}
      </th>
      {[preview.pobednik, preview.gubitnik].map((side, at) => {
        const value = fieldText(side.podaci, field);
        if (!differs || !choose) return <td key={side.id}>{value}</td>;
        return (
          <td key={side.id}>
            <label className={style.choice} htmlFor={`${id}-${String(at)}`}>
              <RadioButton
                inputId={`${id}-${String(at)}`}
                name={id}
                checked={gone === (at === 1)}
                onChange={() => choose(at === 1)}
                aria-label={text.choose(name, value)}
              />
              {value}
            </label>
          </td>
        );
      })}
    </tr>
  );
}

/** Tries; where the server asks about an oddity, asks the worker and tries once more. */
async function confirming<T>(ask: (message: string) => Promise<boolean>, call: (potvrde: string[]) => Promise<T>): Promise<T | null> {
  try {
    return await call([]);
  } catch (failure) {
    const asked = failure instanceof ApiError ? (failure.answer?.potvrde ?? []) : [];
    if (asked.length === 0) throw failure;
    if (!(await ask(asked.map(({ tekst }) => tekst).join(' ')))) return null;
    return call(asked.map(({ oznaka }) => oznaka));
  }
}

function Act({
  preview: { pobednik, gubitnik },
  fromGone,
  asked,
  blocked,
}: {
  preview: Reply<'MergePreview'>;
  fromGone: readonly PatientField[];
  asked: string | null;
  blocked: boolean;
}) {
  const [razlog, setRazlog] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const confirm = useConfirm();
  const navigate = useNavigate();

  async function merge(event: SyntheticEvent) {
    event.preventDefault();
    if (razlog.trim().length < SHORTEST_REASON) return setError(text.reasonMissing);
    setBusy(true);
    setError(null);
    const body = {
      pobednikID: pobednik.id,
      gubitnikID: gubitnik.id,
      odGubitnika: [...fromGone],
      razlog,
      verzijaPobednika: pobednik.verzija,
      verzijaGubitnika: gubitnik.verzija,
    };
    try {
      const made = await confirming(
        (message) => confirm({ message, accept: t.common.yes }),
        (potvrde) => api.post('/api/patient-merges', { ...body, potvrde }),
      );
      if (made) {
        toast.success(made.spajanjeID ? text.merged : text.proposed);
        return void navigate(made.spajanjeID ? `/pacijenti/${String(pobednik.id)}` : '/spajanjePacijenata');
      }
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy(false);
  }

  return (
    <Panel>
      <form className={style.form} onSubmit={(event) => void merge(event)} noValidate>
        {asked && <p>{text.agreement(asked)}</p>}
        <Field label={text.reason} required error={error} help={text.reasonHelp}>
          {(control) => (
            <InputTextarea {...control} value={razlog} rows={2} autoResize onChange={({ target }) => setRazlog(target.value)} />
          )}
        </Field>
        <div>
          <Button type="submit" label={asked ? text.propose(asked) : text.merge} disabled={blocked} loading={busy} />
        </div>
      </form>
    </Panel>
  );
}

function Answer({ proposal, left, blocked }: { proposal: number; left: number; blocked: boolean }) {
  const [declining, setDeclining] = useState(false);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const confirm = useConfirm();
  const navigate = useNavigate();

  async function accept() {
    setBusy(true);
    try {
      const made = await confirming(
        (message) => confirm({ message, accept: t.common.yes }),
        (potvrde) => api.post(at('/api/patient-merge-proposals/{id}/accept', { id: proposal }), { potvrde }),
      );
      if (made) {
        toast.success(text.merged);
        return void navigate(`/pacijenti/${String(left)}`);
      }
    } catch (failure) {
      toast.failure(text.mergeFailed, failure);
    }
    setBusy(false);
  }

  return (
    <div className={style.actions}>
      <Button label={text.accept} disabled={blocked} loading={busy} onClick={() => void accept()} />
      <Button label={text.decline} outlined severity="danger" disabled={busy} onClick={() => setDeclining(true)} />
      {declining && (
        <ReasonDialog
          title={text.declineTitle}
          accept={text.decline}
          onClose={() => setDeclining(false)}
          give={async (razlog) => {
            await api.post(at('/api/patient-merge-proposals/{id}/decline', { id: proposal }), { razlog });
            toast.success(text.declined);
            void navigate('/spajanjePacijenata');
          }}
        />
      )}
    </div>
  );
}
