// The signed-in worker's own data, looks and password (A 2.11).
import { Button } from 'primereact/button';
import { useId, useState, type SyntheticEvent } from 'react';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { session, useWorker } from '../api/session';
import { bindFields } from '../crud/bindFields';
import { faultOf } from '../crud/faultOf';
import { firstMissing, payload, useForm, type Problem } from '../crud/useForm';
import { fromServer } from '../format';
import { t } from '../messages';
import { today } from '../today';
import { useFaultFocus } from '../ui/formFocus';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import { useUnsaved } from '../ui/useUnsaved';
import { PasswordDialog } from './PasswordDialog';
import { SecondFactorPanel } from './SecondFactorPanel';
import { SessionsPanel } from './SessionsPanel';
import { StartPanel } from './StartPanel';
import { ThemePicker } from './ThemePicker';
import style from './profile.module.css';

export default function ProfileScreen() {
  const { id } = useWorker();
  const { data, error, mutate } = useApi(at('/api/workers/{id}', { id }), { revalidateOnFocus: false });
  const [changingPassword, setChangingPassword] = useState(false);
  return (
    <Page
      title={t.profile.title}
      actions={<Button label={t.profile.changePassword} icon="pi pi-key" outlined onClick={() => setChangingPassword(true)} />}
    >
      <Panel title={t.profile.personal}>
        {error && !data ? (
          <LoadFailed error={error} retry={() => void mutate()} />
        ) : data ? (
          <PersonalData profile={data} onSaved={(next) => void mutate(next)} />
        ) : (
          <Loading lines={6} />
        )}
      </Panel>
      <Panel title={t.profile.appearance}>
        <ThemePicker />
      </Panel>
      <StartPanel />
      <SecondFactorPanel />
      <SessionsPanel />
      {changingPassword && <PasswordDialog onClose={() => setChangingPassword(false)} />}
    </Page>
  );
}

type Personal = Required<Pick<Reply<'Worker'>, 'username' | 'ime' | 'prezime' | 'datumRodjenja' | 'pol' | 'adresa' | 'email' | 'telefon'>>;

const personal = ({ username, ime, prezime, datumRodjenja, pol, adresa, email, telefon }: Reply<'Worker'>): Personal => ({
  username,
  ime,
  prezime,
  datumRodjenja,
  pol,
  adresa,
  email,
  telefon,
});

/** What another person changed meanwhile and this one did not stays as it is. */
const changed = (before: Personal, after: Personal): Partial<Personal> =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof Personal]));

function problemOf(record: Personal): Problem<Personal> | null {
  const missing = firstMissing(record, [
    ['ime', t.profile.missingIme],
    ['prezime', t.profile.missingPrezime],
  ]);
  if (missing) return missing;
  return record.datumRodjenja && !fromServer(record.datumRodjenja) ? { field: 'datumRodjenja', message: t.common.wrongDate } : null;
}

const SEXES = [
  { value: true, label: t.common.male },
  { value: false, label: t.common.female },
];

function PersonalData({ profile, onSaved }: { profile: Reply<'Worker'>; onSaved: (profile: Reply<'Worker'>) => void }) {
  const form = useForm(personal(profile));
  const field = bindFields(form, 'worker');
  const id = useId();
  useFaultFocus(id, form.problem);
  useUnsaved(form.changed);
  const [busy, setBusy] = useState(false);
  const toast = useToast();

  async function save(event: SyntheticEvent) {
    event.preventDefault();
    const problem = problemOf(form.record);
    form.fail(problem);
    if (problem) return;
    setBusy(true);
    toast.clear();
    try {
      const saved = await api.patch(at('/api/workers/{id}', { id: profile.id }), changed(personal(profile), payload(form.record)));
      onSaved(saved);
      form.reset(personal(saved));
      session.update({ imePrezime: saved.imePrezime });
      toast.success(t.profile.saved);
    } catch (error) {
      const fault = await faultOf(error, form);
      form.fail(fault);
      toast.error(t.profile.failed, fault.message);
    }
    setBusy(false);
  }

  return (
    <form id={id} onSubmit={(event) => void save(event)} noValidate>
      <div className={style.fields}>
        {field.text('username', { readOnly: true })}
        {field.text('ime', { required: true, maxLength: 100 })}
        {field.text('prezime', { required: true, maxLength: 100 })}
        {field.date('datumRodjenja', { max: today() })}
        {field.select('pol', SEXES)}
        {field.text('adresa', { maxLength: 200 })}
        {field.text('email', { inputMode: 'email', maxLength: 254 })}
        {field.text('telefon', { inputMode: 'tel', maxLength: 50 })}
      </div>
      <div className={style.actions}>
        <Button type="submit" label={t.common.save} icon="pi pi-check" loading={busy} disabled={!form.changed} />
        <Button
          type="button"
          label={t.common.reset}
          severity="secondary"
          outlined
          disabled={!form.changed || busy}
          onClick={() => form.reset(personal(profile))}
        />
      </div>
    </form>
  );
}
