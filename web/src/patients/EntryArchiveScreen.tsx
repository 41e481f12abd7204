// An entry's history (A 2.9): what it is now, and every value that the chosen items had.
import { Button } from 'primereact/button';
import { MultiSelect } from 'primereact/multiselect';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { at } from '../api/address';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { EMPTY, formatDate, formatDateTime } from '../format';
import { label, t, type Label } from '../messages';
import { entryPath } from '../places';
import { FindingHistory } from '../quality/FindingHistory';
import { Field } from '../ui/Field';
import { useFaultFocus } from '../ui/formFocus';
import { NotFound } from '../ui/NotFound';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './page.module.css';
import { PatientBanner } from './PatientBanner';
import { HistorySwitch, type HistoryView } from './Sentences';
import { ValueChanges } from './ValueChanges';
import { yesNoOrNone } from './values';

const text = t.patients.archive;

export default function EntryArchiveScreen() {
  const { id = '' } = useParams();
  const isNumber = /^\d+$/.test(id);
  const navigate = useNavigate();
  const {
    data: view,
    error,
    mutate,
  } = useApi(isNumber ? at('/api/entries/{id}/view', { id: Number(id) }) : null, { revalidateOnFocus: false });

  if (!isNumber) return <NotFound />;
  return (
    <Page
      title={text.entryTitle}
      lead={view && view.nazivUnosa}
      about={view && <PatientBanner patient={view.oPacijentu} on={view.datumKreiranja} linked />}
      actions={<Button label={text.backToEntry} icon="pi pi-arrow-left" outlined onClick={() => void navigate(entryPath(Number(id)))} />}
    >
      {error ? (
        <Panel>
          {error.status === 404 ? (
            <EmptyState icon="pi-lock" title={t.patients.page.unknown} />
          ) : (
            <LoadFailed title={text.viewFailed} error={error} retry={() => void mutate()} />
          )}
        </Panel>
      ) : !view ? (
        <Loading lines={6} />
      ) : (
        <>
          <Changes id={id} now={<Now view={view} />} />
          <FindingHistory entry={Number(id)} />
        </>
      )}
    </Page>
  );
}

function Changes({ id, now }: { id: string; now: ReactNode }) {
  const { data, error, mutate } = useApi(at('/api/entries/{id}/items', { id: Number(id) }));
  const [chosen, setChosen] = useState<number[]>([]);
  const [asked, setAsked] = useState<number[]>([]);
  const [missing, setMissing] = useState(false);
  const [shown, setShown] = useState<HistoryView>('table');
  const form = useId();
  useFaultFocus(form, missing);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    setMissing(chosen.length === 0);
    setAsked(chosen);
  }

  function showAll() {
    const all = (data?.data ?? []).map((item) => item.id);
    setMissing(false);
    setChosen(all);
    setAsked(all);
  }

  return (
    <>
      <Panel>
        {error && !data && <LoadFailed title={text.itemsFailed} error={error} retry={() => void mutate()} />}
        <form id={form} hidden={Boolean(error && !data)} className={style.pick} onSubmit={submit} noValidate>
          <Field label={text.items} required error={missing ? text.missingItems : null}>
            {({ id: input, invalid, ...aria }) => (
              <MultiSelect
                inputId={input}
                invalid={invalid}
                aria-describedby={aria['aria-describedby']}
                panelClassName={style.choices}
                value={chosen}
                options={(data?.data ?? []).map((item) => ({ value: item.id, label: item.naziv }))}
                onChange={(e) => {
                  setChosen(e.value as number[]);
                  setMissing(false);
                }}
                placeholder={t.common.choose}
                filter
                maxSelectedLabels={3}
                selectedItemsLabel={text.itemsChosen}
                selectAllLabel={text.allItems}
                display="comma"
              />
            )}
          </Field>
          <Button type="submit" label={t.common.search} icon="pi pi-search" />
        </form>
      </Panel>
      {now}
      <Panel title={text.changes} actions={<HistorySwitch view={shown} choose={setShown} />} flush>
        {asked.length === 0 ? (
          <EmptyState
            icon="pi-history"
            title={text.start}
            help={text.startHelp}
            action={data && data.data.length > 0 && <Button type="button" label={text.showAll} icon="pi pi-list" onClick={showAll} />}
          />
        ) : (
          <ValueChanges entry={id} items={asked} view={shown} />
        )}
      </Panel>
    </>
  );
}

function Now({ view }: { view: Reply<'EntryView'> }) {
  const rows: readonly (readonly [Label, string])[] = [
    ['entryView.pacijent', view.pacijent],
    ['entryView.odgovoranZaSadrzaj', view.odgovoranZaSadrzaj ?? EMPTY],
    ['entryView.datumKreiranja', formatDate(view.datumKreiranja)],
    ['entryView.radnikKreirao', view.radnikKreirao],
    ['entryView.radnikPoslednjiIzmenio', view.radnikPoslednjiIzmenio ?? EMPTY],
    ['entryView.kreirano', formatDateTime(view.kreirano)],
    ['entryView.vremePoslednjeIzmene', formatDateTime(view.vremePoslednjeIzmene)],
    ['entryView.aktivan', yesNoOrNone(view.aktivan)],
    ['entryView.verzijaObrasca', text.formVersion(view.verzijaObrasca, formatDate(view.verzijaObrascaOd))],
    ...view.prelasci.map(({ sa, na, radnik, vreme, preracunato }): readonly [Label, string] => [
      'entryView.prelasci',
      text.versionChange(sa, na, formatDateTime(vreme), preracunato ? text.recomputedBy(radnik ?? EMPTY) : (radnik ?? EMPTY)),
    ]),
  ];
  return (
    <Panel title={text.entryNow}>
      <dl className={style.data}>
        {rows.map(([key, value]) => (
          <div key={`${key} ${value}`}>
            <dt>{label(key)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
