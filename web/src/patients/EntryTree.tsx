// The patient's entries by form, newest first (A 2.6).
import { Button } from 'primereact/button';
import { useId } from 'react';
import { Link } from 'react-router';
import { at } from '../api/address';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import { EntryMarks, ToCheck } from '../quality/ToCheck';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import style from './page.module.css';
import { StaleMark } from './StaleMark';
import type { EntryLists } from './types';

const text = t.patients.page;

export function EntryTree({ patient, register, mayChange, create }: EntryLists) {
  const { data, error, mutate } = useApi(at('/api/patients/{id}/entries', { id: patient, registarID: register }));
  return (
    <Panel
      title={text.tree}
      flush
      actions={data && <ToCheck patient={patient} register={register} entries={data.data.flatMap(({ unosi }) => unosi)} />}
    >
      {error && !data ? (
        <LoadFailed title={text.treeFailed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={6} />
      ) : data.data.length === 0 ? (
        <EmptyState icon="pi-folder" title={text.treeEmpty} />
      ) : (
        <div className={style.tree}>
          {data.data.map((form) => (
            <Branch key={form.tsaID} form={form} mayChange={mayChange} create={create} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function Branch({ form, mayChange, create }: { form: Reply<'FormEntries'> } & Pick<EntryLists, 'mayChange' | 'create'>) {
  const { tsaID, naziv, mozeSeInstancirati, maxInstanci, unosi } = form;
  const heading = useId();
  return (
    <details open>
      <summary>
        <span id={heading}>{naziv}</span> <span className={style.count}>{unosi.length}</span>
      </summary>
      {mozeSeInstancirati && mayChange && (
        <Button
          icon="pi pi-plus"
          label={t.patients.search.newEntry}
          text
          size="small"
          aria-label={text.newEntry(naziv)}
          onClick={() => create({ id: tsaID, naziv, mozeSeInstancirati, maxInstanci })}
        />
      )}
      {unosi.length === 0 ? (
        <p className={style.nothing}>{text.noEntry}</p>
      ) : (
        <ul aria-labelledby={heading}>
          {unosi.map(({ id, datumUnosa, ustanova, popunjeniRelevantni, zastareo, nalaza, upita }) => (
            <li key={id}>
              <span className={style.entryDate}>
                <Link to={entryPath(id)}>{formatDate(datumUnosa)}</Link>
                {!popunjeniRelevantni && (
                  <span className={`pi pi-bell ${style.bell ?? ''}`} role="img" aria-label={text.irrelevant} title={text.irrelevant} />
                )}
                {zastareo && <StaleMark mark={{ razlog: 'formula', jedinica: null }} />}
                <EntryMarks findings={nalaza} questions={upita} />
              </span>
              <small>{ustanova}</small>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
