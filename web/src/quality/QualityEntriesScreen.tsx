// The entries behind a number of *Kvalitet podataka*. The address holds which they are.
import { Button } from 'primereact/button';
import { Link, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDate } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Reply } from '../schema';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { EntryMarks } from './ToCheck';
import style from './quality.module.css';

const text = t.quality;

const asNumber = (value: string | null): number | null => (value && /^\d+$/.test(value) ? Number(value) : null);
const asChoice = (value: string | null): boolean | null => (value === 'da' ? true : value === 'ne' ? false : null);

export default function QualityEntriesScreen() {
  const [address, setAddress] = useSearchParams();
  const number = (name: string) => asNumber(address.get(name));
  const [register, blank, after] = [number('registar'), number('prazno'), number('posle')];
  const [whole, inTime] = [asChoice(address.get('potpun')), asChoice(address.get('uRoku'))];
  const goAfter = (entry: number | null) => {
    const next = new URLSearchParams(address);
    next.delete('posle');
    if (entry !== null) next.set('posle', String(entry));
    setAddress(next);
  };
  const { data, error, mutate } = useApi(
    register === null
      ? null
      : at('/api/data-quality/entries', {
          registarID: register,
          tsaID: number('formular'),
          radnikID: number('radnik'),
          od: address.get('od'),
          do: address.get('do'),
          potpun: whole,
          uSedamDana: inTime,
          praznoPoljeID: blank,
          posleID: after,
        }),
    { keepPreviousData: true },
  );
  const lead =
    whole === false ? text.entriesBlank : inTime === false ? text.entriesLate : blank !== null ? text.entriesWithout : text.entriesAll;
  return (
    <Page
      title={text.entriesTitle}
      lead={lead}
      breadcrumb={[
        { label: text.title, to: register === null ? '/kvalitetPodataka' : `/kvalitetPodataka?registar=${register}` },
        { label: text.entriesTitle },
      ]}
      actions={<GuideButton page="quality" />}
    >
      <Panel flush>
        {register === null ? (
          <EmptyState title={text.choose} />
        ) : error && !data ? (
          <LoadFailed title={text.entriesFailed} error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={8} />
        ) : (
          <>
            {data.data.length === 0 ? <EmptyState icon="pi-check" title={text.noSuchEntries} /> : <Table entries={data.data} />}
            <div className={style.pages}>
              {after !== null && <Button label={text.first} outlined size="small" onClick={() => goAfter(null)} />}
              {data.sledeciID != null && <Button label={text.next} outlined size="small" onClick={() => goAfter(data.sledeciID ?? null)} />}
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}

function Table({ entries }: { entries: readonly Reply<'QualityEntry'>[] }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.table} tabIndex={0} role="region" aria-label={text.entriesTitle}>
      <table className={style.cards}>
        <thead>
          <tr>
            <th scope="col">{text.about}</th>
            <th scope="col">{text.examined}</th>
            <th scope="col">{text.entered}</th>
            <th scope="col">{text.doctor}</th>
            <th scope="col">{text.isWhole}</th>
            <th scope="col">{text.toCheck}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ unosID, imePrezime, formular, datumUnosa, uneto, odgovoran, potpun, nalaza, upita }) => (
            <tr key={unosID}>
              <td>
                <Link to={entryPath(unosID)}>{imePrezime}</Link>
                <div className={style.small}>{formular}</div>
              </td>
              <td data-label={text.examined}>{formatDate(datumUnosa)}</td>
              <td data-label={text.entered}>{formatDate(uneto)}</td>
              <td data-label={text.doctor}>{odgovoran}</td>
              <td data-label={text.isWhole}>{potpun ? t.common.yes : t.common.no}</td>
              <td data-label={text.toCheck}>
                <span className={style.toCheck}>
                  <EntryMarks findings={nalaza} questions={upita} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
