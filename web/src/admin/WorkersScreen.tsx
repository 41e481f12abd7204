// Workers: their data, roles, password and institutions (B 2.2).
import { Button } from 'primereact/button';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { at } from '../api/address';
import { api } from '../api/client';
import type { Schema } from '../schema';
import type { RoleRow, WorkerRow } from '../api/types';
import { session } from '../api/session';
import { bindFields, type Fields } from '../crud/bindFields';
import { isEditable, savedForm, type ExtraTab, type Mode } from '../crud/CrudDialog';
import { CrudScreen } from '../crud/CrudScreen';
import { LinkList } from '../crud/LinkList';
import { firstMissing, useForm, type Problem } from '../crud/useForm';
import { formatDate, fromServer } from '../format';
import { THEMES } from '../gen/themes';
import { t } from '../messages';
import { DEFAULT_THEME } from '../theme/theme';
import { today } from '../today';
import { useConfirm } from '../ui/confirm';
import { useToast } from '../ui/toast';

const text = t.admin.workers;
const EMPTY: WorkerRow = {
  id: 0,
  username: '',
  password: '',
  ime: '',
  prezime: '',
  lbo: null,
  jmbg: null,
  ustanovaID: null,
  datumRodjenja: null,
  passwordWS: null,
  pol: null,
  adresa: null,
  email: null,
  telefon: null,
  sifra: null,
  theme: DEFAULT_THEME,
};
const SEXES = [
  { value: true, label: t.common.male },
  { value: false, label: t.common.female },
];
const THEME_CHOICES = THEMES.map(({ name }) => ({ value: name, label: name }));

const fullName = ({ ime, prezime }: WorkerRow) => `${ime} ${prezime}`;

export default function WorkersScreen() {
  const passwordTab = usePasswordTab();
  return (
    <CrudScreen<WorkerRow, 'worker'>
      path="/api/workers"
      resource="worker"
      title={text.title}
      what={text.what}
      name={fullName}
      empty={EMPTY}
      columns={[
        'ime',
        'prezime',
        { field: 'datumRodjenja', body: ({ datumRodjenja }) => formatDate(datumRodjenja) },
        'username',
        'ustanovaNaziv',
        'sifra',
        'adresa',
      ]}
      validate={problemOf}
      fields={(field, mode) => <Data field={field} mode={mode} />}
      tabs={(worker, mode) => [
        { title: text.roles, disabled: mode === 'create', content: <Roles worker={worker.id} disabled={!isEditable(mode)} /> },
        passwordTab.of(worker, mode),
        {
          title: text.institutions,
          disabled: mode === 'create',
          content: <Institutions worker={worker.id} disabled={!isEditable(mode)} />,
        },
      ]}
      onSaved={followOwn}
      onClose={passwordTab.reset}
    />
  );
}

function problemOf(worker: WorkerRow, mode: Mode): Problem<WorkerRow> | null {
  const missing = firstMissing(worker, [
    ['username', text.missingUsername],
    ...(mode === 'create' ? ([['password', text.missingPassword]] as const) : []),
    ['ime', text.missingIme],
    ['prezime', text.missingPrezime],
  ]);
  if (missing) return missing;
  return worker.datumRodjenja && !fromServer(worker.datumRodjenja) ? { field: 'datumRodjenja', message: t.common.wrongDate } : null;
}

/** Whoever changes the own record sees it at once: the name, the institution and the theme. */
function followOwn(worker: WorkerRow): void {
  if (worker.id !== session.current()?.id) return;
  const { ustanovaID, ustanovaNaziv = null, theme } = worker;
  session.update({ imePrezime: fullName(worker), ustanovaID, ustanovaNaziv, theme: theme ?? DEFAULT_THEME });
}

interface DataProps {
  field: Fields<WorkerRow, 'worker'>;
  mode: Mode;
}

/** The institutions to which the caller may send workers. */
const OWN = { 'filter.administrira': true };

function Data({ field, mode }: DataProps) {
  return (
    <>
      {field.text('username', { required: true })}
      {mode === 'create' && field.password('password', { required: true })}
      {field.text('ime', { required: true, maxLength: 100 })}
      {field.text('prezime', { required: true, maxLength: 100 })}
      {field.date('datumRodjenja', { max: today() })}
      {field.select('pol', SEXES)}
      {field.text('jmbg', { inputMode: 'numeric' })}
      {field.text('lbo', { inputMode: 'numeric' })}
      {/* Where she works now stays shown, wherever that is. */}
      {field.found<Schema<'Institution'>>('ustanovaID', { path: '/api/institutions', query: OWN, name: ({ naziv }) => naziv })}
      {field.text('sifra')}
      {field.text('adresa', { maxLength: 200 })}
      {field.text('email', { inputMode: 'email', maxLength: 254 })}
      {field.text('telefon', { inputMode: 'tel', maxLength: 50 })}
      {isEditable(mode) && field.password('passwordWS', { help: mode === 'update' && t.admin.institutions.keepPassword })}
      {field.select('theme', THEME_CHOICES, { clearable: false })}
    </>
  );
}

function Roles({ worker, disabled }: { worker: number; disabled: boolean }) {
  return (
    <LinkList<RoleRow>
      path="/api/roles"
      of={{ radnik: worker }}
      name={({ ime }) => ime}
      disabled={disabled}
      add={(id) => api.post('/api/worker-roles', { radnik: worker, uloga: id })}
      remove={(ids) => api.post('/api/worker-roles-delete', { radnikID: worker, ulogeID: ids })}
    />
  );
}

function Institutions({ worker, disabled }: { worker: number; disabled: boolean }) {
  return (
    <LinkList<Schema<'Institution'>>
      path="/api/institutions"
      of={{ radnik: worker }}
      name={({ naziv }) => naziv}
      offered={OWN}
      disabled={disabled}
      add={(id) => api.post('/api/worker-institutions', { radnik: worker, ustanova: id })}
      remove={(ids) => api.post('/api/worker-institutions-delete', { radnikID: worker, ustanoveID: ids })}
    />
  );
}

/** For who has lost both the telephone and the codes on paper. */
function SecondFactorReset({ worker }: { worker: WorkerRow }) {
  const confirm = useConfirm();
  const toast = useToast();
  async function reset() {
    if (!(await confirm({ message: text.resetQuestion(fullName(worker)), accept: text.reset, danger: true }))) return;
    toast.clear();
    try {
      await api.post(at('/api/workers/{id}/second-factor-reset', { id: worker.id }));
      toast.success(text.resetDone(fullName(worker)));
    } catch (error) {
      toast.failure(text.resetFailed, error);
    }
  }
  return (
    <div>
      <Button type="button" label={text.reset} icon="pi pi-shield" severity="secondary" outlined onClick={() => void reset()} />
    </div>
  );
}

/** The account of the hospital's provider that she signs in by. */
function ExternalAccount({ worker }: { worker: WorkerRow }) {
  const confirm = useConfirm();
  const toast = useToast();
  const { mutate } = useSWRConfig();
  const [gone, setGone] = useState(false);
  const since = gone ? null : worker.spoljniNalogOd;
  if (!since) return null;
  async function unlink() {
    if (!(await confirm({ message: text.unlinkQuestion(fullName(worker)), accept: text.unlink, danger: true }))) return;
    toast.clear();
    try {
      await api.post(at('/api/workers/{id}/external-account-unlink', { id: worker.id }));
      setGone(true);
      toast.success(text.unlinkDone(fullName(worker)));
      await mutate((key) => typeof key === 'string' && key.startsWith('/api/workers'));
    } catch (error) {
      toast.failure(text.unlinkFailed, error);
    }
  }
  return (
    <div>
      <p>{text.linkedSince(formatDate(since))}</p>
      <Button type="button" label={text.unlink} icon="pi pi-times" severity="secondary" outlined onClick={() => void unlink()} />
    </div>
  );
}

const NO_PASSWORDS = { novaLozinka: '', potvrdaLozinke: '' };
type Passwords = typeof NO_PASSWORDS;

function problemOfPasswords(passwords: Passwords): Problem<Passwords> | null {
  const missing = firstMissing(passwords, [
    ['novaLozinka', t.profile.missingNew],
    ['potvrdaLozinke', t.profile.missingConfirmation],
  ]);
  if (missing) return missing;
  return passwords.novaLozinka === passwords.potvrdaLozinke ? null : { field: 'potvrdaLozinke', message: t.profile.mismatch };
}

/** An administrator's change of a password asks for no old one, and ends the worker's sessions. */
function usePasswordTab() {
  const form = useForm(NO_PASSWORDS);
  const field = bindFields(form, 'passwordChange');
  const { mutate } = useSWRConfig();
  const of = (worker: WorkerRow, mode: Mode): ExtraTab => ({
    title: text.password,
    disabled: mode !== 'update',
    content: (
      <>
        {field.password('novaLozinka', { required: true, help: text.passwordHelp })}
        {field.password('potvrdaLozinke', { required: true })}
        <SecondFactorReset worker={worker} />
        <ExternalAccount worker={worker} />
      </>
    ),
    form: savedForm({
      form,
      validate: problemOfPasswords,
      act: async (passwords) => {
        await api.post('/api/worker-password-change', { radnikID: worker.id, ...passwords, isAdmin: true });
        await mutate((key) => typeof key === 'string' && key.startsWith('/api/workers'));
      },
      done: text.passwordChanged(fullName(worker)),
      failed: t.profile.passwordFailed,
    }),
  });
  return { of, reset: () => form.reset(NO_PASSWORDS) };
}
