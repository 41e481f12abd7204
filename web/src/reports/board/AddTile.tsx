// A new tile: which report, and what is asked of it.
import { Button } from 'primereact/button';
import { Dialog } from 'primereact/dialog';
import { Dropdown } from 'primereact/dropdown';
import { useState } from 'react';
import { at } from '../../api/address';
import { useApi } from '../../api/hooks';
import { newKey } from '../../api/key';
import { t } from '../../messages';
import type { Schema } from '../../schema';
import { Field } from '../../ui/Field';
import { Loading } from '../../ui/states';
import { ParameterInput } from '../ParameterInput';
import { bodyOf, emptyDraft, errorsOf, isShown, type Errors } from '../request';
import style from './board.module.css';
import type { Place, Tile } from './grid';

interface Props {
  close: () => void;
  add: (tile: Omit<Tile, keyof Place> & Partial<Place>) => void;
}

export function AddTile({ close, add }: Props) {
  const { data: tree } = useApi('/api/report-categories/tree');
  const [report, setReport] = useState<number | null>(null);
  const { data: form } = useApi(report === null ? null : at('/api/reports/{id}/parameters', { id: report }));
  const reports = (tree?.data ?? []).flatMap(({ tipovi }) => tipovi.flatMap(({ izvestaji }) => izvestaji));
  return (
    <Dialog header={t.board.add} visible onHide={close} style={{ width: 'min(36rem, 96vw)' }}>
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
            onChange={({ value }: { value: number }) => setReport(value)}
          />
        )}
      </Field>
      {report !== null && (form ? <Asked key={report} form={form} add={add} /> : <Loading />)}
    </Dialog>
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
