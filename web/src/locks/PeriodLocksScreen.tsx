// Periods that are locked in the worker's institution: closed over the entries of a register up to a day, and opened again with a reason.
import { Button } from 'primereact/button';
import { Dropdown } from 'primereact/dropdown';
import { InputTextarea } from 'primereact/inputtextarea';
import { Tag } from 'primereact/tag';
import { useState } from 'react';
import { Link } from 'react-router';
import { at as path } from '../api/address';
import { api } from '../api/client';
import { useApi, useList } from '../api/hooks';
import { formatDate, formatDateTime, formatNumber } from '../format';
import { t } from '../messages';
import { searchPath } from '../patients/searchLink';
import type { Reply } from '../schema';
import { DateInput } from '../ui/DateInput';
import { DeedDialog } from '../ui/DeedDialog';
import { Field } from '../ui/Field';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './locks.module.css';

const text = t.entryStates.periods;
const [SHORTEST, LONGEST] = [3, 500];
type PeriodLock = Reply<'PeriodLock'>;

const isReason = (typed: string): boolean => typed.trim().length >= SHORTEST && typed.trim().length <= LONGEST;

export default function PeriodLocksScreen() {
  const { data, error, mutate } = useApi('/api/period-locks');
  const [locking, setLocking] = useState(false);
  const [unlocked, setUnlocked] = useState<PeriodLock | null>(null);
  const toast = useToast();
  const done = (told: string) => {
    setLocking(false);
    setUnlocked(null);
    toast.success(told);
    void mutate();
  };
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <Button type="button" label={text.lock} icon="pi pi-lock" onClick={() => setLocking(true)} />
          <GuideButton page="entryStates" />
        </>
      }
    >
      <Panel flush>
        {error && !data ? (
          <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={6} />
        ) : data.data.length === 0 ? (
          <EmptyState icon="pi-lock-open" title={text.none} help={text.lockHelp} />
        ) : (
          <Table locks={data.data} unlock={setUnlocked} />
        )}
      </Panel>
      {locking && <LockDialog onClose={() => setLocking(false)} onDone={() => done(text.lockedNow)} />}
      {unlocked && <UnlockDialog lock={unlocked} onClose={() => setUnlocked(null)} onDone={() => done(text.unlockedNow)} />}
    </Page>
  );
}

function Table({ locks, unlock }: { locks: readonly PeriodLock[]; unlock: (lock: PeriodLock) => void }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.table} tabIndex={0} role="region" aria-label={text.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.register}</th>
            <th scope="col">{text.until}</th>
            <th scope="col">{text.locked}</th>
            <th scope="col">{text.unlocked}</th>
          </tr>
        </thead>
        <tbody>
          {locks.map((lock) => (
            <tr key={lock.id} data-over={lock.otkljucano != null}>
              <td>{lock.registar}</td>
              <td>{formatDate(lock.doDana)}</td>
              <td>
                {lock.radnik}, {formatDateTime(lock.vreme)}
                <div className={style.small}>{lock.razlog}</div>
              </td>
              <td>
                {lock.otkljucano == null ? (
                  <span className={style.inForce}>
                    <Tag value={text.inForce} icon="pi pi-lock" severity="warning" />
                    <Button
                      type="button"
                      label={text.unlock}
                      aria-label={text.unlockOf(lock.registar, formatDate(lock.doDana))}
                      icon="pi pi-lock-open"
                      size="small"
                      outlined
                      onClick={() => unlock(lock)}
                    />
                  </span>
                ) : (
                  <>
                    {lock.otkljucao}, {formatDateTime(lock.otkljucano)}
                    <div className={style.small}>{lock.razlogOtkljucavanja}</div>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Missing = 'register' | 'until' | 'reason';
const MISSING: Readonly<Record<Missing, string>> = {
  register: text.registerMissing,
  until: text.untilMissing,
  reason: t.entryStates.reasonMissing,
};

function LockDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { data: registers } = useList('/api/registers');
  const [registarID, setRegister] = useState<number | null>(null);
  const [doDana, setUntil] = useState<string | null>(null);
  const [razlog, setReason] = useState('');
  const lacking = (): Missing | null => (registarID === null ? 'register' : doDana === null ? 'until' : isReason(razlog) ? null : 'reason');
  return (
    <DeedDialog
      title={text.lock}
      accept={text.lock}
      className={style.dialog}
      formClassName={style.form}
      missing={() => {
        const what = lacking();
        return what && MISSING[what];
      }}
      deed={async () => {
        await api.post('/api/period-locks', { registarID, doDana, razlog });
        onDone();
      }}
      onClose={onClose}
    >
      {(fault) => {
        const at = (what: Missing) => (fault === MISSING[what] ? fault : null);
        const isOther = fault !== null && !Object.values(MISSING).includes(fault);
        return (
          <>
            <p className={style.help}>{text.lockHelp}</p>
            <Field label={text.register} required error={at('register')}>
              {({ id, ...control }) => (
                <Dropdown
                  {...control}
                  inputId={id}
                  value={registarID}
                  placeholder={t.common.choose}
                  options={(registers?.data ?? []).map(({ id, naziv }) => ({ value: id, label: naziv }))}
                  onChange={({ value }: { value: number }) => setRegister(value)}
                />
              )}
            </Field>
            <Field label={text.until} required error={at('until') ?? (isOther ? fault : null)}>
              {(control) => <DateInput {...control} value={doDana} onChange={setUntil} />}
            </Field>
            {registarID !== null && doDana !== null && <Unfinished register={registarID} until={doDana} />}
            <Field label={t.entryStates.reason} required error={at('reason')}>
              {(control) => (
                <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setReason(target.value)} />
              )}
            </Field>
          </>
        );
      }}
    </DeedDialog>
  );
}

/** What a lock would leave undone: each number opens its patients, in a window of its own so that what was typed here stays. */
function Unfinished({ register, until }: { register: number; until: string }) {
  const { data, error } = useApi(path('/api/period-locks/unfinished', { registarID: register, doDana: until }), {
    keepPreviousData: false,
  });
  if (error) return <p className={style.help}>{text.unfinishedFailed}</p>;
  if (!data) return <Loading lines={2} />;
  const of = [
    { count: data.uRadu, says: text.inWork, asks: { stanjeUnosa: 'uRadu' } as const },
    { count: data.saUpitom, says: text.questioned, asks: { otvoreno: 'upit' } as const },
    { count: data.saNalazom, says: text.foundWrong, asks: { otvoreno: 'nalaz' } as const },
  ].filter(({ count }) => count > 0);
  return (
    <div className={style.unfinished} role="status">
      <span>
        {of.length === 0 ? text.nothingUnfinished(data.unosa, formatNumber(data.unosa)) : text.unfinished(formatNumber(data.unosa))}
      </span>
      {of.length > 0 && (
        <ul>
          {of.map(({ count, says, asks }) => (
            <li key={says(1, '1')}>
              <Link to={searchPath(register, { ...asks, unosOd: data.od, unosDo: until })} target="_blank">
                {says(count, formatNumber(count))}
                <span className="sr-only"> {t.patients.form.newWindow}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function UnlockDialog({ lock, onClose, onDone }: { lock: PeriodLock; onClose: () => void; onDone: () => void }) {
  const [razlog, setReason] = useState('');
  return (
    <DeedDialog
      title={text.unlockTitle}
      accept={text.unlock}
      className={style.dialog}
      formClassName={style.form}
      missing={() => (isReason(razlog) ? null : t.entryStates.reasonMissing)}
      deed={async () => {
        await api.post(path('/api/period-locks/{id}/unlock', { id: lock.id }), { razlog });
        onDone();
      }}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <p className={style.help}>{text.unlockHelp(lock.registar, formatDate(lock.doDana))}</p>
          <Field label={t.entryStates.reason} required error={fault}>
            {(control) => (
              <InputTextarea {...control} value={razlog} rows={3} autoResize onChange={({ target }) => setReason(target.value)} />
            )}
          </Field>
        </>
      )}
    </DeedDialog>
  );
}
