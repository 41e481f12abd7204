// A register: its data, and its forms (B 2.3). A new one has an empty id in the address and comes with the navigation's state.
import { TabPanel, TabView } from 'primereact/tabview';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { useState } from 'react';
import type { FormRow, RegisterRow } from '../../api/types';
import { bindFields } from '../../crud/bindFields';
import { isEditable, type Mode } from '../../crud/CrudDialog';
import { useCrud } from '../../crud/useCrud';
import { firstMissing, useForm } from '../../crud/useForm';
import { t } from '../../messages';
import { Page } from '../../ui/Page';
import { ConsentTexts } from './ConsentTexts';
import { ExchangeButtons } from './exchange/ExchangeButtons';
import { Opened, useOpened } from './opened';
import { formAddress, REGISTERS, type FormState, type RegisterState } from './operation';
import { Group, RecordForm } from './RecordForm';
import { Plans } from './plans/Plans';
import { RecordList } from './RecordList';
import style from './registers.module.css';

const text = t.registerForms;
const RESULTS = 200;
const COUNTS = [50, 100, 200, 1000, -1].map((value) => ({ value, label: value === -1 ? text.all : String(value) }));
const EMPTY: RegisterRow = {
  id: 0,
  naziv: '',
  sifra: null,
  opis: null,
  nazivPrviUnos: null,
  prviTipHijerarhijeAtributaID: null,
  nazivPodrazumevaniUnos: null,
  podrazumevaniTipHijerarhijeAtributaID: null,
  brojRezultataUPretrazi: RESULTS,
  prikazTekucihUnosaKodPretrage: false,
  logoPutanja: null,
  uzrociStatusa: null,
  pristanakRegistar: false,
  pristanakIstrazivanje: false,
  pristanakKontakt: false,
  pristanakRazmena: false,
};

export default function RegisterScreen() {
  const { id } = useParams();
  const state = useLocation().state as RegisterState | null;
  if (!id && state?.registarOperation !== 'create') return <Navigate to={REGISTERS} replace />;
  const mode = id ? (state?.registarOperation ?? 'update') : 'create';
  return <RegisterPage key={id ?? ''} id={id} mode={mode} tab={state?.tab ?? 0} />;
}

function RegisterPage({ id, mode, tab }: { id: string | undefined; mode: Mode; tab: number }) {
  const { data, error, retry } = useOpened<RegisterRow>('/api/registers', id);
  const [active, setActive] = useState(tab);
  const register = id ? data : EMPTY;
  const title = id ? (data?.naziv ?? text.register) : text.newRegister;
  return (
    <Page title={title} breadcrumb={[{ label: text.registers, to: REGISTERS }, { label: title }]}>
      <Opened record={register} error={error} retry={retry}>
        {(register) => (
          <TabView className={style.tabs} renderActiveOnly={false} activeIndex={active} onTabChange={({ index }) => setActive(index)}>
            <TabPanel header={text.register}>
              <Data key={data?.verzija} register={register} mode={mode} />
            </TabPanel>
            <TabPanel header={text.forms} disabled={mode === 'create'}>
              {mode !== 'create' && <Forms register={register.id} mode={mode} />}
            </TabPanel>
            <TabPanel header={t.consents.texts} disabled={mode === 'create'}>
              {mode !== 'create' && <ConsentTexts register={register.id} mayChange={mode === 'update'} />}
            </TabPanel>
            <TabPanel header={t.plans.plans} disabled={mode === 'create'}>
              {mode !== 'create' && <Plans register={register.id} mayChange={mode === 'update'} />}
            </TabPanel>
          </TabView>
        )}
      </Opened>
    </Page>
  );
}

function Data({ register, mode }: { register: RegisterRow; mode: Mode }) {
  const form = useForm(register, !isEditable(mode));
  const navigate = useNavigate();
  const field = bindFields<RegisterRow, 'register'>(form, 'register');
  const first = (name: 'prviTipHijerarhijeAtributaID' | 'podrazumevaniTipHijerarhijeAtributaID') =>
    mode === 'create'
      ? field.select(name, [], { readOnly: true, help: text.noFormsYet })
      : field.found<FormRow>(name, { path: '/api/forms', query: { registar: register.id }, name: ({ naziv }) => naziv });
  return (
    <RecordForm
      mode={mode}
      path="/api/registers"
      form={form}
      validate={(record) => firstMissing(record, [['naziv', text.missingNaziv]])}
      onLeave={() => void navigate(REGISTERS)}
    >
      <Group title={text.basic}>
        {field.text('naziv', { required: true })}
        {field.text('sifra')}
        {field.area('opis')}
      </Group>
      <Group title={text.firstEntries}>
        {field.text('nazivPrviUnos')}
        {first('prviTipHijerarhijeAtributaID')}
        {field.text('nazivPodrazumevaniUnos')}
        {first('podrazumevaniTipHijerarhijeAtributaID')}
      </Group>
      <Group title={text.search}>
        {field.select('brojRezultataUPretrazi', COUNTS, { unchosen: text.resultsAsParameter })}
        {field.text('logoPutanja', { help: text.logoHelp })}
        {field.toggle('prikazTekucihUnosaKodPretrage')}
      </Group>
      <Group title={t.consents.title}>
        {field.toggle('pristanakRegistar', { help: text.consentHelp })}
        {field.toggle('pristanakIstrazivanje', { help: text.researchHelp })}
        {field.toggle('pristanakKontakt')}
        {field.toggle('pristanakRazmena')}
      </Group>
      <Group title={text.statuses}>{field.area('uzrociStatusa', { help: text.statusCausesHelp })}</Group>
    </RecordForm>
  );
}

function Forms({ register, mode }: { register: number; mode: Mode }) {
  const crud = useCrud<FormRow>('/api/forms', { registar: register });
  const navigate = useNavigate();
  return (
    <RecordList
      crud={crud}
      path="/api/forms"
      scope={{ registar: register }}
      resource="form"
      title={text.forms}
      columns={['prikazniRedosled', 'naziv', 'nazivEngleski', 'sifraVeza', 'opis']}
      readOnly={mode !== 'update'}
      more={(chosen) => <ExchangeButtons path="/api/forms" chosen={chosen} code={chosen?.sifraVeza ?? null} register={register} />}
      onOpen={(unosOperation, record) =>
        void navigate(formAddress(record?.id ?? ''), {
          state: { unosOperation, registarID: register, registarOperation: mode } satisfies FormState,
        })
      }
    />
  );
}
