// A form of a register: its data, and its fields (B 2.3).
import { Button } from 'primereact/button';
import { TabPanel, TabView } from 'primereact/tabview';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { at } from '../../api/address';
import { useApi, useList } from '../../api/hooks';
import type { FormRow } from '../../api/types';
import { bindFields } from '../../crud/bindFields';
import { isEditable, type Mode } from '../../crud/CrudDialog';
import { firstMissing, useForm } from '../../crud/useForm';
import { t } from '../../messages';
import { Page } from '../../ui/Page';
import { FieldList } from './FieldList';
import { Opened, useOpened } from './opened';
import { designerAddress, registerAddress, REGISTERS, type FormState, type RegisterState } from './operation';
import { Group, RecordForm } from './RecordForm';
import style from './registers.module.css';
import { FormVersions } from './Versions';

const text = t.registerForms;
const EMPTY: FormRow = {
  id: 0,
  registarID: null,
  naziv: '',
  nazivEngleski: null,
  prikazniRedosled: null,
  mozeSeInstancirati: true,
  sifraVeza: null,
  napomena: null,
  opis: null,
  maksimalanBrojInstanciPoKontaktu: null,
  maksimalanBrojInstanciPoPacijentu: null,
};

/** Between two neighbours there is room for another. */
const STEP = 10;

export default function FormScreen() {
  const { id } = useParams();
  const state = useLocation().state as FormState | null;
  if (!id && state?.unosOperation !== 'create') return <Navigate to={REGISTERS} replace />;
  return <FormPage key={id ?? ''} id={id} state={state} />;
}

function FormPage({ id, state }: { id: string | undefined; state: FormState | null }) {
  const mode = id ? (state?.unosOperation ?? 'update') : 'create';
  const { data, error, retry } = useOpened<FormRow>('/api/forms', id);
  const register = data?.registarID ?? state?.registarID ?? null;
  const { data: owner } = useApi(register === null ? null : at('/api/registers/{id}', { id: register }));
  const navigate = useNavigate();
  const [tab, setTab] = useState(state?.tab ?? 0);
  // A new form stands behind the others; while they cannot be read it stands first.
  const others = useList(id ? null : '/api/forms', { registar: register ?? 0, sort: '-prikazniRedosled', size: 1 });
  const last = others.data?.data[0]?.prikazniRedosled ?? 0;
  const fresh = others.data || others.error ? { ...EMPTY, registarID: register, prikazniRedosled: last + STEP } : undefined;
  const form = id ? data : fresh;
  const title = id ? (data?.naziv ?? text.form) : text.newForm;
  const back = (): [string, { state: RegisterState }] => [
    register === null ? REGISTERS : registerAddress(register),
    { state: { registarOperation: state?.registarOperation ?? 'update', tab: 1 } },
  ];
  const [to, { state: toState }] = back();
  return (
    <Page
      title={title}
      breadcrumb={[
        { label: text.registers, to: REGISTERS },
        { label: owner?.naziv ?? text.register, to, state: toState },
        { label: title },
      ]}
      actions={
        data && mode === 'update' ? (
          <Button label={t.formDesigner.open} icon="pi pi-pencil" outlined onClick={() => void navigate(designerAddress(data.id))} />
        ) : undefined
      }
    >
      <Opened record={form} error={error} retry={retry}>
        {(form) => (
          <TabView className={style.tabs} renderActiveOnly={false} activeIndex={tab} onTabChange={({ index }) => setTab(index)}>
            <TabPanel header={text.form}>
              <Data key={data?.verzija} record={form} mode={mode} onLeave={() => void navigate(...back())} />
            </TabPanel>
            <TabPanel header={text.fields} disabled={mode !== 'update'}>
              {mode === 'update' && <FieldList form={form.id} />}
            </TabPanel>
            <TabPanel header={t.versions.title} disabled={!id}>
              {id && <FormVersions form={form.id} mayTakeBack={mode === 'update'} />}
            </TabPanel>
          </TabView>
        )}
      </Opened>
    </Page>
  );
}

function Data({ record, mode, onLeave }: { record: FormRow; mode: Mode; onLeave: () => void }) {
  const form = useForm(record, !isEditable(mode));
  const field = bindFields<FormRow, 'form'>(form, 'form');
  return (
    <RecordForm
      mode={mode}
      path="/api/forms"
      form={form}
      validate={(current) =>
        firstMissing(current, [
          ['naziv', text.missingNaziv],
          ['registarID', text.missingRegister],
        ])
      }
      onLeave={onLeave}
    >
      <Group title={text.basic}>
        {field.text('naziv', { required: true })}
        {field.text('nazivEngleski')}
        {field.number('prikazniRedosled', { help: text.orderHelp })}
        {field.text('sifraVeza')}
        {field.area('opis')}
        {field.area('napomena')}
      </Group>
      <Group title={text.limits}>
        {field.number('maksimalanBrojInstanciPoKontaktu', { min: 1, help: text.perContact })}
        {field.number('maksimalanBrojInstanciPoPacijentu', { min: 1, help: text.perPatient })}
        {field.toggle('mozeSeInstancirati', { help: text.instantiate })}
      </Group>
    </RecordForm>
  );
}
