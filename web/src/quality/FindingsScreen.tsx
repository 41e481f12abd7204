// Findings of the institution. The address holds what is chosen, so that each number of *Kvalitet podataka* opens its list.
import { Button } from 'primereact/button';
import { SelectButton } from 'primereact/selectbutton';
import { Link, useSearchParams } from 'react-router';
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDate, formatDateTime } from '../format';
import { t } from '../messages';
import { entryPath } from '../places';
import type { Reply } from '../schema';
import { GuideButton } from '../ui/GuideButton';
import { Page } from '../ui/Page';
import { Panel } from '../ui/Panel';
import { EmptyState, Loading, LoadFailed } from '../ui/states';
import { wordsOf } from './context';
import style from './quality.module.css';

const text = t.quality;
const STATES = Object.keys(text.states) as (keyof typeof text.states)[];

const asNumber = (value: string | null): number | null => (value && /^\d+$/.test(value) ? Number(value) : null);

export default function FindingsScreen() {
  const [address, setAddress] = useSearchParams();
  const state = STATES.find((one) => one === address.get('stanje')) ?? 'otvoreni';
  const number = (name: string) => asNumber(address.get(name));
  const after = number('posle');
  /** Another choice begins at its first page. */
  const choose = (name: string, value: string | null) => {
    const next = new URLSearchParams(address);
    next.delete('posle');
    if (value !== null) next.set(name, value);
    setAddress(next);
  };
  const { data, error, mutate } = useApi(
    at('/api/findings', {
      stanje: state,
      registarID: number('registar'),
      tsaID: number('formular'),
      poljeID: number('polje'),
      praviloID: number('pravilo'),
      radnikID: number('radnik'),
      pacijentID: number('pacijent'),
      od: address.get('od'),
      do: address.get('do'),
      posleID: after,
    }),
    { keepPreviousData: true },
  );
  const isNarrow = [...address.keys()].some((name) => name !== 'stanje' && name !== 'posle');
  return (
    <Page
      title={text.listTitle}
      lead={text.listLead}
      breadcrumb={[{ label: text.title, to: '/kvalitetPodataka' }, { label: text.listTitle }]}
      actions={<GuideButton page="quality" />}
    >
      <Panel flush>
        <div className={style.filters}>
          <SelectButton
            value={state}
            options={STATES.map((value) => ({ value, label: text.states[value] }))}
            allowEmpty={false}
            aria-label={text.state}
            onChange={({ value }: { value: string }) => choose('stanje', value)}
          />
          {isNarrow && (
            <span>
              {text.narrowed} <Button label={text.all} link onClick={() => setAddress(state === 'otvoreni' ? {} : { stanje: state })} />
            </span>
          )}
        </div>
        {error && !data ? (
          <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
        ) : !data ? (
          <Loading lines={8} />
        ) : (
          <>
            {data.data.length === 0 ? <EmptyState icon="pi-check" title={text.empty} /> : <Table findings={data.data} />}
            <div className={style.pages}>
              {after !== null && <Button label={text.first} outlined size="small" onClick={() => choose('posle', null)} />}
              {data.sledeciID != null && (
                <Button label={text.next} outlined size="small" onClick={() => choose('posle', String(data.sledeciID))} />
              )}
            </div>
          </>
        )}
      </Panel>
    </Page>
  );
}

function Table({ findings }: { findings: readonly Reply<'ListedFinding'>[] }) {
  return (
    // Scrolled by the keyboard where the window is narrow.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={style.table} tabIndex={0} role="region" aria-label={text.listTitle}>
      <table className={style.cards}>
        <thead>
          <tr>
            <th scope="col">{text.rule}</th>
            <th scope="col">{text.about}</th>
            <th scope="col">{text.field}</th>
            <th scope="col">{text.doctor}</th>
            <th scope="col">{text.begun}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <tr key={finding.id}>
              <td>
                <Link to={entryPath(finding.unosID)}>{wordsOf(finding)}</Link>
                <div className={style.small}>
                  {finding.pravilo}, {text.severities[finding.tezina]}
                </div>
              </td>
              <td>
                {finding.imePrezime}
                <div className={style.small}>
                  {finding.formular}, {formatDate(finding.datumUnosa)}
                </div>
              </td>
              <td data-label={text.field}>{finding.polje ?? text.whole}</td>
              <td data-label={text.doctor}>{finding.odgovoran}</td>
              <td data-label={text.begun}>
                <div>
                  {formatDateTime(finding.pocetak)}
                  {finding.kraj && finding.razlogKraja && (
                    <div className={style.small}>{text.until(formatDateTime(finding.kraj), text.ends[finding.razlogKraja])}</div>
                  )}
                  {finding.potvrda && (
                    <div className={style.small}>{text.confirmed(finding.potvrda.radnik, formatDateTime(finding.potvrda.vreme))}</div>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
