// A new tile: which report, and what is asked of it; or a list to work through, or a saved search.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { at } from '../../api/address';
import { useApi, useList } from '../../api/hooks';
import { newKey } from '../../api/key';
import { useWorker } from '../../api/session';
import { t } from '../../messages';
import type { Schema } from '../../schema';
import { Field } from '../../ui/Field';
import { Loading } from '../../ui/states';
import { ParameterInput } from '../ParameterInput';
import { bodyOf, emptyDraft, errorsOf, isShown, type Errors } from '../request';
import style from './board.module.css';
import type { Place, Tile } from './grid';
import { LISTS, type List } from './ListTile';

interface Props {
  close: () => void;
  add: (tile: Omit<Tile, keyof Place> & Partial<Place>) => void;
}

export function AddTile({ close, add }: Props) {
  const { data: tree } = useApi('/api/report-categories/tree');
  const [report, setReport] = useState<number | null>(null);
  const { data: form } = useApi(report === null ? null : at('/api/reports/{id}/parameters', { id: report }));
  const [kind, setKind] = useState<'izvestaj' | List>('izvestaj');
  const { pacijenti } = useWorker();
  const kinds = (['izvestaj', ...LISTS] as const).filter((one) => one === 'izvestaj' || pacijenti !== 'ne');
  const reports = (tree?.data ?? []).flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji));
  return (
    <Dialog header={t.board.add} visible onHide={close} style={{ width: 'min(36rem, 96vw)' }}>
      {kinds.length > 1 && (
        <Field label={t.board.kind}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              options={kinds.map((value) => ({ value, label: t.board.kinds[value] }))}
              value={kind}
              onChange={({ value }: { value: typeof kind }) => setKind(value)}
            />
          )}
        </Field>
      )}
      {kind === 'pretraga' ? (
        <AskedSearch add={add} />
      ) : kind === 'izvestaj' ? (
        <AskedReport reports={reports} report={report} choose={setReport} form={form} add={add} />
      ) : (
        <Button
          className={style.alone}
          icon="pi pi-plus"
          label={t.board.add}
          onClick={() => add({ ...listTile(kind), sirina: 4, visina: 3 })}
        />
      )}
    </Dialog>
  );
}

const listTile = (spisak: List) => ({
  id: newKey(),
  izvestajID: null,
  spisak,
  pretragaID: null,
  registarID: null,
  naslov: null,
  blok: 0,
  vrednosti: {},
});

interface AskedReportProps {
  reports: { id: number; naziv: string }[];
  report: number | null;
  choose: (report: number) => void;
  form: Schema<'ReportToGenerate'> | undefined;
  add: Props['add'];
}

function AskedReport({ reports, report, choose, form, add }: AskedReportProps) {
  return (
    <>
      <Field label={t.board.report}>
        {({ id, ...control }) => (
          <Dropdown
            {...control}
            inputId={id}
            options={reports}
            optionLabel="naziv"
            optionValue="id"
            value={report}
            filter
            onChange={({ value }: { value: number }) => choose(value)}
          />
        )}
      </Field>
      {report !== null && (form ? <Asked key={report} form={form} add={add} /> : <Loading />)}
    </>
  );
}

/** A search that was kept under a name, of one register. */
function AskedSearch({ add }: { add: Props['add'] }) {
  const { data: registers } = useList('/api/registers');
  const [register, setRegister] = useState<number | null>(null);
  const [search, setSearch] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { data: searches } = useApi(register === null ? null : at('/api/saved-searches', { registarID: register }));
  return (
    <form
      className={style.asked}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (register === null || search === null) return setError(t.board.missingSearch);
        const naslov = searches?.data.find(({ id }) => id === search)?.naziv ?? null;
        add({ ...listTile('pretraga'), registarID: register, pretragaID: search, naslov, sirina: 4, visina: 2 });
      }}
    >
      <Field label={t.board.register}>
        {({ id, ...control }) => (
          <Dropdown
            {...control}
            inputId={id}
            options={registers?.data ?? []}
            optionLabel="naziv"
            optionValue="id"
            value={register}
            onChange={({ value }: { value: number }) => {
              setRegister(value);
              setSearch(null);
            }}
          />
        )}
      </Field>
      {register !== null && (
        <Field label={t.board.search} error={error ?? undefined}>
          {({ id, ...control }) => (
            <Dropdown
              {...control}
              inputId={id}
              options={searches?.data ?? []}
              optionLabel="naziv"
              optionValue="id"
              value={search}
              emptyMessage={t.board.noSearches}
              onChange={({ value }: { value: number }) => setSearch(value)}
            />
          )}
        </Field>
      )}
      <Button type="submit" icon="pi pi-plus" label={t.board.add} />
    </form>
  );
}

function Asked({ form, add }: { form: Schema<'ReportToGenerate'>; add: Props['add'] }) {
  const [draft, setDraft] = useState(() => emptyDraft(form));
  const [errors, setErrors] = useState<Errors>({});
  const { data: relative } = useApi(at('/api/report-days', {}));
  const accept = () => {
    const found = errorsOf(form, draft);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const { parametri } = bodyOf(form, draft, 0, '', null);
    add({
      id: newKey(),
      izvestajID: form.izvestaj.id,
      spisak: null,
      pretragaID: null,
      registarID: form.izvestaj.registarID ?? draft.register,
      naslov: null,
      blok: 0,
      vrednosti: parametri ?? {},
    });
  };
  return (
    <form
      className={style.asked}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      {form.parametri.filter(isShown).map((parameter) => (
        <ParameterInput
          key={parameter.id}
          parameter={parameter}
          value={draft.values[parameter.requestNaziv]}
          error={errors[parameter.requestNaziv]}
          register={form.izvestaj.registarID ?? draft.register}
          schedule={null}
          days={relative?.dani ?? []}
          change={(value) => setDraft((known) => ({ ...known, values: { ...known.values, [parameter.requestNaziv]: value } }))}
        />
      ))}
      {errors.registarID && <p role="alert">{errors.registarID}</p>}
      <Button type="submit" icon="pi pi-plus" label={t.board.add} />
    </form>
  );
}
