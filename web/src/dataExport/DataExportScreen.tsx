// Taking a data set out: what, of whom, with which reason; and the exports that were asked for.
import { Button } from 'primereact/button';
import { Checkbox } from 'primereact/checkbox';
import { Dropdown } from 'primereact/dropdown';
import { InputTextarea } from 'primereact/inputtextarea';
import { MultiSelect } from 'primereact/multiselect';
import { RadioButton } from 'primereact/radiobutton';
import { Message } from 'primereact/message';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useSearchParams } from 'react-router';
import { useSWRConfig } from 'swr';
import { at } from '../api/address';
import { api, ApiError } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { newKey } from '../api/key';
import { formatNumber } from '../format';
import { label, t } from '../messages';
import { DateInput } from '../ui/DateInput';
import { Field } from '../ui/Field';
import { useFaultFocus } from '../ui/formFocus';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { useToast } from '../ui/toast';
import style from './dataExport.module.css';
import { FieldTree } from './FieldTree';
import { dataExportFault, leaves, REGISTER, dataExportRequest, type DataExportFault, type DataExportOrder, guessedFields } from './order';
import { OwnExports } from './OwnExports';

const text = t.dataExport;
const numberOf = (text: string | null) => (text && /^\d+$/.test(text) ? Number(text) : null);
const named = (list: readonly { id: number; naziv: string }[]) => list.map(({ id, naziv }) => ({ value: id, label: naziv }));

export default function DataExportScreen() {
  const { data, error, mutate } = useApi('/api/data-export-options', { revalidateOnFocus: false });
  return (
    <Page title={text.title} lead={text.lead}>
      <div className={style.sheets}>
        <Panel title={text.order}>
          {data ? (
            <OrderForm options={data} />
          ) : error ? (
            <LoadFailed title={text.failedLoad} error={error} retry={() => void mutate()} />
          ) : (
            <Loading lines={15} />
          )}
        </Panel>
        <Panel title={text.own}>
          <OwnExports />
        </Panel>
      </div>
    </Page>
  );
}

function OrderForm({ options }: { options: Reply<'ExportOptions'> }) {
  const first = options.ustanove.find(({ id }) => id === options.ustanovaID) ?? options.ustanove[0];
  const [searched, setSearched] = useSearchParams();
  const [order, setOrder] = useState<DataExportOrder>({
    register: numberOf(searched.get('registar')),
    form: null,
    row: 'unos',
    profile: 'bez_identiteta',
    all: true,
    fields: [],
    from: null,
    until: null,
    institutions: first ? [first.id] : [],
    xlsx: true,
    states: 'svi',
    reason: '',
    search: numberOf(searched.get('pretraga')),
  });
  const [key, setKey] = useState(newKey);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<DataExportFault | null>(null);
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const id = useId();
  useFaultFocus(id, fault);
  const change = (part: Partial<DataExportOrder>) => setOrder({ ...order, ...part });
  const forms = options.registri.find((register) => register.id === order.register)?.formulari ?? [];
  const ofForm = order.form !== null && order.form !== REGISTER;
  const fields = useApi(ofForm && order.form !== null ? at('/api/data-export-options/{id}', { id: order.form }) : null, {
    revalidateOnFocus: false,
  });
  const all = (fields.data?.polja ?? []).filter((field) => leaves(field, order.profile));
  const guessed = guessedFields(fields.data?.polja ?? [], order.profile);
  const ofSearch = order.search !== null;
  const message = (field: string) => (fault?.field === field ? fault.message : null);

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    toast.clear();
    const found = dataExportFault(order);
    setFault(found);
    if (found) return toast.error(text.failed, found.message);
    setBusy(true);
    try {
      const { redova, pacijenata, bezSaglasnosti } = await api.post(
        '/api/data-exports',
        dataExportRequest(order, fields.data?.polja ?? [], key),
      );
      setKey(newKey());
      change({ reason: '' });
      const left = bezSaglasnosti ? ` ${text.withoutConsent(formatNumber(bezSaglasnosti))}` : '';
      toast.success(text.accepted, text.acceptedHelp(formatNumber(redova), formatNumber(pacijenata)) + left);
    } catch (error) {
      if (error instanceof ApiError && error.field) setFault({ field: error.field, message: error.message });
      toast.failure(text.failed, error);
    }
    setBusy(false);
    await mutate((path) => typeof path === 'string' && path.startsWith('/api/data-exports'));
  }

  function ofEverybody() {
    change({ search: null });
    setSearched({}, { replace: true });
  }

  return (
    <form id={id} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
      {ofSearch && (
        <div className={style.searched}>
          <Message severity={message('pretraga') ? 'error' : 'info'} text={message('pretraga') ?? text.ofSearch} />
          <Button type="button" label={text.ofEverybody} icon="pi pi-times" text size="small" onClick={ofEverybody} />
        </div>
      )}
      <div className={style.row}>
        <Field label={label('izvoz.registar')} required error={message('registarID')}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={order.register}
              disabled={ofSearch}
              options={named(options.registri)}
              onChange={(e) => change({ register: e.value as number, form: null, fields: [], all: true })}
              placeholder={t.common.choose}
            />
          )}
        </Field>
        <Field label={label('izvoz.formular')} required error={message('tsaID')}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              value={order.form}
              disabled={order.register === null}
              options={[...named(forms), { value: REGISTER, label: text.patientsOfRegister }]}
              onChange={(e) => change({ form: e.value as number, fields: [], all: true })}
              placeholder={t.common.choose}
            />
          )}
        </Field>
        <Field label={label('izvoz.od')} error={message('od')}>
          {(control) => <DateInput {...control} value={order.from} max={order.until} onChange={(from) => change({ from })} />}
        </Field>
        <Field label={label('izvoz.do')} error={message('do')}>
          {(control) => <DateInput {...control} value={order.until} min={order.from} onChange={(until) => change({ until })} />}
        </Field>
        <Field label={label('izvoz.ustanove')} required error={message('ustanove')} help={text.institutionsHelp}>
          {({ id, invalid, 'aria-describedby': note }) => (
            <MultiSelect
              inputId={id}
              invalid={invalid}
              aria-describedby={note}
              value={order.institutions}
              options={named(options.ustanove)}
              onChange={(e) => change({ institutions: e.value as number[] })}
              placeholder={t.common.choose}
              maxSelectedLabels={2}
              selectedItemsLabel={t.log.chosen}
              display="comma"
            />
          )}
        </Field>
      </div>
      <div className={style.pair}>
        <Choices
          legend={text.rowLegend}
          options={text.row}
          value={order.form === REGISTER ? 'pacijent' : order.row}
          choose={(row) => change({ row })}
          closed={order.form === REGISTER ? ['unos'] : []}
          help={order.form === REGISTER ? text.rowHelpRegister : text.rowHelp[order.row]}
          error={message('red')}
        />
        <Choices
          legend={text.profileLegend}
          options={text.profile}
          value={order.profile}
          choose={(profile) => change({ profile })}
          closed={options.identitet ? [] : ['identitet']}
          help={options.identitet ? text.profileHelp[order.profile] : `${text.profileHelp.bez_identiteta} ${text.identityClosed}`}
          error={null}
        />
      </div>
      {ofForm && (
        <Choices
          legend={text.statesLegend}
          options={text.states}
          value={order.states}
          choose={(states) => change({ states })}
          closed={[]}
          help={text.statesHelp}
          error={message('stanja')}
        />
      )}
      {ofForm && (
        <Choices
          legend={text.fieldsLegend}
          options={{ sva: text.allFields, izabrana: text.chosenFields }}
          value={order.all ? 'sva' : 'izabrana'}
          choose={(which) => change({ all: which === 'sva' })}
          closed={[]}
          help={order.all ? null : text.chosenCount(all.filter((field) => order.fields.includes(field.id)).length, all.length)}
          error={message('polja')}
        />
      )}
      {guessed.length > 0 && <Message severity="warn" text={`${text.guessedLead} ${guessed.join('; ')}.`} />}
      {ofForm &&
        !order.all &&
        (fields.data ? (
          <FieldTree
            fields={fields.data.polja}
            profile={order.profile}
            chosen={order.fields}
            choose={(chosen) => change({ fields: chosen })}
          />
        ) : fields.error ? (
          <LoadFailed title={text.loadingFields} error={fields.error} retry={() => void fields.mutate()} />
        ) : (
          <Loading lines={6} />
        ))}
      <fieldset className={style.group}>
        <legend>{text.formats}</legend>
        <div className={style.choice}>
          <Checkbox inputId={`${id}-xlsx`} checked={order.xlsx} onChange={(e) => change({ xlsx: Boolean(e.checked) })} />
          <label htmlFor={`${id}-xlsx`}>{text.xlsx}</label>
        </div>
        <p className={style.help}>{text.always}</p>
      </fieldset>
      <Field label={label('izvoz.razlog')} required error={message('razlog')} help={text.reasonHelp}>
        {({ id, invalid, ...control }) => (
          <InputTextarea
            {...control}
            id={id}
            className={invalid ? 'p-invalid' : undefined}
            rows={2}
            autoResize
            maxLength={500}
            value={order.reason}
            onChange={(e) => change({ reason: e.target.value })}
          />
        )}
      </Field>
      <div className={style.submit}>
        <p className={style.help}>{text.limits(formatNumber(options.najviseRedova), formatNumber(options.danaCuvanja))}</p>
        <Button type="submit" label={text.submit} icon="pi pi-download" loading={busy} disabled={busy} />
      </div>
    </form>
  );
}

interface ChoicesProps<V extends string> {
  legend: string;
  options: Record<V, string>;
  value: V;
  choose: (value: V) => void;
  closed: readonly V[];
  help: ReactNode;
  error: string | null;
}

function Choices<V extends string>({ legend, options, value, choose, closed, help, error }: ChoicesProps<V>) {
  const id = useId();
  return (
    <fieldset className={style.group} data-invalid={Boolean(error)}>
      <legend>{legend}</legend>
      <div className={style.choices}>
        {(Object.entries(options) as [V, string][]).map(([key, name]) => (
          <div key={key} className={style.choice}>
            <RadioButton
              inputId={`${id}-${key}`}
              name={id}
              value={key}
              checked={value === key}
              disabled={closed.includes(key)}
              onChange={() => choose(key)}
            />
            <label htmlFor={`${id}-${key}`}>{name}</label>
          </div>
        ))}
      </div>
      {error ? (
        <small className={style.error} role="alert">
          {error}
        </small>
      ) : (
        help && <p className={style.help}>{help}</p>
      )}
    </fieldset>
  );
}
